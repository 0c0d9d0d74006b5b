import { expect, it } from 'vitest'
import { boundedCache } from './bounded-cache.ts'

it('evicts what was used longest ago, and never the last', () => {
  const made: string[] = []
  const cache = boundedCache<string, string>(5, ({ length }) => length)
  const get = (key: string) => cache.get(key, () => (made.push(key), key))
  for (const key of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb', 'longer than all', 'aa']) get(key)
  expect(made).toEqual(['aa', 'bb', 'cc', 'bb', 'longer than all', 'aa'])
})
