/** Stateful JSON turns of the simulator, compared with a bare server that sends the same bytes and with the peers. */
import { startChild } from '../processes/child.ts'
import { rowId, rowOf, type Goal, type BenchRow } from '../figures.ts'
import { startLoader } from '../processes/load.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { peers, startPeer } from '../processes/peers.ts'
import type { RunningSimulator } from '../processes/simulator-child.ts'
import { withAutoStop } from '../processes/auto-stop.ts'
import { sampleOf, turnOf } from '../processes/turn.ts'

const connections = 10

const goals: Readonly<Record<string, Goal>> = {
  'bare node:http': { of: 'ratio', value: 0.65 },
  'prism mock': { of: 'ratio', value: 7 },
}

export function turns({ rounds, loadMs }: Effort): Promise<readonly BenchRow[]> {
  return withAutoStop(async (autoStop) => {
    const loader = await autoStop(startLoader())
    const simulator = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
    const turn = turnOf(simulator.ready, 'Where is my order?')
    const sample = await sampleOf(simulator.ready.url, turn)
    const bare = await autoStop(startChild<number>('bench/processes/bare-child.ts', JSON.stringify(sample)))
    const side = (name: string, port: number): BenchSide => ({
      name,
      once: () => loader.rate({ ...turn, port, connections, ms: loadMs }),
    })
    const others = [side('bare node:http', bare.ready)]
    for (const peer of await peers()) others.push(side(peer.name, (await autoStop(startPeer(peer))).port))

    const [ours, ...theirs] = await interleave([side('simulator', simulator.ready.port), ...others], rounds)
    return theirs.map((their) => {
      const goal = goals[their.name]
      return rowOf(
        {
          id: rowId('turns', their.name),
          what: `JSON turns, ${connections} connections`,
          unit: 'turns/s',
          better: 'higher',
          ...(goal && { goal: goal }),
        },
        ours,
        their,
      )
    })
  })
}
