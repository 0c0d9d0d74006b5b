/** Paired measurements, and their rows as lines. */

/** One side of a comparison. `once`: measures it one time, in the unit of its row. */
export interface Side {
  readonly name: string
  once(): Promise<number>
}

export interface Series {
  readonly name: string
  readonly values: readonly number[]
}

/** A goal is for the ratio to a peer, or, without a peer, for our own figure. */
export interface MeasuredRow {
  readonly what: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  readonly ours: Series
  readonly theirs?: Series
  readonly goal?: number | undefined
}

/**
 * Measures all sides once per round, after a round to warm up. Every other round has the reverse order, so that no side
 * always follows the same one.
 */
export async function interleave<const S extends readonly Side[]>(
  sides: S,
  rounds: number,
): Promise<{ [At in keyof S]: Series }> {
  const measured = sides.map(({ name }) => ({ name, values: [] as number[] }))
  for (const side of sides) await side.once()
  for (let round = 0; round < rounds; round += 1) {
    const order = [...sides.entries()]
    for (const [at, side] of round % 2 === 0 ? order : order.toReversed())
      measured[at]?.values.push(await side.once())
  }
  return measured as { [At in keyof S]: Series }
}

/** With linear interpolation; NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}

/** Three significant digits: `12,300`, `0.87`, `41.2`. */
const shown = (value: number): string =>
  value >= 100
    ? Math.round(Number(value.toPrecision(3))).toLocaleString('en-GB')
    : String(Number(value.toPrecision(value >= 1 ? 3 : 2)))

const spread = (values: readonly number[], unit = ''): string =>
  `${`${shown(quantile(values, 0.5))} ${unit}`.trimEnd()} (${shown(quantile(values, 0.25))} to ${shown(quantile(values, 0.75))})`

/** Throws if the two sides were not measured equally often. */
export function rowLine({ what, unit, better, ours, theirs, goal }: MeasuredRow): string {
  if (theirs && theirs.values.length !== ours.values.length)
    throw new Error(`${ours.name} and ${theirs.name} were not measured in the same rounds`)
  const ratios = theirs && ours.values.map((value, round) => value / (theirs.values[round] ?? Number.NaN))
  const figures = [ours, ...(theirs ? [theirs] : [])].map(
    ({ name, values }) => `${name} ${spread(values, unit)}`,
  )
  const parts = [...figures, ...(ratios ? [`ratio ${spread(ratios)}`] : [])]
  if (goal !== undefined) {
    const median = quantile(ratios ?? ours.values, 0.5)
    const isReached = better === 'higher' ? median >= goal : median <= goal
    parts.push(
      `${better === 'higher' ? 'at least' : 'at most'} ${goal}: ${isReached ? 'reached' : 'not reached'}`,
    )
  }
  return `${what}: ${parts.join(', ')}`
}
