/** What a request of the older variant is refused for: a code, words, and when to come back. */
import type { OperationReply } from '../../spec/operations.ts'
import type { OlderErrorBody } from '../../spec/index.ts'
import type { ChatRefusal } from '../chat/refusal.ts'
import { jsonReply, type ReplyInfo, type HeaderLine, type JsonReply } from '../server/reply.ts'
import type { TenantState } from '../tenant/tenant-state.ts'

type RefusalStatus = Exclude<OperationReply<'sendOlderMessage'>['status'], 200>

/** The simulator's own codes: none is shown. */
export const olderRefusals = {
  invalid_request: { status: 400, words: 'The body is not a valid request.' },
  idempotency_conflict: { status: 400, words: 'The idempotency key stands for another turn.' },
  invalid_key: { status: 401, words: 'The key is missing or not valid.' },
  forbidden: { status: 403, words: 'The key lacks the permission for this.' },
  insufficient_credits: { status: 403, words: 'There are not enough credits left.' },
  not_found: { status: 404, words: 'There is no such agent.' },
  rate_limited: { status: 429, words: 'Too many requests; wait before sending again.' },
  server_error: { status: 500, words: 'Something went wrong on the server.' },
} as const satisfies Record<string, { status: RefusalStatus; words: string }>

type OlderCode = keyof typeof olderRefusals

export interface OlderRefusal {
  readonly older: OlderCode
  readonly words: string
  /** Null: waiting is of no use. */
  readonly retryAfterSeconds: number | null
}

export function refuseOlder(
  older: OlderCode,
  words: string = olderRefusals[older].words,
  retryAfterSeconds: number | null = null,
): OlderRefusal {
  return { older, words, retryAfterSeconds }
}

export function isOlderRefusal(value: object): value is OlderRefusal {
  return 'older' in value
}

/** The older variant lists neither 402 nor 409 nor 503: what is refused so elsewhere has its nearest status here. */
const nearest: Readonly<Record<ChatRefusal['status'], OlderCode>> = {
  400: 'invalid_request',
  401: 'invalid_key',
  402: 'insufficient_credits',
  403: 'forbidden',
  404: 'not_found',
  409: 'idempotency_conflict',
  429: 'rate_limited',
  500: 'server_error',
  503: 'server_error',
}

export function asOlder({ status, words }: ChatRefusal): OlderRefusal {
  return refuseOlder(nearest[status], words)
}

export function refusedOlder(
  { rules }: TenantState,
  { older, words, retryAfterSeconds }: OlderRefusal,
  about: ReplyInfo,
  headers: readonly HeaderLine[],
): JsonReply {
  const error = { code: older, message: words, ...rules.olderRetryAfter(retryAfterSeconds) }
  const body = { error } satisfies OlderErrorBody
  return jsonReply(olderRefusals[older].status, body, { ...about, code: older }, headers)
}
