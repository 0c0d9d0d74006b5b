/** Signed deliveries of the simulator, compared with plain POSTs of the same bytes, 50 at a time. */
import { Agent } from 'undici'
import { createSimulator, type Tenant } from '../../simulator/index.ts'
import { createInbox } from '../../suites/inbound/server.ts'
import { realClock } from '../../suites/wire/clock.ts'
import type { Header } from '../../suites/wire/exchange.ts'
import { startChild } from '../processes/child.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import { withAutoStop } from '../processes/auto-stop.ts'
import { createWebhook } from '../processes/webhooks.ts'

const deliveries = 3_000
/** Also the number of webhooks, because deliveries to one webhook are sequential. */
const atATime = 50

interface Sample {
  headers: readonly Header[]
  body: Uint8Array
}

/** A delivery of the simulator as a receiver gets it. */
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

const perSecond = (began: number): number => (1_000 * deliveries) / (performance.now() - began)

const accessTo = ({ url, agents, sessions }: Tenant) => ({ url, agent: agents.plain, session: sessions.main })

function ours(tenant: Tenant): BenchSide {
  return {
    name: 'simulator',
    async once() {
      const { outbox } = tenant.state
      const before = outbox.counts
      const goal = before.delivered + deliveries
      const began = performance.now()
      for (let event = 0; event < deliveries / atATime; event += 1) tenant.emit('leads.submit')
      while (outbox.counts.delivered < goal) {
        if (outbox.counts.failed > before.failed)
          throw new Error('a delivery failed, so the figures would be meaningless')
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return perSecond(began)
    },
  }
}

function theirs(origin: string, { headers, body }: Sample): BenchSide {
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
      return perSecond(began)
    },
  }
}

export function signedDeliveries({ rounds }: Effort): Promise<readonly BenchRow[]> {
  return withAutoStop(async (autoStop) => {
    const receiver = await autoStop(startChild<number>('bench/processes/receiver-child.ts'))
    const simulator = await createSimulator({})
    await autoStop(Promise.resolve({ stop: () => simulator.close() }))
    const { tenant } = simulator
    const sample = await sampleOf(tenant)
    const endpoint = `http://localhost:${receiver.ready}/`
    for (let made = 0; made < atATime; made += 1) await createWebhook(accessTo(tenant), endpoint)
    const plain = theirs(`http://127.0.0.1:${receiver.ready}`, sample)
    const [signed, unsigned] = await interleave([ours(tenant), plain], rounds)
    const question = {
      id: 'signedDeliveries/undici',
      what: `signed deliveries, ${atATime} at a time`,
      unit: 'deliveries/s',
      better: 'higher',
    } as const
    return [rowOf(question, signed, unsigned)]
  })
}
