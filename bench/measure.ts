/** Paired measurements: all sides in turn in one run, so that a noisy machine is noisy for each of them. */
import type { Series } from './figures.ts'

export interface Side {
  name: string
  /** Does the work once; returns its figure, in the unit of the row. */
  once(): Promise<number>
}

/** How much work a bench may put into its answer. */
export interface Effort {
  /** How often each side is measured, after one round that warms up. */
  rounds: number
  /** How long load lasts, in milliseconds. */
  loadMs: number
  /** A look rather than a measurement: what takes long is left out or made smaller. */
  quick: boolean
}

/** Every other round goes the other way round, so that none of them always has the same before it. */
export async function inTurn<const S extends readonly Side[]>(
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

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
