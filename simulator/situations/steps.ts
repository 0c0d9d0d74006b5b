/** Requests of a client, and of the owner of the tenant, as steps of a situation. */
import { type HeaderLine, presentValues, type Reply } from '../edge/reply.ts'
import { type JsonObject, isObject } from '../json.ts'
import type { Tenant } from '../tenant-handle.ts'
import type { AgentRole, KeyRole } from '../tenant/fixtures.ts'
import type {
  OperationSituation,
  PreparedStep,
  PreparedSituations,
  SituationName,
  SituationOptions,
  TurnSituation,
} from '../prepared.ts'
import { createRouter, type Router, controlPath } from '../route.ts'
import { services } from '../services.ts'

/** Requests that prepare a situation: handled without a socket and not written to the journal. */
type Request = Pick<PreparedStep, 'method' | 'path' | 'headers' | 'body'>

let router: Router | undefined

/** The body of the response. Throws a RangeError if the tenant, in its current state, refuses the request. */
export async function setupRequest(
  { state }: Tenant,
  { method, path, headers, body }: Request,
): Promise<JsonObject> {
  router ??= createRouter([], services)
  const found = router.find(method, path, state)
  if (found.is !== 'service') throw new Error(`The service has no route ${method} ${path}.`)
  const bytes = Buffer.from(body === null ? '' : JSON.stringify(body))
  const place = { id: 0, connection: 0, server: 1, client: presentValues }
  const call = { ...place, method, path, params: found.params, headers, body: bytes }
  return accepted(await found.route.handle(state, call), path)
}

/** The id of the approval or task that the work creates. Throws a RangeError if it creates none. */
export async function idCreatedBy(
  tenant: Tenant,
  what: 'approvals' | 'tasks',
  work: () => Promise<unknown>,
): Promise<string> {
  const before = tenant[what]().length
  await work()
  const id = tenant[what]()[before]?.id
  if (id === undefined) throw cannotPrepare(`no ${what} were created.`)
  return id
}

function accepted(reply: Reply, path: string): JsonObject {
  if (reply.kind === 'json' && reply.status < 300 && isObject(reply.body)) return reply.body
  const received = reply.kind === 'json' ? `${reply.status} ${JSON.stringify(reply.body)}` : reply.kind
  throw cannotPrepare(`${path} returned ${received}. Use a tenant without faults and variants.`)
}

function cannotPrepare(reason: string): RangeError {
  return new RangeError(`The situation cannot be prepared: ${reason}`)
}

/** The first text member of this name, at any depth. Throws a RangeError if there is none. */
export function textIn(body: JsonObject, member: string): string {
  const found = objectsIn(body).find((object) => typeof object[member] === 'string')?.[member]
  if (typeof found === 'string') return found
  throw cannotPrepare(`a response has no member ${member}.`)
}

/** The first button of a presentation, as the next turn sends it. Throws a RangeError if there is none. */
export function buttonIn(body: JsonObject): JsonObject {
  const found = objectsIn(body).find(({ type }) => type === 'workflow_button')
  if (!found) throw cannotPrepare('a response has no button.')
  const { type = null, runId = null, nodeId = null, payload = null } = found
  return { type, runId, nodeId, payload }
}

/** A value's objects at any depth, outer before inner. */
function objectsIn(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isObject(value)) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

const json: HeaderLine = ['Content-Type', 'application/json']
const bearer = (apiKey: string): HeaderLine => ['Authorization', `Bearer ${apiKey}`]

type SituationTurn = Omit<TurnSituation, 'steps'>

/** `more`: members of the body besides the message. */
export function turn(
  { apiKey, agent, message, idempotencyKey }: SituationTurn,
  more: JsonObject = {},
): Request {
  const headers = [bearer(apiKey), json, ['Idempotency-Key', idempotencyKey]] as const
  return { method: 'POST', path: `/api/v1/chat/${agent}`, headers, body: { message, ...more } }
}

