/** Routes for webhook events and their deliveries. */
import { webhookEvents, type WebhookEvent } from '../../spec/index.ts'
import type { Call } from '../server/call.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Tenant } from '../tenant.ts'
import type { WebhookDelivery } from '../webhooks/delivery/delivery.ts'
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
  if (!delivery) throw new ControlRefusal(404, `There is no delivery \`${id}\`, or it was forgotten.`)
  return createdResponse({ delivery: delivery.id })
}

function deliveryState({ id, webhook, occurrence, state, attempts, due }: WebhookDelivery): JsonObject {
  return {
    id,
    webhookId: webhook.id,
    event: occurrence.event,
    at: isoTime(occurrence.at),
    test: occurrence.test,
    state,
    attempts: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
    agentId: occurrence.agent,
    payload: occurrence.payload,
    nextAttemptAt: typeof due === 'number' ? isoTime(due) : null,
  }
}
