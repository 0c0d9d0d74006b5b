/** Streamed turns of 20 tokens, one write each, compared with a bare server that makes the same writes. */
import type { Bare } from '../processes/bare-child.ts'
import { startChild } from '../processes/child.ts'
import { rowOf, type Goal, type BenchRow } from '../figures.ts'
import { startLoader } from '../processes/load.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import type { RunningSimulator } from '../processes/simulator-child.ts'
import { withAutoStop } from '../processes/auto-stop.ts'
import { sampleOf, turnOf } from '../processes/turn.ts'

interface Case {
  id: string
  what: string
  /** Selects the reply rule of the simulator. */
  message: string
  /** Before each token, in milliseconds. */
  gapMs: number
  /** Enough to keep a core busy. */
  connections: number
  goal?: Goal
}

const cases: readonly Case[] = [
  {
    id: 'in-one-go',
    what: '20 tokens streamed in one go',
    message: 'in one go',
    gapMs: 0,
    connections: 10,
  },
  {
    id: 'flushed',
    what: '20 tokens streamed, each flushed',
    message: 'one by one',
    gapMs: 1,
    connections: 200,
    goal: { of: 'ratio', value: 0.8 },
  },
]

function streamsOf(one: Case, { rounds, loadMs }: Effort): Promise<BenchRow> {
  const { id, what, message, gapMs, connections, goal } = one
  return withAutoStop(async (autoStop) => {
    const loader = await autoStop(startLoader())
    const { ready } = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
    const turn = turnOf(ready, message, { stream: true })
    const sample: Bare = { ...(await sampleOf(ready.url, turn)), gapMs }
    const bare = await autoStop(startChild<number>('bench/processes/bare-child.ts', JSON.stringify(sample)))
    const side = (name: string, port: number): BenchSide => ({
      name,
      once: () => loader.rate({ ...turn, port, connections, ms: loadMs }),
    })
    const [ours, theirs] = await interleave(
      [side('simulator', ready.port), side('bare node:http', bare.ready)],
      rounds,
    )
    const question = { unit: 'streams/s', better: 'higher', ...(goal && { goal: goal }) } as const
    return rowOf({ ...question, id: `streams/${id}`, what }, ours, theirs)
  })
}

export async function streams(effort: Effort): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of cases) rows.push(await streamsOf(one, effort))
  return rows
}
