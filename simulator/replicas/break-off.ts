/** Ends the answers of a tenant that is played here no longer. */
import type { ServerResponse } from 'node:http'
import { retryAfter } from '../http/reply.ts'
import { safeHeaders } from '../http/safe-headers.ts'
import type { JsonObject } from '../json.ts'
import type { Resident } from './place.ts'

/** An answer outside of every world, flat. */
export function refuseFlat(response: ServerResponse, status: 421 | 503, body: JsonObject): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const text = JSON.stringify(body)
  response.writeHead(status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${Buffer.byteLength(text)}`,
    ...safeHeaders.flat(),
    ...(status === 503 ? retryAfter : []),
  ])
  response.end(text)
}

/** What was not begun is refused; what was begun breaks. Whoever deletes a tenant is told so. */
export function breakOff({ tenant, open, deleted }: Resident, reason: Error): void {
  const words = `${reason.message} Send it again with the same key.`
  const { rules } = tenant.world
  const body = rules.errorLayout(rules.showsOwnCodes ? 'UNAVAILABLE' : null, words)
  for (const [response, kind] of open)
    if (kind === 'service') refuseFlat(response, 503, body)
    else if (!deleted) refuseFlat(response, 503, { error: reason.message })
}
