import { expect, it } from 'vitest'
import { memo } from './memo.ts'

const mebibyte = 1 << 20

it.each([
  ['all small things', 0, 10],
  ['the last four of a mebibyte', mebibyte, 4],
  ['the last four of 512 KiB', mebibyte / 2, 4],
  ['all of 100 KiB', 100 << 10, 10],
  ['the last eight of 256 KiB', 256 << 10, 8],
])('remembers %s', (_, bytes, remembered) => {
  let worked = 0
  const read = memo<object, number>(
    () => ++worked,
    () => bytes,
  )
  const keys = Array.from({ length: 10 }, () => ({}))
  for (const key of [...keys, ...keys.slice(-remembered)]) read(key)
  expect(worked).toBe(10)
  const [oldest] = keys
  if (oldest && remembered < 10) read(oldest)
  expect(worked).toBe(remembered < 10 ? 11 : 10)
})