export type Write = Omit<OperationSituation, 'steps'>

/** The contract does not show how the input is wrapped or where the key is sent: this follows the tenant's interpretations. */
export function writeStep(tenant: Tenant, { apiKey, operation, input, idempotencyKey }: Write): Request {
  const body = tenant.interpretations['GAP-EXECUTION-BODY'] === 'bare' ? input : { input }
  const path = `/api/v1/operation-executions/${operation}`
  return keyedPost(tenant, { apiKey, path, body, idempotencyKey })
}

interface Post {
  readonly apiKey: string
  readonly path: string
  readonly body: JsonObject
  readonly idempotencyKey: string
}

/** A write below `/api/v1` other than a turn. */
export function keyedPost(
  { interpretations }: Tenant,
  { apiKey, path, body, idempotencyKey }: Post,
): Request {
  const key: { headers: readonly HeaderLine[]; members: JsonObject } = {
    header: { headers: [['Idempotency-Key', idempotencyKey]] as const, members: {} },
    body: { headers: [], members: { idempotency_key: idempotencyKey } },
  }[interpretations['GAP-OPERATION-KEY']]
  const headers = [bearer(apiKey), json, ...key.headers]
  return { method: 'POST', path, headers, body: { ...body, ...key.members } }
}

export function readStep(apiKey: string, path: string): Request {
  return { method: 'GET', path, headers: [bearer(apiKey)], body: null }
}

/** `path`: below the tenant in the control plane. */
export function controlStep(
  tenant: Tenant,
  method: PreparedStep['method'],
  path: string,
  body: JsonObject | null = null,
): Request & { control: true } {
  const headers = body === null ? [] : [json]
  return { method, path: `${controlPath(tenant)}${path}`, headers, body, control: true }
}

/** `status`: null where the client goes away first. `shows`: a text in the response. */
export const step = (
  request: Request & { control?: true },
  status: PreparedStep['status'],
  does: string,
  shows: string,
  timeoutMs?: number,
): PreparedStep => ({ does, status, shows, ...(timeoutMs !== undefined && { timeoutMs }), ...request })

export const advance = (tenant: Tenant, does: string, ms: number): PreparedStep =>
  step(controlStep(tenant, 'POST', '/clock/advance', { ms }), 200, does, 'now')

/** The turn of a situation, and the steps that send it: as it is, or with other members. */
export function turnIn(tenant: Tenant, agent: AgentRole, message: string, key: string, as: KeyRole = 'main') {
  const base: SituationTurn = {
    apiKey: tenant.keys[as],
    agent: tenant.agents[agent],
    message,
    idempotencyKey: freshKey(tenant, key),
  }
  /** `nth`: with a key of its own. `body`: further members of it. */
  const send = (
    status: PreparedStep['status'],
    does: string,
    shows: string,
    { nth, body, ...over }: Partial<SituationTurn> & { nth?: number; body?: JsonObject } = {},
  ): PreparedStep => {
    const own = nth === undefined ? {} : { idempotencyKey: `${base.idempotencyKey}-${nth}` }
    return step(turn({ ...base, ...own, ...over }, body), status, does, shows)
  }
  return { base, send, match: { agent: base.agent, message } }
}

/** An idempotency key that this tenant has not used, long enough to be one of a kind; the same seed gives the same key. */
export const freshKey = ({ state }: Tenant, name: string): string => `${name}-${state.random.word(24)}`

/** One row of the table of situations. */
export interface SituationDefinition<N extends SituationName> {
  readonly title: string
  /** What a client can learn from it. */
  readonly shows: string
  /** Puts the tenant into the situation, and returns what a client needs in it. */
  set(tenant: Tenant, options: SituationOptions): PreparedSituations[N] | Promise<PreparedSituations[N]>
}

export type SituationTable = { readonly [N in SituationName]: SituationDefinition<N> }
