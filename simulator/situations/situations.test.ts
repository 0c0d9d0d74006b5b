import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../simulator.ts'
import { situationNames } from './situations.ts'
import { webhookEvents } from '../../spec/index.ts'
import type { PreparedStep } from '../prepared.ts'

let simulator: Simulator
let receiver: Server
let endpoint: string
const received: (string | string[] | undefined)[] = []
let failures = 0

beforeAll(async () => {
  simulator = await createSimulator()
  receiver = createServer((request, response) => {
    received.push(request.headers['x-service-delivery-id'])
    response.writeHead(received.length <= failures ? 500 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  endpoint = `http://localhost:${typeof address === 'object' ? address?.port : 0}/`
})
afterAll(async () => {
  receiver.close()
  await simulator.close()
})

/** Status and body of the response; null if the connection was closed or the client timed out. */
async function send({ method, path, headers, body, timeoutMs }: PreparedStep) {
  const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)
  try {
    const url = `${simulator.url}${path}`
    const given = headers.map(([name, value]): [string, string] => [name, value])
    const answer = await fetch(url, { method, headers: given, body: body && JSON.stringify(body), signal })
    const text = await answer.text()
    const marked = answer.headers.get('x-service-idempotent-replay')
    return { status: answer.status, text: `${text}\nX-Service-Idempotent-Replay: ${marked}` }
  } catch {
    return { status: null, text: '' }
  }
}

async function meet(steps: readonly PreparedStep[]): Promise<void> {
  expect(steps.length).toBeGreaterThan(1)
  for (const step of steps) {
    const { status, text } = await send(step)
    expect({ does: step.does, status }).toEqual({ does: step.does, status: step.status })
    expect(text).toContain(step.shows)
  }
}

describe('a situation', () => {
  it.each(situationNames)('%s: every step has the expected response', async (name) => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    const { steps } = await tenant.prepareSituation(name, { endpoint })
    await expect(meet(steps)).resolves.toBeUndefined()
    tenant.close()
  })

  it('of webhooks has the same responses after others, and again, beside a webhook for every event', async () => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    const [list] = (await tenant.prepareSituation('webhook-off', { endpoint })).steps
    const body = { name: 'All', endpoint_url: endpoint, events: Object.keys(webhookEvents) }
    const made = await send({ ...(list as PreparedStep), method: 'POST', body })
    expect(made.status).toBe(201)
    for (const name of ['webhook-retry', 'duplicate-delivery', 'endpoint-paused', 'webhook-off'] as const)
      for (let times = 0; times < 2; times++)
        await meet((await tenant.prepareSituation(name, { endpoint })).steps)
    tenant.close()
  })

  it('of deliveries is not as expected where nothing listens', async () => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    for (const name of ['webhook-retry', 'duplicate-delivery', 'endpoint-paused'] as const) {
      const { steps } = await tenant.prepareSituation(name, { endpoint: 'http://localhost:9/' })
      await expect(meet(steps)).rejects.toThrow('delivered')
    }
    tenant.close()
  })

  it.each([
    ['webhook-retry', 3],
    ['duplicate-delivery', 2],
    ['endpoint-paused', 1],
    ['webhook-off', 0],
  ] as const)('%s: the endpoint receives one id %i times', async (name, times) => {
    received.length = 0
    failures = name === 'webhook-retry' ? 2 : 0
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    const { steps } = await tenant.prepareSituation(name, { endpoint })
    for (const step of steps) await send(step)
    await tenant.clock.advance(1)
    expect(received).toHaveLength(times)
    expect(new Set(received).size).toBe(Math.min(times, 1))
    tenant.close()
  })

  it('that is unknown or refused by the tenant is an error with a reason', async () => {
    const tenant = simulator.createTenant()
    const unknown = 'nothing' as 'approval'
    await expect(tenant.prepareSituation(unknown)).rejects.toThrow(
      'unknown situation "nothing"; known are tool-and-gate',
    )
    tenant.setCredits('main', 0)
    await expect(tenant.prepareSituation('expired-button')).rejects.toThrow(
      /cannot be prepared: .+ returned 402/,
    )
    tenant.close()
  })
})
