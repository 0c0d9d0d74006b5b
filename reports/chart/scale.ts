/** From numbers to places: shares of a width, round ticks, bins of time. */

/** A share of a whole as a percentage; always within it. `12.34%`. */
export function share(part: number, whole: number): string {
  const fraction = whole > 0 ? part / whole : 0
  return `${Number((100 * (fraction > 0 ? Math.min(1, fraction) : 0)).toFixed(2))}%`
}

/** Up to five round numbers from 0 to the first that is `most` or more. */
export function roundTicks(most: number): readonly number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10
  // A tenth of a request is none.
  const step = Math.max(1, factor * power)
  const length = Math.ceil(most / step) + 1
  return Array.from({ length }, (_, index) => Number((index * step).toPrecision(12)))
}

/** The time of a run, cut into as many equal bins. */
export interface Grid {
  /** Milliseconds; above 0. */
  end: number
  bins: number
}

export function binOf(at: number, { end, bins }: Grid): number {
  return Math.max(0, Math.min(bins - 1, Math.floor((at / end) * bins)))
}

/** In each bin the largest value that fell into it; null where none did. */
export function highest(
  values: Iterable<{ at: number; value: number }>,
  grid: Grid,
): readonly (number | null)[] {
  const held = Array.from<number | null>({ length: grid.bins }).fill(null)
  for (const { at, value } of values) {
    const bin = binOf(at, grid)
    held[bin] = Math.max(held[bin] ?? value, value)
  }
  return held
}
