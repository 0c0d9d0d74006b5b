import { expect, test } from 'vitest'
import { highest, roundTicks, share } from './scale.ts'
import { span, timeTicks } from './time.ts'
import { amount, clipped, countedAmount, listed, size } from './wording.ts'

test('places and ticks are numbers, whatever the numbers are', () => {
  expect([share(1, 3), share(0, 0), share(5, 4), share(Number.NaN, 4)]).toEqual([
    '33.33%',
    '0%',
    '100%',
    '0%',
  ])
  expect([0, 3, 63, 434].map(roundTicks)).toEqual([
    [0, 1],
    [0, 1, 2, 3],
    [0, 20, 40, 60, 80],
    [0, 200, 400, 600],
  ])
  for (const end of [0.001, 1, 1e6, 1e10, Number.MAX_SAFE_INTEGER])
    expect(timeTicks(end).length).toBeLessThan(7)
  expect(timeTicks(95_000).map(({ label }) => label)).toEqual(['0', '30 s', '60 s', '90 s'])
})

test('of each bin the highest value is kept, the end in the last', () => {
  const values = [3, -7, 5, -1].map((value, at) => ({ at: 33.4 * at, value }))
  expect(highest(values, { end: 100, bins: 4 })).toEqual([3, -7, 5, -1])
})

test('words stay short', () => {
  expect([0, 0.01, 312.4, 2_600, 1_525_000, 360_000_000].map(span)).toEqual([
    '0 ms',
    '<0.1 ms',
    '312 ms',
    '2.6 s',
    '25 min 25 s',
    '4 d 4 h',
  ])
  expect([countedAmount(1, 'key'), countedAmount(2_258, 'key')]).toEqual(['1 key', '2,258 keys'])
  expect([0.5, 1_234_567.891, 1e300].map(amount)).toEqual(['0.5', '1,234,567.89', '1.0e+300'])
  expect([[], ['a'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a, b and c'])
  expect([1, 3_800, 2_500_000].map(size)).toEqual(['1 byte', '3.8 kB', '2.5 MB'])
  expect([clipped('a\nb', 9), clipped('x'.repeat(1e6), 5)]).toEqual([String.raw`a\nb`, 'xxxx…'])
})
