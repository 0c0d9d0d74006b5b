/** What happened in a world before anybody looks: requests without a socket, which no journal keeps. */
import { present } from '../http/call.ts'
import type { Reply } from '../http/reply.ts'
import { createRouter, type Router } from '../http/route.ts'
import { isObject, type JsonObject } from '../json.ts'
import { services } from '../services.ts'
import type { Tenant } from '../tenant.ts'
import type { Step } from './cast.ts'

export type Request = Pick<Step, 'method' | 'path' | 'headers' | 'body'>

let router: Router | undefined

/** The body of the answer. Throws where the world, as it is now, refuses the request. */
export async function ask({ world }: Tenant, { method, path, headers, body }: Request): Promise<JsonObject> {
  router ??= createRouter([], services)
  const found = router.find(method, path, world)
  if (found.is !== 'service') throw new Error(`The service has no ${method} ${path}.`)
  const bytes = Buffer.from(body === null ? '' : JSON.stringify(body))
  const place = { id: 0, connection: 0, door: 1, presence: present }
  const call = { ...place, method, path, params: found.params, headers, body: bytes }
  return accepted(await found.route.handle(world, call), path)
}

function accepted(reply: Reply, path: string): JsonObject {
  if (reply.kind === 'json' && reply.status < 300 && isObject(reply.body)) return reply.body
  const told = reply.kind === 'json' ? `${reply.status} ${JSON.stringify(reply.body)}` : reply.kind
  throw new RangeError(
    `The scenario cannot be arranged: ${path} answered ${told}. Arrange it in a tenant without deviations.`,
  )
}

/** A text of an answer, wherever in it the first member of that name stands. */
export function textIn(body: JsonObject, member: string): string {
  const found = objectsIn(body).find((object) => typeof object[member] === 'string')?.[member]
  if (typeof found === 'string') return found
  throw new RangeError(`The scenario cannot be arranged: an answer lacks ${member}.`)
}

/** The button of a presentation that comes first, as it is copied into the next turn. */
export function buttonIn(body: JsonObject): JsonObject {
  const found = objectsIn(body).find(({ type }) => type === 'workflow_button')
  if (!found) throw new RangeError('The scenario cannot be arranged: no button was offered.')
  const { type = null, runId = null, nodeId = null, payload = null } = found
  return { type, runId, nodeId, payload }
}

/** An object and every object within it, the outer ones first. */
function objectsIn(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isObject(value)) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}
