/** Formats figures for the terminal and the page. */
import type { BenchRow, Spread } from './figures.ts'
import type { Regression } from './regressions.ts'

/** Three significant digits: `12,300`, `0.87`, `41.2`. */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-GB')
  return String(Number(value.toPrecision(size >= 1 ? 3 : 2)))
}

const withUnit = (value: number, unit: string): string => `${formatNumber(value)} ${unit}`.trimEnd()

export const formatRange = ({ low, high }: Spread): string => `${formatNumber(low)} to ${formatNumber(high)}`

/** `at most 250 ms`, or `at least 0.65` of a ratio. */
export function goalText({ goal, better, unit }: BenchRow): string {
  if (!goal) return ''
  const bound = better === 'higher' ? 'at least' : 'at most'
  return `${bound} ${withUnit(goal.value, goal.of === 'ours' ? unit : '')}`
}

/** What was measured, with the peer if the goal is a ratio. */
export function comparisonText({ what, goal, theirs }: BenchRow): string {
  return goal?.of === 'ratio' && theirs ? `${what} / ${theirs.name}` : what
}

/** The figure that has the goal; without a goal, the ratio if there is one. */
export function figureText({ goal, ratio, ours, unit }: BenchRow): string {
  return ratio && goal?.of !== 'ours' ? formatNumber(ratio.median) : withUnit(ours.median, unit)
}

export const reachedText = ({ reached }: BenchRow): string =>
  reached === null ? '' : reached ? 'reached' : 'not reached'

export function rowLine(row: BenchRow): string {
  const { id, ours, theirs, ratio, unit, rounds } = row
  const figures = [ours, ...(theirs ? [theirs] : [])].map(
    (figure) => `${figure.name} ${withUnit(figure.median, unit)} (${formatRange(figure)})`,
  )
  const parts = [
    ...figures,
    ...(ratio ? [`ratio ${formatNumber(ratio.median)} (${formatRange(ratio)})`] : []),
    ...(row.goal ? [`${goalText(row)}: ${reachedText(row)}`] : []),
    rounds === 1 ? 'once' : `${rounds} rounds`,
  ]
  return `${id}: ${parts.join(', ')}`
}

export function regressionLine({ id, of, before, now, unit }: Regression): string {
  const figure = of === 'ratio' ? 'its ratio' : 'it'
  return (
    `worse: ${id}: ${figure} was ${withUnit(before.median, unit)} (${formatRange(before)}) ` +
    `and is ${withUnit(now.median, unit)} (${formatRange(now)})`
  )
}
