import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gapIds, gaps } from '../../spec/index.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import { scenarioNames } from './arrange.ts'
import type { Step } from './cast.ts'

let simulator: Simulator
let receiver: Server
let endpoint: string
const came: (string | string[] | undefined)[] = []

beforeAll(async () => {
  simulator = await createSimulator()
  receiver = createServer((request, response) => {
    came.push(request.headers['x-service-delivery-id'])
    response.writeHead(came.length < 3 ? 500 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  endpoint = `http://localhost:${typeof address === 'object' ? address?.port : 0}/`
})
afterAll(async () => {
  receiver.close()
  await simulator.close()
})

/** Status, headers and body of the answer; null where the connection dropped or the client gave up. */
async function sent({ method, path, headers, body, patienceMs }: Step) {
  const signal = patienceMs === undefined ? null : AbortSignal.timeout(patienceMs)
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

describe('a scenario by name', () => {
  it.each(scenarioNames)('%s: every step is answered as it says', async (name) => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    const { steps } = await tenant.arrange(name, { endpoint })
    expect(steps.length).toBeGreaterThan(1)
    for (const step of steps) {
      const { status, text } = await sent(step)
      expect({ does: step.does, status }).toEqual({ does: step.does, status: step.status })
      expect(text).toContain(step.shows)
    }
    tenant.close()
  })

  it('webhook-retry: the endpoint saw one delivery three times', () => {
    expect(came).toHaveLength(3)
    expect(new Set(came).size).toBe(1)
  })

  it('is the same for the same seed, and leaves no entry in the journal', async () => {
    const arranged = []
    for (const name of scenarioNames) {
      const tenant = simulator.createTenant({ seed: 'alike', clock: { mode: 'frozen' } })
      const first = await tenant.arrange(name)
      expect(tenant.journal.entries()).toEqual([])
      tenant.close()
      const again = simulator.createTenant({ seed: 'alike', clock: { mode: 'frozen' } })
      arranged.push([first, await again.arrange(name)])
      again.close()
    }
    for (const [first, second] of arranged) expect(second).toEqual(first)
  })

  it('can be arranged under every reading that lets a webhook deliver to this machine', async () => {
    const refused: string[] = []
    for (const gap of gapIds)
      for (const reading of Object.keys(gaps[gap].readings)) {
        const readings: Partial<Record<string, string>> = { [gap]: reading }
        const tenant = simulator.createTenant({ readings, clock: { mode: 'frozen' } })
        for (const name of scenarioNames)
          await tenant.arrange(name).catch(() => refused.push(`${name} under ${gap}=${reading}`))
        tenant.close()
      }
    expect(refused).toEqual(['webhook-retry under GAP-DEVELOPMENT=never'])
  })

  it('can be arranged twice in one tenant', async () => {
    const tenant = simulator.createTenant({ clock: { mode: 'frozen' } })
    await tenant.arrange('expired-button')
    const { steps } = await tenant.arrange('expired-button')
    for (const step of steps) expect((await sent(step)).status).toBe(step.status)
    tenant.close()
  })

  it('says which names there are, and why a tenant refuses one', async () => {
    const tenant = simulator.createTenant()
    const unknown = 'nothing' as 'approval'
    await expect(tenant.arrange(unknown)).rejects.toThrow(
      'There is no scenario "nothing"; there are: tool-and-gate',
    )
    tenant.setCredits('main', 0)
    await expect(tenant.arrange('expired-button')).rejects.toThrow(/cannot be arranged: .+ answered 402/)
    tenant.close()
  })
})
