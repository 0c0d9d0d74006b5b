/** Services for tests that are no sockets: a client is handed what it calls, and everything it did is seen. */
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { ClientService, StartService } from './task.ts'

export interface FakeServices {
  open: StartService
  /** What a client does at a base address: a request that is answered. */
  send(baseUrl: string, message?: string): void
  /** Seeds of the services that were opened, and how many are open now. */
  seeds: string[]
  opened(): number
}

export function fakeServices(prepared: ClientService['prepared'] = {}): FakeServices {
  const seen = new Map<string, Exchange[]>()
  const seeds: string[] = []
  let open = 0
  return {
    seeds,
    opened: () => open,
    send(baseUrl, message = 'hello') {
      const exchange = jsonAnswer(reply, { request: { message } })
      seen.get(baseUrl)?.push({ ...exchange, inbound: { place: 'double', targetAt: 0 } })
    },
    open(_, seed) {
      const baseUrl = `http://service-${seeds.push(seed)}.invalid`
      const own: Exchange[] = []
      seen.set(baseUrl, own)
      open++
      return Promise.resolve({
        baseUrl,
        apiKey: `sk-${seed}`,
        agent: 'agent_1',
        prepared,
        seen: ({ scenario, name, firstId }) =>
          own.map((exchange, at) => ({ ...exchange, scenario, name, id: firstId + at })),
        isMet: () => false,
        nextRequest: () => Promise.resolve(),
        close() {
          open--
          return Promise.resolve()
        },
      })
    },
  }
}
