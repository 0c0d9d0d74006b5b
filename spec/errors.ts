/** Error codes that the contract names, with the status each comes with. Sections Chat status codes, 409 codes and Operation errors. */
import type { ClauseId } from './clauses/index.ts'

export interface ChatError {
  status: Exclude<keyof typeof chatStatuses, 200>
  /** The clause that requires this code: one of `spec/clauses/`. */
  clause: ClauseId
  meaning: string
  advice: string
}

const rows = {
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    clause: 'IDEM-KEY-REQUIRED-CODE',
    meaning: 'A billable turn was sent without an idempotency key.',
    advice: 'Send a key in the body or in one of the two headers.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    clause: 'CRED-EMPTY-CODE',
    meaning: 'The credits left do not cover the turn.',
    advice: 'Add credits; the body says how many are required and left when that is known.',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    clause: 'IDEM-IN-FLIGHT-CODE',
    meaning: 'The first turn with this key is still being processed.',
    advice: 'Wait, then send the same request again.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    clause: 'IDEM-CONFLICT-CODE',
    meaning: 'The key was already used for a different message.',
    advice: 'Use a new key for a new message.',
  },
  OUTCOME_UNCERTAIN: {
    status: 409,
    clause: 'IDEM-UNCERTAIN-CODE',
    meaning: 'The outcome of the earlier turn with this key is not known.',
    advice: 'Reconcile the earlier turn first; never use a new key for it.',
  },
  AI_REPLY_PAUSED: {
    status: 409,
    clause: 'PAUSE-INTERACTION-CODE',
    meaning: 'A Workflow interaction was sent while AI replies are paused.',
    advice: 'Send a plain message, or wait until replies are active again.',
  },
  WORKFLOW_INTERACTION_STALE: {
    status: 409,
    clause: 'FLOW-STALE-CODE',
    meaning: 'The selected button is no longer current.',
    advice: 'Read the latest turn and select a current button.',
  },
} as const satisfies Record<string, ChatError>

export type ChatErrorCode = keyof typeof rows

export const chatErrors: Readonly<Record<ChatErrorCode, Readonly<ChatError>>> = rows

/** Statuses of the chat route and what each means. Section Chat status codes. */
export const chatStatuses = {
  200: 'Success, including an idempotent replay.',
  400: 'Invalid body, or no idempotency key.',
  401: 'Invalid or missing API key.',
  402: 'Not enough credits.',
  403: 'The key lacks `chat`, is outside its agent scope, or the plan does not allow the agent.',
  404: 'Agent not found.',
  409: 'In-flight duplicate, idempotency conflict, uncertain earlier turn, paused AI interaction or stale Workflow.',
  429: 'Rate limited.',
  500: 'Server error.',
  503: 'Service temporarily unavailable.',
} as const

/** Codes of a failed operation receipt that the contract names; the full list is not shown. */
export const receiptErrors = {
  OUTCOME_UNCERTAIN: 'Reconcile before repeating a consequential action; keep the same key.',
  UPLOAD_RENEWAL_INCOMPLETE: 'Read the error receipt for the pending action.',
} as const
