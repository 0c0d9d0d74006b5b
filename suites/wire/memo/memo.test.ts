import { expect, it } from 'vitest'
import { memo } from './memo.ts'

it.each([
  ['all small things', 4 << 10, 10],
  ['the last four of 16 MiB', 16 << 20, 4],
])('remembers %s', (_, bytes, remembered) => {
  let worked = 0
  const read = memo<object, number>(
    () => ++worked,
    () => bytes,
  )
  const keys = Array.from({ length: 10 }, () => ({}))
  for (const key of [...keys, ...keys.slice(-remembered)]) read(key)
  expect(worked).toBe(10)
  const [oldest = {}] = keys
  read(oldest)
  expect(worked).toBe(remembered < 10 ? 11 : 10)
})
