/** Streamed turns of 20 tokens, one write each, compared with a bare server that makes the same writes, and with peers. */
import type { Bare } from '../processes/bare-child.ts'
import { startChild } from '../processes/child.ts'
import { rowId, rowOf, type BenchRow } from '../figures.ts'
import { startLoader } from '../processes/load.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { peers, startPeer } from '../processes/peers.ts'
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
  },
]

function streamsOf(one: Case, effort: Effort): Promise<readonly BenchRow[]> {
  const { id, what, message, gapMs, connections } = one
  return withAutoStop(async (autoStop) => {
    const loader = await autoStop(startLoader())
    const { ready } = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
    const turn = turnOf(ready, message, { stream: true })
    const sample: Bare = { ...(await sampleOf(ready.url, turn)), gapMs }
    const bare = await autoStop(startChild<number>('bench/processes/bare-child.ts', JSON.stringify(sample)))
    const side = (name: string, port: number, sent = turn): BenchSide => ({
      name,
      once: () => loader.rate({ ...sent, port, connections, ms: effort.loadMs }),
    })
    const others: BenchSide[] = []
    // Those that mock our document do not stream.
    for (const peer of await peers(effort)) {
      if (!peer.turn) continue
      const { port } = await autoStop(startPeer(peer))
      others.push(side(peer.name, port, peer.turn(message, { stream: true })))
    }
    const [ours, theirs, ...more] = await interleave(
      [side('simulator', ready.port), side('bare node:http', bare.ready), ...others],
      effort.rounds,
    )
    const question = { what, unit: 'streams/s', better: 'higher' } as const
    return [
      rowOf({ ...question, id: `streams/${id}` }, ours, theirs),
      ...more.map((peer) => rowOf({ ...question, id: rowId('streams', `${id}-${peer.name}`) }, ours, peer)),
    ]
  })
}

export async function streams(effort: Effort): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of cases) rows.push(...(await streamsOf(one, effort)))
  return rows
}
