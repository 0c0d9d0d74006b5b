/** Requests of a client, and of the owner of the tenant, as steps of a situation. */
import { controlPath } from '../control/path.ts'
import type { HeaderLine } from '../server/reply.ts'
import type { JsonObject } from '../json.ts'
import type { Tenant } from '../tenant.ts'
import type { Request } from './setup-request.ts'
import type { PreparedStep } from './prepared.ts'

const json: HeaderLine = ['Content-Type', 'application/json']
const bearer = (apiKey: string): HeaderLine => ['Authorization', `Bearer ${apiKey}`]

export interface SituationTurn {
  readonly apiKey: string
  readonly agent: string
  readonly message: string
  readonly idempotencyKey: string
}

/** `more`: members of the body besides the message. */
export function turn(
  { apiKey, agent, message, idempotencyKey }: SituationTurn,
  more: JsonObject = {},
): Request {
  const headers = [bearer(apiKey), json, ['Idempotency-Key', idempotencyKey]] as const
  return { method: 'POST', path: `/api/v1/chat/${agent}`, headers, body: { message, ...more } }
}

export interface Write {
  readonly apiKey: string
  readonly operation: string
  readonly input: JsonObject
  readonly idempotencyKey: string
}

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

/** An idempotency key that this tenant has not used; the same seed gives the same key. */
export const freshKey = ({ state }: Tenant, name: string): string => `${name}-${state.random.word(6)}`
