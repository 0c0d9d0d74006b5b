/** Responses while no replica can own the tenant, or after this one lost it. */
import type { ErrorRules } from '../chat/refusal.ts'
import type { ServerResponse } from 'node:http'
import { retryAfter } from '../server/reply.ts'
import { safeHeaders } from '../server/safe-headers.ts'
import type { JsonObject } from '../json.ts'
import type { LocalTenant } from './place.ts'

/** The flat body of a 503, as a tenant has it, or as the control plane does. */
export function unavailableReply(rules: ErrorRules, reason: string, kind: 'service' | 'control'): JsonObject {
  if (kind === 'control') return { error: reason }
  const code = rules.showsOwnCodes ? 'UNAVAILABLE' : null
  return rules.errorLayout(code, `${reason} Send it again with the same key.`)
}

/** What was begun breaks. */
export function refuseFlat(response: ServerResponse, status: 421 | 503, body: JsonObject): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const text = JSON.stringify(body)
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', `${Buffer.byteLength(text)}`],
    ...safeHeaders,
    ...(status === 503 ? [retryAfter] : []),
  ]
  response.writeHead(status, headers.flat())
  response.end(text)
}

/** Ends the open responses of a tenant that this replica lost; the request that deleted it gets its response. */
export function breakOff({ tenant, open, deleted }: LocalTenant, reason: Error): void {
  for (const [response, kind] of open)
    if (kind === 'service' || !deleted)
      refuseFlat(response, 503, unavailableReply(tenant.state.rules, reason.message, kind))
}
