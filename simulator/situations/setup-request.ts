/** Requests that prepare a situation: handled without a socket and not written to the journal. */
import { presentValues } from '../server/call.ts'
import type { Reply } from '../server/reply.ts'
import { createRouter, type Router } from '../server/route.ts'
import { isObject, type JsonObject } from '../json.ts'
import { services } from '../services.ts'
import type { Tenant } from '../tenant.ts'
import type { PreparedStep } from './prepared.ts'

export type Request = Pick<PreparedStep, 'method' | 'path' | 'headers' | 'body'>

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

export function cannotPrepare(reason: string): RangeError {
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
