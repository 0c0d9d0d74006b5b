/** Results as plain data: one row per measurement and peer. */
import { goals, type Goal } from './goals.ts'

/** Median and quartiles of several rounds. */
export interface Spread {
  low: number
  median: number
  high: number
}

export interface Figure extends Spread {
  /** The side that was measured, such as `simulator`. */
  name: string
}

export interface BenchRow {
  /** Benchmark and peer, such as `turns/prism`. */
  id: string
  what: string
  unit: string
  /** Whether `goal` is a minimum or a maximum. */
  better: 'higher' | 'lower'
  ours: Figure
  theirs: Figure | null
  /** Ours divided by theirs, per round. */
  ratio: Spread | null
  goal: Goal | null
  /** Null without a goal. */
  reached: boolean | null
  rounds: number
}

/** The values of one side, one per round. */
export interface Series {
  name: string
  values: readonly number[]
}

export interface RowSpec {
  id: string
  what: string
  unit: string
  better: BenchRow['better']
}

/** The id of a row that is compared with a peer. */
export function rowId(bench: string, against: string): string {
  return `${bench}/${against.replaceAll(/\W+/g, '-')}`
}

/** Throws if the two sides were not measured equally often. */
export function rowOf(question: RowSpec, ours: Series, theirs?: Series): BenchRow {
  return withGoal({
    ...question,
    ours: figureOf(ours),
    theirs: theirs ? figureOf(theirs) : null,
    ratio: theirs ? spreadOf(ratios(ours, theirs)) : null,
    rounds: ours.values.length,
  })
}

type Measured = Omit<BenchRow, 'goal' | 'reached'>

/** Throws if the goal is for a ratio and the row has none. */
export function withGoal<R extends Measured>(
  row: R,
  goal: Goal | null = goals[row.id] ?? null,
): R & Pick<BenchRow, 'goal' | 'reached'> {
  return { ...row, goal, reached: goal === null ? null : reachesGoal(row, goal) }
}

function ratios(ours: Series, theirs: Series): readonly number[] {
  if (ours.values.length !== theirs.values.length)
    throw new Error(
      `${ours.name} was measured ${ours.values.length} times and ${theirs.name} ${theirs.values.length} times: ` +
        'measure both in the same rounds',
    )
  return ours.values.map((value, round) => value / (theirs.values[round] ?? Number.NaN))
}

function reachesGoal(row: Measured, { of, value }: Goal): boolean {
  const median = (of === 'ours' ? row.ours : row.ratio)?.median
  if (median === undefined) throw new Error(`${row.id} has a goal of ${value} for a ratio, but no ratio`)
  return row.better === 'higher' ? median >= value : median <= value
}

function figureOf({ name, values }: Series): Figure {
  return { name, ...spreadOf(values) }
}

/** Median and quartiles, with linear interpolation. Throws if there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('no values to take a median of: measure at least once')
  const sorted = values.toSorted((a, b) => a - b)
  return { low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75) }
}

/** With linear interpolation; NaN if there are no values. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}
