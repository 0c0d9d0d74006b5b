/** Each interpretation of a gap of the management routes shows on the wire. */
import { describe, expect, test } from 'vitest'
import { webhooksGaps } from '../../../spec/gaps/webhooks.ts'
import { isObject } from '../../json.ts'
import type { WebhookDelivery } from '../delivery/delivery.ts'
import type { managementInterpretations } from '../management-rules.ts'
import { openManager, plainFields, textAt, type Manager } from './management.testkit.ts'

/** What shows of a gap, as a text that differs between its interpretations. */
type Probe = (manager: Manager) => Promise<string>
type ManagementGap = keyof typeof managementInterpretations

const nameless = { endpoint_url: plainFields.endpoint_url, events: plainFields.events }

/** A delivery that failed twice, without any endpoint. */
function tried({ simulator }: Manager, id: string): WebhookDelivery {
  const webhook = simulator.tenant.state.webhooks.get(id)
  if (!webhook) throw new Error(`There is no webhook ${id}.`)
  const attempt = { at: 0, tookMs: 1, status: 500, outcome: 'refused', reason: '' } as const
  const occurrence = { event: 'leads.submit', agent: webhook.agent, at: 0, payload: {}, test: false }
  const attempts = [1, 2].map((number) => ({ ...attempt, number }))
  return { id: 'whd_1', webhook, occurrence, attempts, state: 'failed' }
}

/** The log of one delivery, laid out by the rules of the tenant. */
const logged: Probe = async (manager) => {
  const { state } = manager.simulator.tenant
  const { id } = await manager.create()
  return JSON.stringify(state.rules.logged([tried(manager, id)], state))
}

/** What of a webhook an update with these members changes. */
const updated =
  (fields: { readonly [member: string]: string | boolean }): Probe =>
  async ({ create, manage }) => {
    const { id } = await create({ description: 'old' })
    await manage('PATCH', `/${id}`, fields)
    const { webhooks } = (await manage('GET')).body
    const [listed] = Array.isArray(webhooks) ? webhooks.filter(isObject) : []
    return JSON.stringify([listed?.['description'], listed?.['is_active']])
  }

const probes: Record<ManagementGap, Probe | null> = {
  'GAP-SESSION': async ({ simulator, manage }) => {
    const token = simulator.tenant.sessions.main
    const ways = [{ cookie: `session=${token}` }, { authorization: `Bearer ${token}` }]
    const answers = await Promise.all(
      ways.map((credentials) => manage('GET', '', undefined, { credentials })),
    )
    return answers.map(({ status }) => status).join(' ')
  },
  'GAP-SESSION-REFUSAL': async ({ simulator, manage }) => {
    const credentials = { authorization: `Bearer ${simulator.tenant.keys.main}` }
    return String((await manage('GET', '', undefined, { credentials })).status)
  },
  'GAP-WEBHOOK-PLAN': async ({ simulator, manage }) => {
    simulator.tenant.setPlan('main', 'starter')
    return String((await manage('GET')).status)
  },
  'GAP-WEBHOOK-REQUIRED': async ({ manage }) => {
    const made = await manage('POST', '', nameless)
    return `${made.status} ${textAt(made, 'name')}`
  },
  'GAP-WEBHOOK-REFUSAL': async ({ manage }) => String((await manage('POST', '', {})).status),
  'GAP-WEBHOOK-BODIES': async ({ create, manage }) => {
    const { id } = await create()
    const answers = [await manage('PATCH', `/${id}`, {}), await manage('DELETE', `/${id}`)]
    return answers.map(({ status, text }) => `${status} ${text === '' ? 'empty' : 'object'}`).join()
  },
  'GAP-WEBHOOK-CREATED': async ({ create }) => {
    const { status, body } = await create()
    return `${status} ${Object.keys(body).join()}`
  },
  'GAP-SECRET-PREVIEW': async ({ create, manage }) => {
    const { secret } = await create()
    return String((await manage('GET')).text.includes(`****${secret.slice(-4)}`))
  },
  'GAP-TURN-OFF': updated({ is_active: false }),
  'GAP-UPDATE-DESCRIPTION': updated({ description: 'new' }),
  'GAP-LOG-FIELDS': logged,
  'GAP-LOG-LIST': logged,
  'GAP-LOG-GRAIN': logged,
  'GAP-RESERVED-HEADER': async ({ create }) =>
    String((await create({ custom_headers: { 'X-Service-Event': 'mine' } })).status),
  // One interpretation only.
  'GAP-WEBHOOK-LIMITS': null,
}

describe('each interpretation shows', () => {
  const switchable = Object.entries(probes).filter(([, probe]) => probe !== null)
  test.for(switchable)('%s', async ([gap, probe]) => {
    const interpretations = Object.keys(webhooksGaps[gap as ManagementGap].interpretations)
    // By what was seen: two interpretations that look the same leave one entry.
    const seen = new Map<string, string>()
    for (const interpretation of interpretations) {
      const manager = await openManager({
        seed: 'interpretations',
        interpretations: { [gap]: interpretation },
      })
      seen.set(String(await probe?.(manager)), interpretation)
      await manager.simulator.close()
    }
    expect([...seen.values()]).toEqual(interpretations)
  })
})

test('a gap without a probe has one interpretation only', () => {
  const without = Object.entries(probes).filter(([, probe]) => probe === null)
  for (const [gap] of without)
    expect(Object.keys(webhooksGaps[gap as ManagementGap].interpretations)).toHaveLength(1)
})

const reserved = [
  'Content-Type',
  'USER-AGENT',
  'x-service-event',
  'X-Service-Delivery-Id',
  'Host',
  'TE',
  'Proxy-Connection',
]
test.for(reserved)('%s is refused where reserved headers are', async (name) => {
  const manager = await openManager({ interpretations: { 'GAP-RESERVED-HEADER': 'refused' } })
  expect(await manager.create({ custom_headers: { [name]: 'v' } })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('set by the service') },
  })
  expect(await manager.create({ custom_headers: { [`${name}2x`]: 'v' } })).toMatchObject({ status: 201 })
  await manager.simulator.close()
})
