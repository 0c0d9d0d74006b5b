/** How each state of `spec/states.ts` comes about here: the simulator's side of the control protocol. */
import type { ReplyRule } from '../tenant/reply-rule.ts'
import { eventState, nearState, webhookEvents, type StateId, type WebhookEvent } from '../../spec/index.ts'
import type { Tenant } from '../tenant-handle.ts'
import { noLimit } from '../tenant/rate.ts'

/** For whom a state is wanted; what does not concern the state is ignored. */
export interface StateRequest {
  agentId?: string
  idempotencyKey?: string
  /** Role or token of an API key. */
  principal?: string
  milliseconds?: number
  webhookId?: string
  approvalId?: string
  taskId?: string
}

/** What to send to meet the state. */
export interface StateSetting {
  agentId?: string
  message?: string
}

export interface StateEntry {
  setting: StateSetting
  leave: () => void
}

type Enter = (tenant: Tenant, request: StateRequest) => StateEntry

/** Needs no cleanup: an agent of the fixtures is permanently in this state. */
const standing =
  (role: 'workflow' | 'tools' | 'gate' | 'failing', message: string): Enter =>
  (tenant) => ({ setting: { agentId: tenant.agents[role], message }, leave: () => undefined })

const outage =
  (status: 500 | 503): Enter =>
  (tenant, { agentId }) => {
    tenant.fail({ status, times: Infinity, ...(agentId === undefined ? {} : { agent: agentId }) })
    return { setting: {}, leave: () => tenant.clearFailures() }
  }

const paused: Enter = (tenant, { agentId = tenant.agents.plain }) => {
  const before = tenant.state.agents.get(agentId)?.paused ?? false
  tenant.pause(agentId)
  return { setting: { agentId }, leave: () => (before ? undefined : tenant.resume(agentId)) }
}

const slow: Enter = (tenant, { agentId = tenant.agents.slow, milliseconds = 300 }) => {
  const rule: ReplyRule = {
    match: { agent: agentId },
    reply: { text: 'That took a while.', delayMs: milliseconds },
  }
  const { replyRules } = tenant.state
  replyRules.unshift(rule)
  const leave = () => void replyRules.splice(replyRules.indexOf(rule), 1)
  return { setting: { agentId }, leave }
}

const uncertain: Enter = (tenant, { idempotencyKey, principal, agentId }) => {
  if (idempotencyKey === undefined)
    throw new CannotEnter('`key.uncertain` needs the `idempotencyKey` it is about.')
  tenant.markUncertain({
    key: idempotencyKey,
    ...(principal === undefined ? {} : { apiKey: principal }),
    ...(agentId === undefined ? {} : { agent: agentId }),
  })
  return { setting: {}, leave: () => undefined }
}

const exhausted: Enter = (tenant, { principal = 'main' }) => {
  const before = tenant.credits(principal)
  tenant.setCredits(principal, 0)
  return { setting: {}, leave: () => tenant.setCredits(principal, before) }
}

const limited: Enter = (tenant, { principal = 'sacrificial' }) => {
  if (tenant.state.rules.rate.limit === noLimit)
    throw new CannotEnter('`rate.limited` needs a limit; make the simulator without `unlimited`.')
  tenant.exhaustRate(principal)
  return { setting: {}, leave: () => tenant.resetRate(principal) }
}

const disallowed: Enter = (tenant, { agentId = tenant.agents.forbidden }) => {
  const before = tenant.state.agents.get(agentId)?.allowed ?? true
  tenant.setAllowed(agentId, false)
  return { setting: { agentId }, leave: () => tenant.setAllowed(agentId, before) }
}

const inactive: Enter = (tenant, { webhookId }) => {
  if (webhookId === undefined)
    throw new CannotEnter('`webhook.inactive` needs the `webhookId` that it is about.')
  tenant.setWebhookActive(webhookId, false)
  // Whoever made it may have removed it meanwhile.
  const leave = (): void => {
    if (tenant.state.webhooks.has(webhookId)) tenant.setWebhookActive(webhookId, true)
  }
  return { setting: {}, leave }
}

const decided =
  (decision: 'approved' | 'rejected'): Enter =>
  (tenant, { approvalId }) => {
    if (approvalId === undefined)
      throw new CannotEnter(`\`approval.${decision}\` needs the \`approvalId\` that it is about.`)
    tenant.decide(approvalId, decision)
    return { setting: {}, leave: () => undefined }
  }

