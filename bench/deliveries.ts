/** Signed deliveries of the simulator beside plain posts of the same bytes, 50 at a time on both sides. */
import { Agent } from 'undici'
import { createSimulator, type Tenant } from '../simulator/index.ts'
import { createInbox } from '../suites/inbound/server.ts'
import { realClock } from '../suites/wire/clock.ts'
import type { Header } from '../suites/wire/exchange.ts'
import { startChild } from './child.ts'
import { compare, type Comparison, type Side } from './measure.ts'
import { createWebhook } from './webhooks.ts'

const deliveries = 3_000
/** As many webhooks: to one of them deliveries go one after the other. */
const atATime = 50

interface Sample {
  headers: readonly Header[]
  body: Uint8Array
}

/** What the simulator posts, as it comes to a receiver. */
async function sampleOf(tenant: Tenant): Promise<Sample> {
  const inbox = await createInbox({ clock: realClock() })
  const place = inbox.open('/')
  const { remove } = await createWebhook(accessTo(tenant), `http://localhost:${inbox.port}/`)
  tenant.emit('leads.submit')
  await place.arrived(1)
  await remove()
  await inbox.close()
  const { headers = [], body = new Uint8Array() } = place.arrivals[0] ?? {}
  return { headers: headers.filter(([name]) => !/^(host|connection|content-length)$/i.test(name)), body }
}

const accessTo = ({ url, agents, sessions }: Tenant) => ({ url, agent: agents.plain, session: sessions.main })

function ours(tenant: Tenant): Side {
  return {
    name: 'simulator',
    async once() {
      const { outbox } = tenant.world
      const before = outbox.counts
      const goal = before.delivered + deliveries
      const began = performance.now()
      for (let event = 0; event < deliveries / atATime; event += 1) tenant.emit('leads.submit')
      while (outbox.counts.delivered < goal) {
        if (outbox.counts.failed > before.failed)
          throw new Error('a delivery failed; the figures would mean nothing')
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return performance.now() - began
    },
  }
}

function theirs(origin: string, { headers, body }: Sample): Side {
  const agent = new Agent({ connections: atATime, pipelining: 1, allowH2: false })
  const flat = headers.flat()
  return {
    name: 'undici request',
    async once() {
      let left = deliveries
      const began = performance.now()
      const lane = async (): Promise<void> => {
        while (left-- > 0) {
          const answer = await agent.request({ origin, path: '/', method: 'POST', headers: flat, body })
          await answer.body.dump()
        }
      }
      await Promise.all(Array.from({ length: atATime }, lane))
      return performance.now() - began
    },
  }
}

/** To reach: a ratio of at most 1 / 0.6. */
export async function signedDeliveries(rounds: number): Promise<Comparison> {
  const receiver = await startChild<number>(new URL('./receiver-child.ts', import.meta.url))
  const simulator = await createSimulator({})
  const { tenant } = simulator
  try {
    const sample = await sampleOf(tenant)
    const endpoint = `http://localhost:${receiver.ready}/`
    for (let made = 0; made < atATime; made += 1) await createWebhook(accessTo(tenant), endpoint)
    const plain = theirs(`http://127.0.0.1:${receiver.ready}`, sample)
    return await compare('3,000 signed deliveries, 50 at a time', ours(tenant), plain, rounds)
  } finally {
    await simulator.close()
    await receiver.stop()
  }
}
