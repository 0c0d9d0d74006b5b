/** Keys that are remembered: what one takes, whether many take more than some, and whether a million slow turns down. */
import { startChild } from './child.ts'
import { rowOf, type Row, type Series } from './figures.ts'
import type { Point } from './keys-child.ts'
import type { Effort } from './measure.ts'

/** Points of the course; a quarter of them is its beginning, and a quarter its end. */
const points = 20
const quarter = points / 4

async function courseOf(keys: number): Promise<readonly Point[]> {
  const child = await startChild<readonly Point[]>('bench/keys-child.ts', String(keys), String(points))
  await child.stop()
  return child.ready
}

const seriesOf = (name: string, course: readonly Point[], pick: (point: Point) => number): Series => ({
  name,
  values: course.map(pick),
})

const megabytes = ({ heap }: Point): number => heap / 1e6
const rate = (point: Point): number => point.rate

export async function keys({ quick }: Effort): Promise<readonly Row[]> {
  const total = quick ? 100_000 : 1_000_000
  const [start, ...course] = await courseOf(total)
  const [first] = course
  if (!start || !first) throw new Error('the course of keys has no points')
  const [beginning, middle, end] = [
    course.slice(0, quarter),
    course.slice(points / 2 - quarter, points / 2),
    course.slice(-quarter),
  ]
  const all = `${new Intl.NumberFormat('en-GB').format(total)} keys`
  const each = rowOf(
    { id: 'keys/each', what: 'a remembered key and its conversation', unit: 'bytes', better: 'lower' },
    seriesOf('simulator', [first], ({ heap, keys }) => (heap - start.heap) / keys),
  )
  // So few have not come to their limit yet.
  if (quick) return [each]
  return [
    each,
    rowOf(
      {
        id: 'keys/flat',
        what: `memory over ${all}`,
        unit: 'MB',
        better: 'lower',
        reach: { of: 'ratio', value: 1.1 },
      },
      seriesOf('the last quarter', end, megabytes),
      seriesOf('the second quarter', middle, megabytes),
    ),
    rowOf(
      {
        id: 'keys/usable',
        what: `turns over ${all}, by processor time`,
        unit: 'turns/s',
        better: 'higher',
        reach: { of: 'ratio', value: 0.8 },
      },
      seriesOf('the last quarter', end, rate),
      seriesOf('the first quarter', beginning, rate),
    ),
  ]
}