const finished: Enter = (tenant, { taskId }) => {
  if (taskId === undefined) throw new CannotEnter('`task.finished` needs the `taskId` that it is about.')
  tenant.stepTask(taskId, 'finish')
  return { setting: {}, leave: () => undefined }
}

const doubted: Enter = (tenant, { idempotencyKey, principal = 'main' }) => {
  if (idempotencyKey === undefined)
    throw new CannotEnter('`operation.uncertain` needs the `idempotencyKey` that it is about.')
  tenant.markRunUncertain({ key: idempotencyKey, apiKey: principal })
  return { setting: {}, leave: () => undefined }
}

const withoutWebhooks: Enter = (tenant, { principal = 'main' }) => {
  const before = tenant.plan(principal)
  tenant.setPlan(principal, 'starter')
  return { setting: {}, leave: () => tenant.setPlan(principal, before) }
}

type EventState = Extract<StateId, `event.${string}`>
type NearState = Extract<StateId, `no-event.${string}`>

/** Nothing lasts after an event has happened, so there is nothing to leave. */
function everyEvent(): Readonly<Record<EventState, Enter>> {
  const happening =
    (event: WebhookEvent): Enter =>
    (tenant, { agentId = tenant.agents.plain }) => {
      tenant.emit(event, { agent: agentId })
      return { setting: {}, leave: () => undefined }
    }
  const names = Object.keys(webhookEvents) as WebhookEvent[]
  return Object.fromEntries(names.map((name) => [eventState(name), happening(name)])) as Record<
    EventState,
    Enter
  >
}

/** Here nothing happens that only comes near an event. */
function everyNear(): Readonly<Record<NearState, Enter>> {
  const near =
    (event: WebhookEvent): Enter =>
    (tenant, { agentId = tenant.agents.plain }) => {
      for (const sent of tenant.state.rules.comesOfNear(event)) tenant.emit(sent, { agent: agentId })
      return { setting: {}, leave: () => undefined }
    }
  const names = Object.keys(webhookEvents) as WebhookEvent[]
  return Object.fromEntries(names.map((name) => [nearState(name), near(name)])) as Record<NearState, Enter>
}

export const stateEntries: Readonly<Record<StateId, Enter>> = {
  'chat.paused': paused,
  'turn.slow': slow,
  'key.uncertain': uncertain,
  'workflow.current': standing('workflow', 'Show me what you can do.'),
  'credits.exhausted': exhausted,
  'rate.limited': limited,
  'server.500': outage(500),
  'server.503': outage(503),
  'stream.tool': standing('tools', 'Look up my order.'),
  'stream.gate': standing('gate', 'Say something you may not say.'),
  'stream.error': standing('failing', 'Write a long text.'),
  'plan.disallows': disallowed,
  'webhook.inactive': inactive,
  'approval.approved': decided('approved'),
  'approval.rejected': decided('rejected'),
  'task.finished': finished,
  'operation.uncertain': doubted,
  'plan.without-webhooks': withoutWebhooks,
  ...everyEvent(),
  ...everyNear(),
}

/** The state is known and cannot be entered as asked; the message says what is missing. */
export class CannotEnter extends Error {}

/** States that were entered and not left, by handle; each tenant has its own. */
export class OpenStates {
  readonly #open = new Map<string, { state: string; leave: () => void }>()
  #count = 0

  /** Those that were entered and not left. */
  get size(): number {
    return this.#open.size
  }

  get entered(): readonly { readonly state: string; readonly handle: string }[] {
    return Array.from(this.#open, ([handle, { state }]) => ({ state, handle }))
  }

  enter(tenant: Tenant, state: StateId, request: StateRequest): { handle: string; setting: StateSetting } {
    const { setting, leave } = stateEntries[state](tenant, request)
    const handle = `state-${++this.#count}`
    this.#open.set(handle, { state, leave })
    return { handle, setting }
  }

  /** False when there is no such handle of that state. */
  leave(state: string, handle: string): boolean {
    const entered = this.#open.get(handle)
    if (entered?.state !== state) return false
    this.#open.delete(handle)
    entered.leave()
    return true
  }
}
