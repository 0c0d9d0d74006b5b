/** The management routes: who may, for which agent and webhook, and what is done. */
import { parseBody, tooLargeWords } from '../../chat/body.ts'
import { isChatRefusal } from '../../edge/refusal.ts'
import { type Call, jsonReply, type ReplyInfo, type JsonReply } from '../../edge/reply.ts'
import type { ServiceRoute } from '../../route.ts'
import type { Agent } from '../../tenant/principals.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { isDelivery, type Webhook } from '../../tenant/webhooks/webhook.ts'
import { fieldProblem, givenAtCreation } from './fields.ts'
import type { JsonObject } from '../../json.ts'
import type { Managed } from '../../rules/webhooks.ts'
import type { OperationReply } from '../../../spec/operations.ts'
import { projectKeyOf } from '../management-rules.ts'

/** What a management request is refused for. */
type RefusalStatus = Extract<OperationReply<'createWebhook'>['status'], 400 | 401 | 402 | 403 | 404 | 422>

/** The simulator's own codes: the contract shows none. */
type RefusalCode = 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'PLAN_REQUIRED' | 'NOT_FOUND'

interface ManagementRefusal {
  readonly refused: RefusalCode
  readonly status: RefusalStatus
  /** What went wrong, and what to do. */
  readonly words: string
}

function isManagementRefusal(value: object): value is ManagementRefusal {
  return 'refused' in value
}

function invalid({ rules }: TenantState, words: string): ManagementRefusal {
  return { refused: 'INVALID_REQUEST', status: rules.webhookRefusal, words }
}

function notFound(what: 'agent' | 'webhook'): ManagementRefusal {
  return { refused: 'NOT_FOUND', status: 404, words: `There is no such ${what}.` }
}

