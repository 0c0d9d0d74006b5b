/** Streamed turns of 20 tokens, each a write of its own, beside a bare server that makes the same writes. */
import type { Bare } from './bare-child.ts'
import { startChild } from './child.ts'
import { rowOf, type Reach, type Row } from './figures.ts'
import { startLoader } from './load.ts'
import { inTurn, type Effort, type Side } from './measure.ts'
import type { Running } from './simulator-child.ts'
import { stopping } from './stopping.ts'
import { sampleOf, turnOf } from './turn.ts'

interface Case {
  id: string
  what: string
  /** Which makes the simulator write that way. */
  message: string
  /** Before each token, in milliseconds. */
  gapMs: number
  /** Enough to keep a core busy. */
  connections: number
  reach?: Reach
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
    reach: { of: 'ratio', value: 0.8 },
  },
]

function streamsOf(one: Case, { rounds, loadMs }: Effort): Promise<Row> {
  const { id, what, message, gapMs, connections, reach } = one
  return stopping(async (keep) => {
    const loader = await keep(startLoader())
    const { ready } = await keep(startChild<Running>('bench/simulator-child.ts'))
    const turn = turnOf(ready, message, { stream: true })
    const sample: Bare = { ...(await sampleOf(ready.url, turn)), gapMs }
    const bare = await keep(startChild<number>('bench/bare-child.ts', JSON.stringify(sample)))
    const side = (name: string, port: number): Side => ({
      name,
      once: () => loader.rate({ ...turn, port, connections, ms: loadMs }),
    })
    const [ours, theirs] = await inTurn(
      [side('simulator', ready.port), side('bare node:http', bare.ready)],
      rounds,
    )
    const question = { unit: 'streams/s', better: 'higher', ...(reach && { reach }) } as const
    return rowOf({ ...question, id: `streams/${id}`, what }, ours, theirs)
  })
}

export async function streams(effort: Effort): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const one of cases) rows.push(await streamsOf(one, effort))
  return rows
}
