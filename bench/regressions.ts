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
 * less than `tolerance` are ignored, and so is a figure that is worse beside one peer and not beside another: what we lost,
 * we lost to all of them.
 */
export function regressions(
  before: readonly BenchRow[],
  now: readonly BenchRow[],
  sameMachine: boolean,
  tolerance = 0.1,
): readonly Regression[] {
  const known = new Map(before.map((row) => [row.id, row]))
  const compared = now.flatMap((row) => {
    const old = known.get(row.id)
    const comparison = old && comparable(old, row, sameMachine)
    return comparison
      ? [{ row, comparison, worse: isWorse(comparison.before, comparison.now, row.better, tolerance) }]
      : []
  })
  const held = new Set(
    compared.flatMap(({ row, comparison: { of }, worse }) => (of === 'ratio' && !worse ? [row.what] : [])),
  )
  return compared
    .filter(({ row, worse }) => worse && !held.has(row.what))
    .map(({ row: { id, unit }, comparison }) => ({
      id,
      unit: comparison.of === 'ratio' ? '' : unit,
      ...comparison,
    }))
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