export function withoutSession(state: TenantState, call: Call): ManagementRefusal {
  if (projectKeyOf(call, state) === null)
    return { refused: 'UNAUTHORIZED', status: 401, words: 'There is no signed-in user; sign in first.' }
  const status = state.rules.projectKeyStatus
  const words = 'An API key cannot manage webhooks; sign in as a user.'
  return { refused: status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN', status, words }
}

/** A sample that asks for the next one would never end. */
const fromDelivery: ManagementRefusal = {
  refused: 'FORBIDDEN',
  status: 403,
  words: 'A webhook may not deliver to the test route of a webhook; give it another endpoint.',
}

export function managementRefusalReply(
  { rules }: TenantState,
  { refused, status, words }: ManagementRefusal,
  about: ReplyInfo,
): JsonReply {
  const body = rules.errorLayout(rules.showsOwnCodes ? refused : null, words)
  return jsonReply(status, body, { ...about, code: refused })
}

/** A signed-in user at an agent of the own account. */
interface Visit {
  readonly state: TenantState
  readonly call: Call
  readonly agent: Agent
}

interface Done {
  readonly answer: Managed
  readonly webhook?: Webhook
}

type Work = (visit: Visit) => Done | ManagementRefusal
type WorkOnWebhook = (webhook: Webhook, visit: Visit) => Managed | ManagementRefusal

/** Does not disclose whether an agent of another account exists. */
function enter(state: TenantState, call: Call): Visit | ManagementRefusal {
  const { rules, agents, accounts } = state
  const session = rules.sessionOf(call, state)
  if (!session) return withoutSession(state, call)
  const agent = agents.get(call.params['agentId'] ?? '')
  if (!agent?.accounts.includes(session.account)) return notFound('agent')
  const plan = accounts.get(session.account)?.plan ?? ''
  if (rules.hasWebhookSettings(plan, call)) return { state, call, agent }
  const words = `The plan ${plan} has no webhook settings; choose Business or Enterprise.`
  return { refused: 'PLAN_REQUIRED', status: rules.webhookPlanStatus, words }
}

function fieldsOf({ state, call }: Visit, is: 'create' | 'update'): JsonObject | ManagementRefusal {
  if (call.tooLarge) return invalid(state, tooLargeWords(state.rules))
  const parsed = parseBody(call.body)
  if (isChatRefusal(parsed)) return invalid(state, parsed.words)
  const words = fieldProblem(parsed.body, state, is)
  return words === null ? parsed.body : invalid(state, words)
}

const webhooksOf = ({ state, agent }: Visit): readonly Webhook[] =>
  [...state.webhooks.values()].filter((webhook) => webhook.agent === agent.id)

const textBytes = ({ name, endpointUrl, description, events, customHeaders }: Webhook): number =>
  Buffer.byteLength(JSON.stringify([name, endpointUrl, description, events, customHeaders]))

/** Words where the list of webhooks would be too long to be sent with this one in it. */
function roomProblem(visit: Visit, webhook: Webhook): string | null {
  const { webhookBytesPerAgent: most } = visit.state.rules
  const others = webhooksOf(visit).filter(({ id }) => id !== webhook.id)
  const bytes = [...others, webhook].reduce((sum, each) => sum + textBytes(each), 0)
  return bytes <= most
    ? null
    : `The webhooks of the agent would have ${bytes} bytes in all, and ${most} are the most there may be; remove one, or send shorter headers.`
}

const create: Work = (visit) => {
  const { state, agent } = visit
  const { rules, random, clock } = state
  const fields = fieldsOf(visit, 'create')
  if (isManagementRefusal(fields)) return fields
  if (webhooksOf(visit).length >= rules.webhooksPerAgent)
    return invalid(
      state,
      `The agent has ${rules.webhooksPerAgent} webhooks, the most there may be; remove one.`,
    )
  const webhook: Webhook = {
    id: rules.newWebhookId(random),
    agent: agent.id,
    ...givenAtCreation(fields),
    secret: rules.newSecret(random),
    createdAt: clock.date(),
  }
  const words = roomProblem(visit, webhook)
  if (words !== null) return invalid(state, words)
  state.webhooks.set(webhook.id, webhook)
  return { answer: rules.created(webhook), webhook }
}

const list: Work = (visit) => {
  const { state } = visit
  const webhooks = webhooksOf(visit).map((webhook) => state.rules.listed(webhook, state))
  return { answer: { status: 200, body: { webhooks } } }
}

const update: WorkOnWebhook = (webhook, visit) => {
  const { state } = visit
  const fields = fieldsOf(visit, 'update')
  if (isManagementRefusal(fields)) return fields
  const changes = state.rules.changes(fields, state)
  const words = roomProblem(visit, { ...webhook, ...changes })
  if (words !== null) return invalid(state, words)
  Object.assign(webhook, changes)
  state.webhooks.touch(webhook.id)
  state.outbox.changed(webhook.id)
  return state.rules.updated(webhook, state)
}

const remove: WorkOnWebhook = (webhook, { state }) => {
  state.rules.removes(webhook, state)
  return state.rules.deleted(webhook)
}

const test: WorkOnWebhook = (webhook, { state, call }) =>
  isDelivery(call, state.identifiers)
    ? fromDelivery
    : state.rules.tested(state.rules.sendsTest(webhook, state))

const logs: WorkOnWebhook = ({ id }, { state }) => {
  const { rules, outbox } = state
  return { status: 200, body: rules.logged(outbox.deliveriesOf(id), state) }
}

const onWebhook =
  (work: WorkOnWebhook): Work =>
  (visit) => {
    const webhook = visit.state.webhooks.get(visit.call.params['webhookId'] ?? '')
    if (webhook?.agent !== visit.agent.id) return notFound('webhook')
    const answer = work(webhook, visit)
    return isManagementRefusal(answer) ? answer : { answer, webhook }
  }

export type ManagementOperation =
  | 'webhook-create'
  | 'webhook-list'
  | 'webhook-update'
  | 'webhook-delete'
  | 'webhook-test'
  | 'webhook-logs'

const handler =
  (operation: ManagementOperation, work: Work): ServiceRoute['handle'] =>
  (state, call) => {
    const named = call.params['webhookId']
    const about: ReplyInfo = { operation, ...(named !== undefined && { webhook: named }) }
    const visit = enter(state, call)
    if (isManagementRefusal(visit)) return managementRefusalReply(state, visit, about)
    const at: ReplyInfo = { ...about, agent: visit.agent.name, agentId: visit.agent.id }
    const done = work(visit)
    if (isManagementRefusal(done)) return managementRefusalReply(state, done, at)
    const { status, body } = done.answer
    const whole: ReplyInfo = { ...at, ...(done.webhook && { webhook: done.webhook.id }) }
    return body === null
      ? { kind: 'bytes', status, headers: [], chunks: [], about: whole }
      : jsonReply(status, body, whole)
  }

const all = '/api/agents/:agentId/webhooks'
const one = `${all}/:webhookId`

export const webhookRoutes: readonly ServiceRoute[] = [
  { method: 'POST', path: all, handle: handler('webhook-create', create) },
  { method: 'GET', path: all, handle: handler('webhook-list', list) },
  { method: 'PATCH', path: one, handle: handler('webhook-update', onWebhook(update)) },
  { method: 'DELETE', path: one, handle: handler('webhook-delete', onWebhook(remove)) },
  { method: 'POST', path: `${one}/test`, handle: handler('webhook-test', onWebhook(test)) },
  { method: 'GET', path: `${one}/logs`, handle: handler('webhook-logs', onWebhook(logs)) },
]
