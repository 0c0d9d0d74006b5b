/** Chat turns while 10,000 deliveries wait for dead endpoints, compared with turns alone. */
import { request } from 'undici'
import { startChild } from '../processes/child.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import { startLoader } from '../processes/load.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { freePort } from '../processes/server-process.ts'
import type { RunningSimulator } from '../processes/simulator-child.ts'
import { withAutoStop } from '../processes/auto-stop.ts'
import { turnOf } from '../processes/turn.ts'
import { createWebhook } from '../processes/webhooks.ts'

const connections = 10
const queued = 10_000

async function emit({ control }: RunningSimulator): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(`${control}/events`, {
    method: 'POST',
    headers,
    body: '{"event":"leads.submit"}',
  })
  await answer.body.dump()
  if (answer.statusCode !== 201) throw new Error(`could not emit an event: status ${answer.statusCode}`)
}

interface Dead {
  readonly endpoints: readonly string[]
  /** The events that their webhooks select. */
  readonly events: readonly string[]
}

/** A port without a listener and one that never responds. */
interface Ports {
  closed: number
  hanging: number
}

interface Case {
  id: string
  what: string
  dead: (ports: Ports) => Dead
}

const five = [0, 1, 2, 3, 4]

const cases: readonly Case[] = [
  {
    id: 'ten',
    what: 'turns beside 10,000 dead deliveries',
    dead: ({ closed, hanging }) => ({
      endpoints: [closed, hanging].flatMap((port) => five.map((at) => `http://localhost:${port}/${at}`)),
      events: ['leads.submit'],
    }),
  },
  {
    id: 'every-turn',
    what: 'turns that each add a dead delivery',
    dead: ({ hanging }) => ({
      endpoints: [`http://localhost:${hanging}/`],
      events: ['leads.submit', 'message.sent'],
    }),
  },
]

type Rate = () => Promise<number>

/**
 * Creates webhooks and fills their queues before each round, and deletes them with their queues after it. The other
 * side emits as many events without webhooks.
 */
function sideOf(
  name: string,
  rate: Rate,
  running: RunningSimulator,
  endpoints: Dead['endpoints'],
  dead: Dead,
): BenchSide {
  return {
    name,
    async once() {
      const made = await Promise.all(
        endpoints.map((endpoint) => createWebhook(running, endpoint, dead.events)),
      )
      for (let event = 0; event < queued / dead.endpoints.length; event += 1) await emit(running)
      const turns = await rate()
      for (const { remove } of made) await remove()
      return turns
    },
  }
}

function turnsBeside({ id, what, dead }: Case, { rounds, loadMs }: Effort): Promise<BenchRow> {
  return withAutoStop(async (autoStop) => {
    const loader = await autoStop(startLoader())
    const hanging = await autoStop(startChild<number>('bench/processes/receiver-child.ts', 'hang'))
    const { ready } = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
    const load = { ...turnOf(ready, 'hello'), port: ready.port, connections, ms: loadMs }
    const rate: Rate = () => loader.rate(load)
    const all = dead({ closed: await freePort(), hanging: hanging.ready })
    const [loaded, alone] = await interleave(
      [sideOf('with them', rate, ready, all.endpoints, all), sideOf('without', rate, ready, [], all)],
      Math.min(rounds, 5),
    )
    const question = {
      id: `deadEndpoints/${id}`,
      what,
      unit: 'turns/s',
      better: 'higher',
    } as const
    return rowOf(question, loaded, alone)
  })
}

export async function deadEndpoints(effort: Effort): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of effort.quick ? cases.slice(0, 1) : cases) rows.push(await turnsBeside(one, effort))
  return rows
}
