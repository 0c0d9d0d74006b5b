/** Requests of a client, and of the owner of a world, as steps of a story. */
import { controlPath } from '../control/path.ts'
import type { Header } from '../http/reply.ts'
import type { JsonObject } from '../json.ts'
import type { Tenant } from '../tenant.ts'
import type { Request } from './ask.ts'
import type { Step } from './cast.ts'

/** What comes of a step: its status, and what stands in the answer. */
export type Outcome = Pick<Step, 'does' | 'status' | 'shows' | 'patienceMs'>

const json: Header = ['Content-Type', 'application/json']
const bearer = (apiKey: string): Header => ['Authorization', `Bearer ${apiKey}`]

export interface Turn {
  readonly apiKey: string
  readonly agent: string
  readonly message: string
  readonly idempotencyKey: string
}

/** `more`: members of the body beside the message. */
export function turn({ apiKey, agent, message, idempotencyKey }: Turn, more: JsonObject = {}): Request {
  const headers = [bearer(apiKey), json, ['Idempotency-Key', idempotencyKey]] as const
  return { method: 'POST', path: `/api/v1/chat/${agent}`, headers, body: { message, ...more } }
}

export interface Write {
  readonly apiKey: string
  readonly operation: string
  readonly input: JsonObject
  readonly idempotencyKey: string
}

/** The contract shows neither how the input is wrapped nor where the key stands, so it is as this tenant reads it. */
export function write({ readings }: Tenant, { apiKey, operation, input, idempotencyKey }: Write): Request {
  const key = {
    header: { headers: [['Idempotency-Key', idempotencyKey]] as const, members: {} },
    body: { headers: [], members: { idempotency_key: idempotencyKey } },
  }[readings['GAP-OPERATION-KEY']]
  return {
    method: 'POST',
    path: `/api/v1/operation-executions/${operation}`,
    headers: [bearer(apiKey), json, ...key.headers],
    body: { ...(readings['GAP-EXECUTION-BODY'] === 'bare' ? input : { input }), ...key.members },
  }
}

export function read(apiKey: string, path: string): Request {
  return { method: 'GET', path, headers: [bearer(apiKey)], body: null }
}

/** `path`: below the world in the control plane. */
export function control(
  tenant: Tenant,
  method: Step['method'],
  path: string,
  body: JsonObject | null = null,
): Request & { control: true } {
  const headers = body === null ? [] : [json]
  return { method, path: `${controlPath(tenant)}${path}`, headers, body, control: true }
}

/** A step is a request and what comes of it. */
export const step = (request: Request & { control?: true }, outcome: Outcome): Step => ({
  ...outcome,
  ...request,
})

/** A key that no request of this world has had, and that the same seed gives again. */
export const freshKey = ({ world }: Tenant, name: string): string => `${name}-${world.random.word(6)}`
