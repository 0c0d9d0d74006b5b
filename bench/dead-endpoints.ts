/** Chat turns while 10,000 deliveries wait for dead endpoints, beside turns alone; also where every turn adds another. */
import { Agent, request } from 'undici'
import { startChild } from './child.ts'
import { compare, type Comparison, type Side } from './measure.ts'
import { freePort } from './server-process.ts'
import type { Running } from './simulator-child.ts'
import { createWebhook } from './webhooks.ts'

const turns = 3_000
const connections = 10
const queued = 10_000

let keys = 0

/** Gives what so many turns took, in milliseconds. */
async function turnsTook(agent: Agent, { url, key, agent: chat }: Running): Promise<number> {
  let left = turns
  const began = performance.now()
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await agent.request({
        origin: url,
        path: `/api/v1/chat/${chat}`,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'hello', idempotency_key: `bench-${(keys += 1)}` }),
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`a turn was answered ${answer.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return performance.now() - began
}

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

/** Queues anew for each round, and takes the webhooks away after it: what is left of their queues goes with them. */
function beside(agent: Agent, running: Running, { endpoints, events }: Dead): Side {
  return {
    name: 'with them',
    async once() {
      const made = await Promise.all(endpoints.map((endpoint) => createWebhook(running, endpoint, events)))
      for (let event = 0; event < queued / endpoints.length; event += 1) await emit(running)
      const took = await turnsTook(agent, running)
      for (const { remove } of made) await remove()
      return took
    },
  }
}

/** `ports`: one where nobody listens, and one that never answers. */
async function turnsBeside(
  what: string,
  deadOf: (ports: { closed: number; hanging: number }) => Dead,
  rounds: number,
): Promise<Comparison> {
  const hanging = await startChild<number>(new URL('./receiver-child.ts', import.meta.url), 'hang')
  const simulator = await startChild<Running>(new URL('./simulator-child.ts', import.meta.url))
  const agent = new Agent({ connections, pipelining: 1, allowH2: false })
  const dead = deadOf({ closed: await freePort(), hanging: hanging.ready })
  try {
    const alone: Side = { name: 'without', once: () => turnsTook(agent, simulator.ready) }
    const loaded = beside(agent, simulator.ready, dead)
    return await compare(`3,000 turns beside 10,000 deliveries to ${what}`, loaded, alone, rounds)
  } finally {
    await agent.destroy()
    await simulator.stop()
    await hanging.stop()
  }
}

/** To reach: a ratio of at most 1 / 0.9. */
export function deadEndpoints(rounds: number): Promise<Comparison> {
  const five = [0, 1, 2, 3, 4]
  return turnsBeside(
    'ten dead endpoints',
    ({ closed, hanging }) => ({
      endpoints: [closed, hanging].flatMap((port) => five.map((at) => `http://localhost:${port}/${at}`)),
      events: ['leads.submit'],
    }),
    rounds,
  )
}

/** To reach: a ratio of at most 1 / 0.9. */
export function deadListener(rounds: number): Promise<Comparison> {
  return turnsBeside(
    'a dead endpoint that every turn adds one to',
    ({ hanging }) => ({
      endpoints: [`http://localhost:${hanging}/`],
      events: ['leads.submit', 'message.sent'],
    }),
    rounds,
  )
}
