/** Chat turns while 10,000 deliveries wait for dead endpoints, beside turns alone; also where every turn adds another. */
import { request } from 'undici'
import { startChild } from './child.ts'
import { rowOf, type Row } from './figures.ts'
import { startLoader } from './load.ts'
import { inTurn, type Effort, type Side } from './measure.ts'
import { freePort } from './server-process.ts'
import type { Running } from './simulator-child.ts'
import { stopping } from './stopping.ts'
import { turnOf } from './turn.ts'
import { createWebhook } from './webhooks.ts'

const connections = 10
const queued = 10_000

async function emit({ control }: Running): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(`${control}/events`, {
    method: 'POST',
    headers,
    body: '{"event":"leads.submit"}',
  })
  await answer.body.dump()
  if (answer.statusCode !== 201) throw new Error(`an event was answered ${answer.statusCode}`)
}

interface Dead {
  readonly endpoints: readonly string[]
  /** That their webhooks have selected. */
  readonly events: readonly string[]
}

/** Where nobody listens, and where somebody never answers. */
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
 * Queues anew for each round, and takes the webhooks away after it: what is left of their queues goes with them. As many
 * events happen where nobody is told of them.
 */
function sideOf(name: string, rate: Rate, running: Running, endpoints: Dead['endpoints'], dead: Dead): Side {
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

function turnsBeside({ id, what, dead }: Case, { rounds, loadMs }: Effort): Promise<Row> {
  return stopping(async (keep) => {
    const loader = await keep(startLoader())
    const hanging = await keep(startChild<number>('bench/receiver-child.ts', 'hang'))
    const { ready } = await keep(startChild<Running>('bench/simulator-child.ts'))
    const load = { ...turnOf(ready, 'hello'), port: ready.port, connections, ms: loadMs }
    const rate: Rate = () => loader.rate(load)
    const all = dead({ closed: await freePort(), hanging: hanging.ready })
    const [loaded, alone] = await inTurn(
      [sideOf('with them', rate, ready, all.endpoints, all), sideOf('without', rate, ready, [], all)],
      Math.min(rounds, 5),
    )
    const question = {
      id: `deadEndpoints/${id}`,
      what,
      unit: 'turns/s',
      better: 'higher',
      reach: { of: 'ratio', value: 0.9 },
    } as const
    return rowOf(question, loaded, alone)
  })
}

export async function deadEndpoints(effort: Effort): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const one of effort.quick ? cases.slice(0, 1) : cases) rows.push(await turnsBeside(one, effort))
  return rows
}
