/** Stateful JSON turns of the simulator, compared with a bare server that sends the same bytes and with the peers. */
import { startChild } from '../processes/child.ts'
import { rowId, rowOf, type BenchRow } from '../figures.ts'
import { startLoader } from '../processes/load.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { peers, startPeer } from '../processes/peers.ts'
import type { RunningSimulator } from '../processes/simulator-child.ts'
import { withAutoStop } from '../processes/auto-stop.ts'
import { sampleOf, turnOf } from '../processes/turn.ts'

const connections = 10

export function turns(effort: Effort): Promise<readonly BenchRow[]> {
  return withAutoStop(async (autoStop) => {
    const loader = await autoStop(startLoader())
    const simulator = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
    const message = 'Where is my order?'
    const turn = turnOf(simulator.ready, message)
    const sample = await sampleOf(simulator.ready.url, turn)
    const bare = await autoStop(startChild<number>('bench/processes/bare-child.ts', JSON.stringify(sample)))
    const side = (name: string, port: number, sent = turn): BenchSide => ({
      name,
      once: () => loader.rate({ ...sent, port, connections, ms: effort.loadMs }),
    })
    const others = [side('bare node:http', bare.ready)]
    for (const peer of await peers(effort)) {
      const { port } = await autoStop(startPeer(peer))
      others.push(side(peer.name, port, peer.turn?.(message)))
    }

    const [ours, ...theirs] = await interleave(
      [side('simulator', simulator.ready.port), ...others],
      effort.rounds,
    )
    return theirs.map((their) =>
      rowOf(
        {
          id: rowId('turns', their.name),
          what: `JSON turns, ${connections} connections`,
          unit: 'turns/s',
          better: 'higher',
        },
        ours,
        their,
      ),
    )
  })
}
