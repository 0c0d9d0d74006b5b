/** Paired measurements: all sides in alternation in one run, so that noise affects all of them. */
import type { Series } from './figures.ts'

export interface BenchSide {
  name: string
  /** Measures once; returns a figure in the unit of the row. */
  once(): Promise<number>
}

/** How thorough a measurement is. */
export interface Effort {
  /** Measured rounds, after one to warm up. */
  rounds: number
  /** How long load lasts, in milliseconds. */
  loadMs: number
  /** Skip or reduce what takes long. */
  quick: boolean
  /** Whether peers that are no dependency of ours are installed. */
  installs: boolean
}

/** Reverses the order in every other round, so that no side always follows the same one. */
export async function interleave<const S extends readonly BenchSide[]>(
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
