/** What a request is refused for. The table holds codes, statuses and words; the shape on the wire is a rule. */
import { chatErrors } from '../../spec/index.ts'
import type { OperationReply } from '../../spec/operations.ts'
import type { JsonObject } from '../json.ts'

type RefusalStatus = Exclude<OperationReply<'sendChatMessage'>['status'], 200>

const contract = Object.fromEntries(
  Object.entries(chatErrors).map(([code, row]) => [
    code,
    { status: row.status, words: `${row.meaning} ${row.advice}` },
  ]),
) as Record<keyof typeof chatErrors, Row>

interface Row {
  readonly status: RefusalStatus
  readonly words: string
}

/** Codes of the contract, and the simulator's own where the contract shows none. */
export const refusals = {
  ...contract,
  INVALID_BODY: { status: 400, words: 'The body is not a valid chat request.' },
  INVALID_API_KEY: { status: 401, words: 'The API key is missing or not valid.' },
  MISSING_SCOPE: { status: 403, words: 'The API key lacks the scope chat.' },
  AGENT_OUT_OF_SCOPE: { status: 403, words: 'The API key is restricted to another agent.' },
  PLAN_RESTRICTED: { status: 403, words: 'The plan does not allow this agent.' },
  AGENT_FORBIDDEN: { status: 403, words: 'The agent belongs to another account.' },
  AGENT_NOT_FOUND: { status: 404, words: 'There is no such agent.' },
  RATE_LIMITED: { status: 429, words: 'Too many requests in this minute; wait before sending again.' },
  SERVER_ERROR: { status: 500, words: 'Something went wrong on the server.' },
  UNAVAILABLE: { status: 503, words: 'The service is temporarily unavailable.' },
} as const satisfies Record<string, Row>

export interface ErrorRules {
  /** Whether a code that the contract does not name is shown. */
  showsOwnCodes: boolean
  /** Lays code, words and further members out. Code null: none is shown. */
  errorLayout(code: string | null, words: string): JsonObject
}

export type ChatRefusalCode = keyof typeof refusals

export interface ChatRefusal {
  readonly refused: ChatRefusalCode
  readonly status: RefusalStatus
  readonly words: string
  /** Further members of the body, such as `credits_required`. */
  readonly members: JsonObject
}

export function refuseChat(code: ChatRefusalCode, words?: string, members: JsonObject = {}): ChatRefusal {
  const row = refusals[code]
  return { refused: code, status: row.status, words: words ?? row.words, members }
}

export function isChatRefusal(value: unknown): value is ChatRefusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}

export function errorBody(refusal: ChatRefusal, rules: ErrorRules): JsonObject {
  const named = refusal.refused in contract || rules.showsOwnCodes
  return { ...rules.errorLayout(named ? refusal.refused : null, refusal.words), ...refusal.members }
}
