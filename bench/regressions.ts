/** Whether a row got worse than it was, beyond what rounds differ by anyway. */
import type { Row, Spread } from './figures.ts'

/** What moved by less is not worth a look. */
const leastMove = 0.1

export interface Regression {
  id: string
  /** Of which figure: the ratio, where there is one. */
  of: 'ratio' | 'ours'
  before: Spread
  now: Spread
  unit: string
}

/**
 * Rows that were measured both times. `sameMachine`: whether figures without a peer may be compared at all; a ratio
 * always may.
 */
export function regressions(
  before: readonly Row[],
  now: readonly Row[],
  sameMachine: boolean,
): readonly Regression[] {
  const known = new Map(before.map((row) => [row.id, row]))
  return now.flatMap((row) => {
    const old = known.get(row.id)
    const told = old && telling(old, row, sameMachine)
    return told && isWorse(told.before, told.now, row.better)
      ? [{ id: row.id, unit: told.of === 'ratio' ? '' : row.unit, ...told }]
      : []
  })
}

function telling(
  before: Row,
  now: Row,
  sameMachine: boolean,
): Pick<Regression, 'of' | 'before' | 'now'> | undefined {
  if (before.ratio && now.ratio) return { of: 'ratio', before: before.ratio, now: now.ratio }
  return sameMachine ? { of: 'ours', before: before.ours, now: now.ours } : undefined
}

/** The spreads lie apart, and the medians too. */
function isWorse(before: Spread, now: Spread, better: Row['better']): boolean {
  return better === 'higher'
    ? now.high < before.low && now.median < before.median * (1 - leastMove)
    : now.low > before.high && now.median > before.median * (1 + leastMove)
}
