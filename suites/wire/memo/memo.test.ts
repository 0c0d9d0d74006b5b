import { expect, test, vi } from 'vitest'
import { forget, memo } from './memo.ts'

const things = (count: number): readonly { id: number }[] =>
  Array.from({ length: count }, (_, id) => ({ id }))

test('what is forgotten is worked out again, and nothing else is', () => {
  const work = vi.fn(({ id }: { id: number }) => id)
  const once = memo(work)
  const [first = { id: 0 }, second = { id: 0 }] = things(2)
  for (const thing of [first, second]) once(thing)
  forget(first)
  for (const thing of [first, second, first]) once(thing)
  expect(work.mock.calls).toEqual([[first], [second], [first]])
})

test('what is forgotten of large things makes room for others', () => {
  const work = vi.fn(({ id }: { id: number }) => id)
  const once = memo(work, () => 1 << 18)
  const [kept = { id: 0 }, ...passed] = things(100)
  once(kept)
  for (const thing of passed) {
    once(thing)
    forget(thing)
  }
  once(kept)
  expect(work).toHaveBeenCalledTimes(100)
})
