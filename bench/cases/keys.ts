/** Remembered keys: memory of one, memory growth over many, and speed of turns with a million of them. */
import { startChild } from '../processes/child.ts'
import { rowOf, type BenchRow, type Series } from '../figures.ts'
import type { KeysSample } from '../processes/keys-child.ts'
import type { Effort } from '../measure.ts'

/** The first and the last quarter are compared. */
const points = 20
const quarter = points / 4

async function samplesOf(keys: number): Promise<readonly KeysSample[]> {
  const child = await startChild<readonly KeysSample[]>(
    'bench/processes/keys-child.ts',
    String(keys),
    String(points),
  )
  await child.stop()
  return child.ready
}

const seriesOf = (
  name: string,
  samples: readonly KeysSample[],
  pick: (point: KeysSample) => number,
): Series => ({
  name,
  values: samples.map(pick),
})

const megabytes = ({ heap }: KeysSample): number => heap / 1e6
const rate = (point: KeysSample): number => point.rate

export async function keys({ quick }: Effort): Promise<readonly BenchRow[]> {
  const total = quick ? 100_000 : 1_000_000
  const [start, ...samples] = await samplesOf(total)
  const [first] = samples
  if (!start || !first) throw new Error('keys-child sent no samples')
  const [beginning, middle, end] = [
    samples.slice(0, quarter),
    samples.slice(points / 2 - quarter, points / 2),
    samples.slice(-quarter),
  ]
  const all = `${new Intl.NumberFormat('en-GB').format(total)} keys`
  const each = rowOf(
    { id: 'keys/each', what: 'a remembered key and its conversation', unit: 'bytes', better: 'lower' },
    seriesOf('simulator', [first], ({ heap, keys }) => (heap - start.heap) / keys),
  )
  // Too few keys to reach the limit.
  if (quick) return [each]
  return [
    each,
    rowOf(
      {
        id: 'keys/flat',
        what: `memory over ${all}`,
        unit: 'MB',
        better: 'lower',
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
      },
      seriesOf('the last quarter', end, rate),
      seriesOf('the first quarter', beginning, rate),
    ),
  ]
}
