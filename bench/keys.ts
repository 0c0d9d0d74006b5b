/** Keys that are remembered: what one takes, whether many take more than some, and whether a million slow turns down. */
import { startChild } from './child.ts'
import { rowOf, type Row, type Series } from './figures.ts'
import type { Point } from './keys-child.ts'
import type { Effort } from './measure.ts'

const points = 10

async function courseOf(keys: number): Promise<readonly Point[]> {
  const child = await startChild<readonly Point[]>('keys-child.ts', String(keys), String(points))
  await child.stop()
  return child.ready
}

const only = (name: string, value: number): Series => ({ name, values: [value] })

const words = new Intl.NumberFormat('en-GB')

export async function keys({ quick }: Effort): Promise<readonly Row[]> {
  const total = quick ? 100_000 : 1_000_000
  const course = await courseOf(total)
  const [start, first, last] = [course[0], course[1], course.at(-1)]
  const half = course[points / 2]
  if (!start || !first || !half || !last) throw new Error('the course of keys has no points')
  const megabytes = ({ heap }: Point): number => heap / 1e6
  const all = words.format(total)
  return [
    rowOf(
      {
        id: 'keys/each',
        what: 'a remembered key and its conversation',
        unit: 'bytes',
        better: 'lower',
      },
      only('simulator', (first.heap - start.heap) / first.keys),
    ),
    rowOf(
      {
        id: 'keys/flat',
        what: `memory after ${all} keys`,
        unit: 'MB',
        better: 'lower',
        reach: { of: 'ratio', value: 1.1 },
      },
      only(`after ${all}`, megabytes(last)),
      only(`after ${words.format(half.keys)}`, megabytes(half)),
    ),
    rowOf(
      {
        id: 'keys/usable',
        what: `turns without a socket, ${all} keys`,
        unit: 'turns/s',
        better: 'higher',
        reach: { of: 'ratio', value: 0.8 },
      },
      only('the last tenth', last.rate),
      only('the first tenth', first.rate),
    ),
  ]
}
