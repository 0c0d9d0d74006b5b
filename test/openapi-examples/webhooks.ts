/** As chat.ts, for the management of webhooks and for the older variant. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { textIn, type Caller, type Provocations } from './caller.ts'

const fields = {
  name: 'Orders',
  endpoint_url: 'https://hooks.example.org/service',
  events: ['order.confirmed', 'leads.submit'],
  description: 'To the order team.',
  custom_headers: { 'X-Team': 'orders' },
}
const plainHttp = { ...fields, endpoint_url: 'http://hooks.example.org/service' }

/** The path of a webhook that was created. */
const created = async ({ manage }: Caller, endpoint_url = fields.endpoint_url): Promise<string> =>
  `/${textIn(await manage('POST', '', { ...fields, endpoint_url }), 'id')}`

/** The work beside a receiver on this machine that accepts everything. */
async function withReceiver<T>(work: (url: string) => Promise<T>): Promise<T> {
  const receiver = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  try {
    return await work(`http://localhost:${(receiver.address() as AddressInfo).port}/`)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

export const webhookExamples: Provocations = {
  'createWebhook 200 created': [{ 'GAP-WEBHOOK-CREATED': 'two' }, ({ manage }) => manage('POST', '', fields)],
  'createWebhook 201 created': ({ manage }) => manage('POST', '', fields),
  'listWebhooks 200 one': async (caller) => {
    await created(caller)
    return caller.manage('GET')
  },
  'updateWebhook 200 changed': async (caller) => {
    const changes = { name: 'Orders and leads', events: ['order.confirmed'] }
    return caller.manage('PATCH', await created(caller), changes)
  },
  'deleteWebhook 200 removed': async (caller) => caller.manage('DELETE', await created(caller)),
  'testWebhook 200 sent': (caller) =>
    withReceiver(async (url) => caller.manage('POST', `${await created(caller, url)}/test`)),
  'listWebhookLogs 200 one': (caller) =>
    withReceiver(async (url) => {
      const webhook = await created(caller, url)
      caller.tenant.emit('order.confirmed')
      await caller.tenant.clock.advance(1_000)
      return caller.manage('GET', `${webhook}/logs`)
    }),
  'WebhookInvalid event': ({ manage }) => manage('POST', '', { ...fields, events: ['action.executed'] }),
  'WebhookInvalid endpoint': ({ manage }) => manage('POST', '', plainHttp),
  'WebhookUnprocessable endpoint': [
    { 'GAP-WEBHOOK-REFUSAL': 'unprocessable' },
    ({ manage }) => manage('POST', '', plainHttp),
  ],
  'WebhookPlan plan': [
    { 'GAP-WEBHOOK-PLAN': 'payment' },
    ({ tenant, manage }) => {
      tenant.setPlan('main', 'free')
      return manage('GET')
    },
  ],
  'WebhookNoSession session': ({ tenant, send }) =>
    send('GET', `/api/agents/${tenant.agents.plain}/webhooks`, { as: null }),
  'WebhookNoSession key': ({ tenant, send }) => send('GET', `/api/agents/${tenant.agents.plain}/webhooks`),
  'WebhookForbidden key': [
    { 'GAP-SESSION-REFUSAL': 'forbidden' },
    ({ tenant, send }) => send('GET', `/api/agents/${tenant.agents.plain}/webhooks`),
  ],
  'WebhookForbidden plan': ({ tenant, manage }) => {
    tenant.setPlan('main', 'free')
    return manage('GET')
  },
  'WebhookNotFound webhook': ({ manage }) => manage('GET', '/wh_unknown/logs'),
}

const served = { 'GAP-OLDER-SERVED': 'yes' } as const

export const olderExamples: Provocations = {
  'sendOlderMessage 200 reply': [served, ({ older }) => older('Where is my order?')],
  'sendOlderMessage 200 events': [
    served,
    ({ tenant, older }) => {
      tenant.addReplyRules([{ match: {}, reply: { tokens: ['It is on its way.'] } }])
      return older('Where is my order?', { stream: true })
    },
  ],
  'readOlderConversation 200 one': [
    served,
    async ({ tenant, send, older }) => {
      const conversation = textIn(await older('Where is my order?'), 'conversation_id')
      return send('GET', `/v1/conversations/${conversation}`, { as: tenant.olderKeys.plain })
    },
  ],
  'OlderInvalid message': [served, ({ older }) => older()],
  'OlderNoKey unknown': [served, ({ older }) => older('Hello', { as: 'ak_unknown' })],
  'OlderForbidden agent': [served, ({ tenant, older }) => older('Hello', { agent: tenant.agents.second })],
  'OlderNotFound agent': [served, ({ older }) => older('Hello', { agent: 'agent_unknown' })],
  'OlderLimited limited': [
    served,
    async ({ older }) => {
      await Promise.all(Array.from({ length: 60 }, () => older('Hello')))
      return older('Hello')
    },
  ],
  'OlderServerError failed': [
    served,
    ({ tenant, older }) => {
      tenant.fail({ status: 500, at: 'request' })
      return older('Hello')
    },
  ],
}
