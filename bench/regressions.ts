/** Finds rows that got worse by more than the variation between rounds. */
import type { BenchRow, Spread } from './figures.ts'

export interface Regression {
  id: string
  /** The compared figure: the ratio, if there is one. */
  of: 'ratio' | 'ours'
  before: Spread
  now: Spread
  unit: string
}

/**
 * Compares rows that were measured both times. Without `sameMachine`, only ratios are compared. Changes of the median by
 * less than `tolerance` are ignored.
 */
export function regressions(
  before: readonly BenchRow[],
  now: readonly BenchRow[],
  sameMachine: boolean,
  tolerance = 0.1,
): readonly Regression[] {
  const known = new Map(before.map((row) => [row.id, row]))
  return now.flatMap((row) => {
    const old = known.get(row.id)
    const comparison = old && comparable(old, row, sameMachine)
    return comparison && isWorse(comparison.before, comparison.now, row.better, tolerance)
      ? [{ id: row.id, unit: comparison.of === 'ratio' ? '' : row.unit, ...comparison }]
      : []
  })
}

function comparable(
  before: BenchRow,
  now: BenchRow,
  sameMachine: boolean,
): Pick<Regression, 'of' | 'before' | 'now'> | undefined {
  if (before.ratio && now.ratio) return { of: 'ratio', before: before.ratio, now: now.ratio }
  return sameMachine ? { of: 'ours', before: before.ours, now: now.ours } : undefined
}

/** The quartiles do not overlap and the medians differ by more than `tolerance`. */
function isWorse(before: Spread, now: Spread, better: BenchRow['better'], tolerance: number): boolean {
  return better === 'higher'
    ? now.high < before.low && now.median < before.median * (1 - tolerance)
    : now.low > before.high && now.median > before.median * (1 + tolerance)
}
