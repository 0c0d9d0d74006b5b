/** How each state of `spec/states.ts` comes about here: the simulator's side of the control protocol. */
import type { ReplyRule } from '../tenant/reply-rule.ts'
import { eventState, nearState, webhookEvents, type StateId, type WebhookEvent } from '../../spec/index.ts'
import type { Tenant } from '../tenant-handle.ts'
import { noLimit } from '../tenant/rate.ts'

/** For whom a state is wanted; what does not concern the state is ignored. */
export interface StateRequest {
  agentId?: string
  idempotencyKey?: string
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
  principal?: string
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
    tenant.fail({ status, times: Infinity, agent: agentId })
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

/** What has to be there to be in the state; there is nothing to leave. */
const about =
  (
    state: StateId,
    member: keyof StateRequest,
    enter: (tenant: Tenant, id: string, request: StateRequest) => void,
  ): Enter =>
  (tenant, request) => {
    enter(tenant, needed(state, request, member), request)
    return { setting: {}, leave: () => undefined }
  }

function needed(state: StateId, request: StateRequest, member: keyof StateRequest): string {
  const id = request[member]
  if (typeof id === 'string') return id
  throw new CannotEnter(`\`${state}\` needs the \`${member}\` that it is about.`)
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
  return { setting: { principal }, leave: () => tenant.resetRate(principal) }
}

const disallowed: Enter = (tenant, { agentId = tenant.agents.forbidden }) => {
  const before = tenant.state.agents.get(agentId)?.allowed ?? true
  tenant.setAllowed(agentId, false)
  return { setting: { agentId }, leave: () => tenant.setAllowed(agentId, before) }
}

const inactive: Enter = (tenant, request) => {
  const webhookId = needed('webhook.inactive', request, 'webhookId')
  tenant.setWebhookActive(webhookId, false)
  // Whoever made it may have removed it meanwhile.
  const leave = (): void => {
    if (tenant.state.webhooks.has(webhookId)) tenant.setWebhookActive(webhookId, true)
  }
  return { setting: {}, leave }
}

const withoutWebhooks: Enter = (tenant, { principal = 'main' }) => {
  const before = tenant.plan(principal)
  tenant.setPlan(principal, 'starter')
  return { setting: {}, leave: () => tenant.setPlan(principal, before) }
}

type EventState = Extract<StateId, `event.${string}` | `no-event.${string}`>

/** Nothing lasts after an event has happened, so there is nothing to leave; nor where something only came near one. */
function everyEvent(): Readonly<Record<EventState, Enter>> {
  const emitting =
    (sent: (tenant: Tenant) => readonly WebhookEvent[]): Enter =>
    (tenant, { agentId = tenant.agents.plain }) => {
      for (const event of sent(tenant)) tenant.emit(event, { agent: agentId })
      return { setting: {}, leave: () => undefined }
    }
  const names = Object.keys(webhookEvents) as WebhookEvent[]
  const entries = [
    ...names.map((name) => [eventState(name), emitting(() => [name])]),
    ...names.map((name) => [nearState(name), emitting(({ state }) => state.rules.comesOfNear(name))]),
  ]
  return Object.fromEntries(entries) as Record<EventState, Enter>
}

export const stateEntries: Readonly<Record<StateId, Enter>> = {
  'chat.paused': paused,
  'turn.slow': slow,
  'key.uncertain': about('key.uncertain', 'idempotencyKey', (tenant, key, { principal, agentId }) =>
    tenant.markUncertain({ key, apiKey: principal, agent: agentId }),
  ),
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
  'approval.approved': about('approval.approved', 'approvalId', (tenant, id) =>
    tenant.decide(id, 'approved'),
  ),
  'approval.rejected': about('approval.rejected', 'approvalId', (tenant, id) =>
    tenant.decide(id, 'rejected'),
  ),
  'task.finished': about('task.finished', 'taskId', (tenant, id) => tenant.stepTask(id, 'finish')),
  'operation.uncertain': about(
    'operation.uncertain',
    'idempotencyKey',
    (tenant, key, { principal = 'main' }) => tenant.markRunUncertain({ key, apiKey: principal }),
  ),
  'plan.without-webhooks': withoutWebhooks,
  ...everyEvent(),
}

/** The state is known and cannot be entered as asked; the message says what is missing. */
export class CannotEnter extends Error {}

/** States that were entered and not left, by handle; each tenant has its own. */
export class OpenStates {
  readonly #open = new Map<string, { state: string; leave: () => void }>()
  #count = 0

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
