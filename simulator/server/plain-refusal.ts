/** Answers that no handler gave. */
import type { Json } from '../json.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { jsonReply, retryAfter, type HeaderLine, type JsonReply, type ReplyInfo } from './reply.ts'
import { safeHeaders } from './safe-headers.ts'

export const nobody: ReplyInfo = { operation: 'none' }

export const ownCodes = {
  400: 'INVALID_BODY',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  500: 'SERVER_ERROR',
  503: 'UNAVAILABLE',
} as const

export function plainRefusal(
  state: TenantState,
  status: keyof typeof ownCodes,
  words: string,
  headers: readonly HeaderLine[] = [],
): JsonReply {
  const code = ownCodes[status]
  const body: Json = state.rules.errorLayout(state.rules.showsOwnCodes ? code : null, words)
  return jsonReply(status, body, nobody, [...safeHeaders, ...headers])
}

const crowdedWords =
  'Too many requests are in flight, or too many bytes of them: read the responses, and try again when some have ended.'

/** The simulator has as much in flight as it may. */
export const crowdedReply = (state: TenantState): JsonReply =>
  plainRefusal(state, 503, crowdedWords, [retryAfter])
