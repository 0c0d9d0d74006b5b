/** What a bench found, as plain data: a row for each thing that was measured against one peer or one limit. */

/** The middle of several rounds, and what half of them lie within. */
export interface Spread {
  low: number
  median: number
  high: number
}

export interface Figure extends Spread {
  /** Whose it is. */
  name: string
}

/** What is to be reached: by our own figure, or by its ratio to theirs. */
export interface Reach {
  of: 'ours' | 'ratio'
  value: number
}

export interface Row {
  /** The bench that measured it, and what it is held against: `turns/prism`. */
  id: string
  what: string
  unit: string
  /** Which figures are the good ones: says whether `reach` is the least or the most that it may be. */
  better: 'higher' | 'lower'
  ours: Figure
  theirs: Figure | null
  /** Ours through theirs, round by round. */
  ratio: Spread | null
  reach: Reach | null
  /** Null where nothing was to be reached. */
  reached: boolean | null
  rounds: number
}

/** What one side made of each round. */
export interface Series {
  name: string
  values: readonly number[]
}

export interface Question {
  id: string
  what: string
  unit: string
  better: Row['better']
  reach?: Reach
}

/** Of a row that is held against somebody. */
export function idOf(bench: string, against: string): string {
  return `${bench}/${against.replaceAll(/\W+/g, '-')}`
}

/** Throws where the two sides were not measured equally often. */
export function rowOf(question: Question, ours: Series, theirs?: Series): Row {
  const { reach = null, ...rest } = question
  const ratio = theirs ? spreadOf(ratios(ours, theirs)) : null
  const row = {
    ...rest,
    ours: figureOf(ours),
    theirs: theirs ? figureOf(theirs) : null,
    ratio,
    reach,
    rounds: ours.values.length,
  }
  return { ...row, reached: reach === null ? null : reaches(row, reach) }
}

function ratios(ours: Series, theirs: Series): readonly number[] {
  if (ours.values.length !== theirs.values.length)
    throw new Error(
      `${ours.name} was measured ${ours.values.length} times and ${theirs.name} ${theirs.values.length} times: ` +
        'measure both in the same rounds',
    )
  return ours.values.map((value, round) => value / (theirs.values[round] ?? Number.NaN))
}

function reaches(row: Omit<Row, 'reached'>, { of, value }: Reach): boolean {
  const median = (of === 'ours' ? row.ours : row.ratio)?.median
  if (median === undefined) throw new Error(`${row.id} has no ratio that could reach ${value}`)
  return row.better === 'higher' ? median >= value : median <= value
}

function figureOf({ name, values }: Series): Figure {
  return { name, ...spreadOf(values) }
}

/** Quartiles, with what lies between two values in proportion. Throws where there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('there is no median of nothing: measure at least once')
  const sorted = values.toSorted((a, b) => a - b)
  return { low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75) }
}

function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}
