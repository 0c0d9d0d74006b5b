/** Routes for webhook events and their deliveries. */
import { createHmac } from 'node:crypto'
import { webhookEvents, type WebhookEvent } from '../../spec/index.ts'
import type { Call } from '../server/call.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Tenant } from '../tenant.ts'
import type { AttemptRecord, WebhookDelivery } from '../webhooks/delivery/delivery.ts'
import type { SentAttempt } from '../webhooks/delivery/sent-log.ts'
import { createdResponse, ok, refusing, type ControlResponse } from './answer.ts'
import { isoTime } from './journal/entry-state.ts'
import { ControlRefusal } from './refusal.ts'
import { validBody, queryOf } from './request.ts'

const isEvent = (name: string): name is WebhookEvent => Object.hasOwn(webhookEvents, name)

export function emitEvent(tenant: Tenant, call: Call): ControlResponse {
  const { event, agentId, payload } = validBody(call, 'EventRequest')
  if (!isEvent(event)) throw new ControlRefusal(400, noEvent(event))
  const deliveries = refusing(400, () =>
    tenant.emit(event, {
      ...(agentId === undefined ? {} : { agent: agentId }),
      ...(isObject(payload) ? { payload } : {}),
    }),
  )
  return createdResponse({ deliveries })
}

const noEvent = (name: string): string =>
  `There is no event ${JSON.stringify(name)}; there are: ${Object.keys(webhookEvents).join(', ')}.`

export function listDeliveries(tenant: Tenant, call: Call): ControlResponse {
  const webhookId = queryOf(call).get('webhookId') ?? undefined
  const deliveries = tenant.deliveries(webhookId).map(deliveryState)
  return ok({ deliveries, counts: { ...tenant.state.outbox.counts } })
}

export function sendAgain(tenant: Tenant, call: Call): ControlResponse {
  const { sameId = false } = validBody(call, 'AgainRequest')
  const id = call.params['deliveryId'] ?? ''
  const delivery = tenant.state.outbox.again(id, { sameId })
  if (!delivery) throw noDelivery(id)
  return createdResponse({ delivery: delivery.id })
}

const noDelivery = (id: string): ControlRefusal =>
  new ControlRefusal(404, `There is no delivery \`${id}\`, or it was forgotten.`)

const attemptState = (attempt: AttemptRecord): JsonObject => ({ ...attempt, at: isoTime(attempt.at) })

export function listSentAttempts(tenant: Tenant, call: Call): ControlResponse {
  const id = call.params['deliveryId'] ?? ''
  if (!tenant.deliveries().some((delivery) => delivery.id === id)) throw noDelivery(id)
  return ok({ attempts: tenant.state.outbox.sent.of(id).map((attempt) => sentState(tenant, attempt)) })
}

/** What a receiver sees of an attempt, and what it has to compute from it. */
function sentState({ identifiers }: Tenant, { delivery, number, at, request }: SentAttempt): JsonObject {
  const { webhook, attempts } = delivery
  const { url, method = 'POST', headers, body } = request
  const own = new Set(webhook.customHeaders.map(([name]) => name.toLowerCase()))
  const signatureName = identifiers.signatureHeader.toLowerCase()
  const result = attempts.find((one) => one.number === number)
  return {
    number,
    at: isoTime(at),
    url,
    method,
    // Values of custom headers are often credentials.
    headers: headers.map(([name, value]) => [name, own.has(name.toLowerCase()) ? '[redacted]' : value]),
    body: Buffer.from(body).toString('utf8'),
    bodyBase64: Buffer.from(body).toString('base64'),
    signature: {
      sent: headers.find(([name]) => name.toLowerCase() === signatureName)?.[1] ?? null,
      computed: `sha256=${createHmac('sha256', webhook.secret).update(body).digest('hex')}`,
    },
    ...(result && { result: attemptState(result) }),
  }
}

function deliveryState({ id, webhook, occurrence, state, attempts, due }: WebhookDelivery): JsonObject {
  return {
    id,
    webhookId: webhook.id,
    event: occurrence.event,
    at: isoTime(occurrence.at),
    test: occurrence.test,
    state,
    attempts: attempts.map(attemptState),
    agentId: occurrence.agent,
    payload: occurrence.payload,
    nextAttemptAt: typeof due === 'number' ? isoTime(due) : null,
  }
}
