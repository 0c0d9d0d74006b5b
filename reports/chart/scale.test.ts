import { describe, expect, it } from 'vitest'
import { binOf, highest, roundTicks, share } from './scale.ts'
import { span, timeTicks } from './time.ts'
import { amount, clipped, countedAmount, listed, size } from './wording.ts'

describe('a scale', () => {
  it.each([
    [1, 3, '33.33%'],
    [0, 0, '0%'],
    [5, 4, '100%'],
    [-1, 4, '0%'],
    [Number.NaN, 4, '0%'],
  ])('places %d of %d at %s', (part, whole, place) => {
    expect(share(part, whole)).toBe(place)
  })

  it.each([
    [0, [0, 1]],
    [Number.NaN, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [60, [0, 20, 40, 60]],
    [63, [0, 20, 40, 60, 80]],
    [434, [0, 200, 400, 600]],
    [100_000, [0, 50_000, 100_000]],
  ])('reaches %d with round ticks from 0', (most, ticks) => {
    expect(roundTicks(most)).toEqual(ticks)
  })

  it('puts every time into a bin, the end into the last, and keeps the highest of each', () => {
    const grid = { end: 100, bins: 4 }

    expect([0, 24.9, 25, 99, 100, 1e9].map((at) => binOf(at, grid))).toEqual([0, 0, 1, 3, 3, 3])
    expect(
      highest(
        [
          { at: 1, value: 3 },
          { at: 2, value: -7 },
          { at: 60, value: -1 },
        ],
        grid,
      ),
    ).toEqual([3, null, -1, null])
  })
})

describe('an axis of time', () => {
  it.each([
    [0.4, ['0', '0.1 ms', '0.2 ms', '0.3 ms', '0.4 ms']],
    [8_771, ['0', '2 s', '4 s', '6 s', '8 s']],
    [95_000, ['0', '30 s', '60 s', '90 s']],
    [30 * 60_000, ['0', '10 min', '20 min', '30 min']],
    [5 * 3_600_000, ['0', '1 h', '2 h', '3 h', '4 h', '5 h']],
  ])('of %d ms has the ticks %j', (end, labels) => {
    expect(timeTicks(end).map(({ label }) => label)).toEqual(labels)
  })

  it.each([0.001, 1, 1e6, 1e10, 1e15, Number.MAX_SAFE_INTEGER])('of %d ms has few ticks', (end) => {
    expect(timeTicks(end).length).toBeGreaterThan(0)
    expect(timeTicks(end).length).toBeLessThan(7)
  })
})

describe('words', () => {
  it.each([
    [0, '0 ms'],
    [0.01, '<0.1 ms'],
    [1.84, '1.8 ms'],
    [312.4, '312 ms'],
    [2_600, '2.6 s'],
    [12_000, '12 s'],
    [1_525_000, '25 min 25 s'],
    [7_500_000, '2 h 5 min'],
    [100 * 3_600_000, '4 d 4 h'],
  ])('for %d ms are %s', (ms, words) => {
    expect(span(ms)).toBe(words)
  })

  it('stay short', () => {
    expect([countedAmount(1, 'key'), countedAmount(2_258, 'key')]).toEqual(['1 key', '2,258 keys'])
    expect([0.5, 1_234_567.891, 1e300].map(amount)).toEqual(['0.5', '1,234,567.89', '1.0e+300'])
    expect([[], ['a'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a, b and c'])
    expect([1, 3_800, 2_500_000].map(size)).toEqual(['1 byte', '3.8 kB', '2.5 MB'])
    expect([clipped('a\nb', 9), clipped('x'.repeat(1e6), 5)]).toEqual([String.raw`a\nb`, 'xxxx…'])
  })
})
