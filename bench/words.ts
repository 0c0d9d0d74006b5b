/** Figures in words, for the terminal and the page. */
import type { Row, Spread } from './figures.ts'
import type { Regression } from './regressions.ts'

/** Three digits that count: `12,300`, `0.87`, `41.2`. */
export function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-GB')
  return String(Number(value.toPrecision(size >= 1 ? 3 : 2)))
}

const withUnit = (value: number, unit: string): string => `${shown(value)} ${unit}`.trimEnd()

export const between = ({ low, high }: Spread): string => `${shown(low)} to ${shown(high)}`

/** `at most 250 ms`, or `at least 0.65` of a ratio. */
export function reachWords({ reach, better, unit }: Row): string {
  if (!reach) return ''
  const bound = better === 'higher' ? 'at least' : 'at most'
  return `${bound} ${withUnit(reach.value, reach.of === 'ours' ? unit : '')}`
}

/** What was measured, and against whom where that is what counts. */
export function againstWords({ what, reach, theirs }: Row): string {
  return reach?.of === 'ratio' && theirs ? `${what} / ${theirs.name}` : what
}

/** The figure that is to reach something; else the one that says more. */
export function figureWords({ reach, ratio, ours, unit }: Row): string {
  return ratio && reach?.of !== 'ours' ? shown(ratio.median) : withUnit(ours.median, unit)
}

export const reachedWords = ({ reached }: Row): string =>
  reached === null ? '' : reached ? 'reached' : 'not reached'

export function rowLine(row: Row): string {
  const { id, ours, theirs, ratio, unit, rounds } = row
  const figures = [ours, ...(theirs ? [theirs] : [])].map(
    (figure) => `${figure.name} ${withUnit(figure.median, unit)} (${between(figure)})`,
  )
  const parts = [
    ...figures,
    ...(ratio ? [`ratio ${shown(ratio.median)} (${between(ratio)})`] : []),
    ...(row.reach ? [`${reachWords(row)}: ${reachedWords(row)}`] : []),
    rounds === 1 ? 'once' : `${rounds} rounds`,
  ]
  return `${id}: ${parts.join(', ')}`
}

export function regressionLine({ id, of, before, now, unit }: Regression): string {
  const figure = of === 'ratio' ? 'its ratio' : 'it'
  return (
    `worse: ${id}: ${figure} was ${withUnit(before.median, unit)} (${between(before)}) ` +
    `and is ${withUnit(now.median, unit)} (${between(now)})`
  )
}
