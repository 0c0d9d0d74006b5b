/** Routes for webhook events and their deliveries. */
import { createHmac } from 'node:crypto'
import type { WebhookEvent } from '../../spec/index.ts'
import { isObject, type JsonObject, type Json } from '../json.ts'
import type { Call } from '../edge/reply.ts'
import type { Tenant } from '../tenant-handle.ts'
import type { AttemptRecord, WebhookDelivery } from '../tenant/webhooks/delivery.ts'
import type { SentAttempt } from '../tenant/webhooks/endpoint-queue.ts'
import { createdResponse, ok, refusing, controlError, type TenantRoutes } from './answer.ts'
import { isoTime } from './journal/entry-state.ts'
import { ControlRefusal } from './guard.ts'
import { validBody, queryOf } from './request.ts'
import type { Task, Approval } from '../tenant/operations/store.ts'
import type { Book } from '../tenant/book.ts'
import { approvalState } from '../operations/approvals.ts'
import { withoutWholeKeys } from '../tenant/redacted.ts'
import type { components } from '../../spec/types/control.ts'
import type { ClockSetting } from '../clock/clock.ts'
import { proveNetworkFaults } from './room.ts'

const noDelivery = (id: string): ControlRefusal =>
  new ControlRefusal(404, `There is no delivery \`${id}\`, or it was forgotten.`)

const attemptState = (attempt: AttemptRecord): JsonObject => ({ ...attempt, at: isoTime(attempt.at) })

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

function shownApproval({ state: tenantState }: Tenant, approval: Approval): JsonObject {
  const { id, account, operation, job, askedAt } = approval
  return {
    id,
    account,
    operation: operation.id,
    input: JSON.parse(withoutWholeKeys(JSON.stringify(job.input))) as JsonObject,
    state: approvalState(tenantState, approval),
    askedAt: new Date(askedAt).toISOString(),
  }
}

const shownTask = ({ id, account, operation, state }: Task): JsonObject => ({ id, account, operation, state })

function known<T>(map: Pick<Book<T>, 'get'>, kind: 'approval' | 'task', { params }: Call): T {
  const id = params[`${kind}Id`] ?? ''
  const value = map.get(id)
  if (value !== undefined) return value
  throw new ControlRefusal(404, `There is no ${kind} \`${id}\` in this tenant; its receipt names it.`)
}

type ClockDocument = components['schemas']['ClockSetting']

/** Times are ISO strings in the document. */
export function clockFrom(document: ClockDocument): ClockSetting {
  if (document.mode !== 'frozen') return document
  return { mode: 'frozen', at: document.at === undefined ? undefined : Date.parse(document.at) }
}

function clockState({ clock }: Tenant): Json {
  const { setting, pending } = clock
  const at = setting.mode === 'frozen' && setting.at !== undefined ? isoTime(setting.at) : undefined
  const now = new Date(clock.now()).toISOString()
  return { now, setting: { ...setting, ...(at !== undefined && { at }) }, pending, nextInMs: clock.nextIn() }
}

export const deliveryRoutes: TenantRoutes = {
  'GET /clock': (tenant) => ok(clockState(tenant)),
  'PUT /clock'(tenant, call) {
    const setting = clockFrom(validBody(call, 'ClockSetting'))
    refusing(400, () => tenant.clock.set(setting))
    return ok(clockState(tenant))
  },
  async 'POST /clock/advance'(tenant, call) {
    const { ms } = validBody(call, 'AdvanceRequest')
    const { now, fired } = await tenant.clock.advance(ms).catch(controlError(400))
    return ok({ now: new Date(now).toISOString(), fired: fired.length, nextInMs: tenant.clock.nextIn() })
  },
  'POST /network-faults'(tenant, call, limits) {
    const { networkFaults } = validBody(call, 'NetworkFaultList')
    proveNetworkFaults(limits, tenant.state.networkFaults.armed.length, networkFaults)
    refusing(400, () => tenant.addNetworkFaults(networkFaults))
    return ok({ added: networkFaults.length, active: tenant.state.networkFaults.armed.length })
  },
  'DELETE /network-faults'(tenant) {
    const removed = tenant.state.networkFaults.armed.length
    tenant.clearNetworkFaults()
    return ok({ removed })
  },
  'POST /events'(tenant, call) {
    const { event, agentId, payload } = validBody(call, 'EventRequest')
    const about = { agent: agentId, payload: isObject(payload) ? payload : undefined }
    // The tenant proves that it is an event.
    return createdResponse({ deliveries: refusing(400, () => tenant.emit(event as WebhookEvent, about)) })
  },
  'GET /deliveries'(tenant, call) {
    const webhookId = queryOf(call, ['webhookId']).get('webhookId') ?? undefined
    const deliveries = tenant.deliveries(webhookId).map(deliveryState)
    return ok({ deliveries, counts: { ...tenant.state.outbox.counts } })
  },
  'GET /deliveries/:deliveryId/attempts'(tenant, call) {
    const id = call.params['deliveryId'] ?? ''
    if (!tenant.deliveries().some((delivery) => delivery.id === id)) throw noDelivery(id)
    return ok({ attempts: tenant.state.outbox.sent.of(id).map((attempt) => sentState(tenant, attempt)) })
  },
  'POST /deliveries/:deliveryId/again'(tenant, call) {
    const { sameId = false } = validBody(call, 'AgainRequest')
    const id = call.params['deliveryId'] ?? ''
    const delivery = tenant.state.outbox.again(id, { sameId })
    if (!delivery) throw noDelivery(id)
    return createdResponse({ delivery: delivery.id })
  },
  'GET /approvals': (tenant) =>
    ok({ approvals: tenant.approvals().map((approval) => shownApproval(tenant, approval)) }),
  'POST /approvals/:approvalId'(tenant, call) {
    const { decision } = validBody(call, 'DecisionRequest')
    const approval = known(tenant.state.operations.approvals, 'approval', call)
    refusing(409, () => tenant.decide(approval.id, decision))
    return ok(shownApproval(tenant, approval))
  },
  'GET /tasks': (tenant) => ok({ tasks: tenant.tasks().map(shownTask) }),
  'POST /tasks/:taskId'(tenant, call) {
    const { step } = validBody(call, 'TaskStepRequest')
    const task = known(tenant.state.operations.tasks, 'task', call)
    refusing(409, () => tenant.stepTask(task.id, step))
    return ok(shownTask(task))
  },
  'POST /uploads/lapse'(tenant, call) {
    const { idempotencyKey: key, principal: apiKey = 'main' } = validBody(call, 'LapseRequest')
    refusing(409, () => tenant.lapseUpload({ key, apiKey }))
    return ok({ lapsed: key })
  },
}
