/** Stateful JSON turns: the simulator, a bare server that answers the same bytes, and what others would use instead. */
import { startChild } from './child.ts'
import { idOf, rowOf, type Reach, type Row } from './figures.ts'
import { startLoader } from './load.ts'
import { inTurn, type Effort, type Side } from './measure.ts'
import { peers, startPeer } from './peers.ts'
import type { Running } from './simulator-child.ts'
import { stopping } from './stopping.ts'
import { sampleOf, turnOf } from './turn.ts'

const connections = 10

const toReach: Readonly<Record<string, Reach>> = {
  'bare node:http': { of: 'ratio', value: 0.65 },
  'prism mock': { of: 'ratio', value: 7 },
}

export function turns({ rounds, loadMs }: Effort): Promise<readonly Row[]> {
  return stopping(async (keep) => {
    const loader = await keep(startLoader())
    const simulator = await keep(startChild<Running>('bench/simulator-child.ts'))
    const turn = turnOf(simulator.ready, 'Where is my order?')
    const sample = await sampleOf(simulator.ready.url, turn)
    const bare = await keep(startChild<number>('bench/bare-child.ts', JSON.stringify(sample)))
    const side = (name: string, port: number): Side => ({
      name,
      once: () => loader.rate({ ...turn, port, connections, ms: loadMs }),
    })
    const others = [side('bare node:http', bare.ready)]
    for (const peer of await peers()) others.push(side(peer.name, (await keep(startPeer(peer))).port))

    const [ours, ...theirs] = await inTurn([side('simulator', simulator.ready.port), ...others], rounds)
    return theirs.map((their) => {
      const reach = toReach[their.name]
      return rowOf(
        {
          id: idOf('turns', their.name),
          what: `JSON turns, ${connections} connections`,
          unit: 'turns/s',
          better: 'higher',
          ...(reach && { reach }),
        },
        ours,
        their,
      )
    })
  })
}
