import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gapIds, gaps } from '../../spec/index.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import { situationNames } from './situations.ts'
import type { PreparedStep } from './prepared.ts'

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

describe('a situation', () => {
  it.each(situationNames)('%s: every step has the expected response', async (name) => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    const { steps } = await tenant.prepareSituation(name, { endpoint })
    expect(steps.length).toBeGreaterThan(1)
    for (const step of steps) {
      const { status, text } = await send(step)
      expect({ does: step.does, status }).toEqual({ does: step.does, status: step.status })
      expect(text).toContain(step.shows)
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

  it('is the same for the same seed, and writes no journal entry', async () => {
    const prepared = []
    for (const name of situationNames) {
      const tenant = simulator.createTenant({ seed: 'alike', clock: { mode: 'frozen' } })
      const first = await tenant.prepareSituation(name)
      expect(tenant.journal.entries()).toEqual([])
      tenant.close()
      const again = simulator.createTenant({ seed: 'alike', clock: { mode: 'frozen' } })
      prepared.push([first, await again.prepareSituation(name)])
      again.close()
    }
    for (const [first, second] of prepared) expect(second).toEqual(first)
  })

  it('can be prepared under every interpretation that allows deliveries to this machine', async () => {
    const refused: string[] = []
    for (const gap of gapIds)
      for (const interpretation of Object.keys(gaps[gap].interpretations)) {
        const interpretations: Partial<Record<string, string>> = { [gap]: interpretation }
        const tenant = simulator.createTenant({ interpretations, clock: { mode: 'frozen' } })
        for (const name of situationNames)
          await tenant
            .prepareSituation(name)
            .catch(() => refused.push(`${name} under ${gap}=${interpretation}`))
        tenant.close()
      }
    const webhooks = ['webhook-retry', 'duplicate-delivery', 'endpoint-paused', 'webhook-off']
    expect(refused.sort()).toEqual(
      [
        ...webhooks.map((name) => `${name} under GAP-DEVELOPMENT=never`),
        'document-upload under GAP-DOCUMENT-APPROVAL=none',
      ].sort(),
    )
  })

  it('can be prepared twice in one tenant', async () => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    await tenant.prepareSituation('expired-button')
    const { steps } = await tenant.prepareSituation('expired-button')
    for (const step of steps) expect((await send(step)).status).toBe(step.status)
    tenant.close()
  })

  it('that is unknown or refused by the tenant is an error with a reason', async () => {
    const tenant = simulator.createTenant()
    const unknown = 'nothing' as 'approval'
    await expect(tenant.prepareSituation(unknown)).rejects.toThrow(
      'unknown situation "nothing"; known: tool-and-gate',
    )
    tenant.setCredits('main', 0)
    await expect(tenant.prepareSituation('expired-button')).rejects.toThrow(
      /cannot be prepared: .+ returned 402/,
    )
    tenant.close()
  })
})
