import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulator, type Simulator } from '../index.ts'
import type { ReplyRule } from './reply-rule.ts'

const replyRules: readonly ReplyRule[] = [
  {
    match: { message: 'book' },
    reply: {
      text: 'Booked.',
      events: ['booking.created', { event: 'record.created', payload: { recordId: 'r_1' } }],
    },
  },
  { match: { message: 'nothing' }, reply: { text: '' } },
]
let simulator: Simulator
beforeAll(async () => void (simulator = await createSimulator({ seed: 'emit', replyRules })))
afterAll(() => simulator.close())

/** Webhooks of every agent that get every event, and deliver nowhere. */
function listen(): void {
  const { state } = simulator.tenant
  state.webhooks.clear()
  state.outbox.clear()
  for (const agent of state.agents.keys())
    state.webhooks.set(`wh_${agent}`, {
      id: `wh_${agent}`,
      agent,
      name: '',
      endpointUrl: 'https://10.0.0.1/',
      events: ['message.sent', 'tool.executed', 'booking.created', 'record.created'],
      description: null,
      customHeaders: [],
      isActive: true,
      secret: 'whsec_1',
      createdAt: 0,
    })
}

async function turn(agent: string, message: string, key = `key-${agent}-${message}`): Promise<string> {
  const answer = await fetch(`${simulator.url}/api/v1/chat/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${simulator.tenant.keys.main}` },
    body: JSON.stringify({ message, idempotency_key: key }),
  })
  const body: unknown = await answer.json()
  return JSON.stringify(body)
}
const emitted = (): readonly string[] =>
  simulator.tenant.deliveries().map(({ occurrence }) => occurrence.event)

it('a reply rule lists further events, which get the conversation of the turn', async () => {
  listen()
  const body = await turn(simulator.tenant.agents.plain, 'book')
  expect(emitted()).toEqual(['message.sent', 'booking.created', 'record.created'])
  const [sent, booked, recorded] = simulator.tenant.deliveries().map(({ occurrence }) => occurrence.payload)
  expect(sent).toMatchObject({ text: 'Booked.' })
  for (const payload of [sent, booked]) expect(body).toContain(payload?.['conversationId'])
  expect(recorded).toEqual({ recordId: 'r_1' })
})
