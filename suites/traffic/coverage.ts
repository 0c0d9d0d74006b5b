/** What a client of the service has to handle, and what causes each of it in tests with the simulator. */
import {
  chatErrors,
  chatStatuses,
  receiptErrors,
  type receiptStatuses,
  streamEvents,
  type taskStates,
  type ChatErrorCode,
} from '../../spec/index.ts'
import type { NetworkFaultAction } from '../../spec/types/control.ts'
import { isObject } from '../../spec/json.ts'
import { codesOf, statusOf } from '../assertions/answer.ts'
import { saysStored } from '../assertions/paused.ts'
import { events, fieldOf, fields, isReplay, isStream } from '../assertions/reply.ts'
import { asked } from '../assertions/turn.ts'
import { presents } from '../chat/assertions/presentation.ts'
import type { Decision } from '../config/dialect.ts'
import { receiptStatus } from '../operations/assertions/receipt.ts'
import { decisionIn, stateShown } from '../operations/assertions/task.ts'
import { isTurn } from '../rules/chat.ts'
import { isShownTask } from '../rules/operations.ts'
import type { Exchange } from '../wire/exchange.ts'

/** `control`: method, path below the tenant, and body of a request to the control plane. */
export type CoverageCause =
  | { readonly situation: string }
  | { readonly networkFault: NetworkFaultAction }
  | { readonly control: string }

export interface CoverageRow {
  /** Family and name. */
  readonly id: `${string}.${string}`
  readonly meaning: string
  readonly cause: CoverageCause
  holds: (one: Exchange) => boolean
}

type Row = Omit<CoverageRow, 'id'>
type Names<T> = Readonly<Record<keyof T & (string | number), string>>

const situation = (name: string): CoverageCause => ({ situation: name })

const eventSituations: Names<typeof streamEvents> = {
  token: 'tool-and-gate',
  action_start: 'tool-and-gate',
  action_complete: 'tool-and-gate',
  gate_triggered: 'tool-and-gate',
  done: 'tool-and-gate',
  error: 'stream-error',
}

const isChatStream = (one: Exchange): boolean => isTurn(one) && statusOf(one) === 200 && isStream(one)

const eventRows = Object.entries(eventSituations).map(([type, name]): CoverageRow => ({
  id: `event.${type}`,
  meaning: streamEvents[type as keyof typeof streamEvents].meaning,
  cause: situation(name),
  holds: (one) => isChatStream(one) && events(one, type).length > 0,
}))

const codeSituations: Readonly<Record<Exclude<ChatErrorCode, 'IDEMPOTENCY_KEY_REQUIRED'>, string>> = {
  INSUFFICIENT_CREDITS: 'credits-running-out',
  REQUEST_IN_PROGRESS: 'slow-turn',
  IDEMPOTENCY_CONFLICT: 'idempotency-conflict',
  OUTCOME_UNCERTAIN: 'uncertain-outcome',
  AI_REPLY_PAUSED: 'paused-conversation',
  WORKFLOW_INTERACTION_STALE: 'expired-button',
}

/** Statuses without a code in the contract. A 400 is left out: it shows a client that sends what it must not. */
const statusCauses = {
  UNAUTHORIZED: [401, situation('revoked-key')],
  FORBIDDEN: [403, situation('missing-scope')],
  NOT_FOUND: [404, { networkFault: { is: 'refuse', code: 'AGENT_NOT_FOUND' } }],
  RATE_LIMITED: [429, situation('rate-limit')],
  SERVER_ERROR: [500, situation('server-error')],
  UNAVAILABLE: [503, situation('unavailable')],
} as const satisfies Readonly<Record<string, readonly [status: keyof typeof chatStatuses, CoverageCause]>>

const errorRows: readonly CoverageRow[] = [
  ...Object.entries(codeSituations).map(([code, name]): CoverageRow => {
    const { status, meaning } = chatErrors[code as ChatErrorCode]
    return {
      id: `error.${code}`,
      meaning: `${status}: ${meaning}`,
      cause: situation(name),
      holds: (one) => isTurn(one) && statusOf(one) === status && codesOf(one).includes(code),
    }
  }),
  ...Object.entries(statusCauses).map(([name, [status, cause]]): CoverageRow => ({
    id: `error.${name}`,
    meaning: `${status}: ${chatStatuses[status]}`,
    cause,
    holds: (one) => isTurn(one) && statusOf(one) === status,
  })),
]

const isReplayed = (one: Exchange): boolean => isTurn(one) && statusOf(one) === 200 && isReplay(one)

/** Also where the body ends as its framing promises; what the client left is not known. */
const isCut = (one: Exchange): boolean =>
  isChatStream(one) &&
  one.failure?.kind !== 'aborted' &&
  events(one, 'done').length + events(one, 'error').length === 0

const isUnknown = ({ type }: Readonly<Record<string, unknown>>): boolean =>
  typeof type === 'string' && !Object.hasOwn(streamEvents, type)

const turnRows: Readonly<Record<CoverageRow['id'], Row>> = {
  'event.unknown': {
    meaning: 'An event of a type that the contract does not name.',
    cause: situation('unknown-event'),
    holds: (one) => isChatStream(one) && events(one).some(isUnknown),
  },
  'reply.filled': {
    meaning: 'A turn is answered with its reply as JSON.',
    cause: situation('idempotency-conflict'),
    holds: (one) =>
      isTurn(one) && statusOf(one) === 200 && !isStream(one) && Boolean(fieldOf(one, 'response')),
  },
  'reply.paused': {
    meaning: 'The reply is empty, because AI replies are paused.',
    cause: situation('paused-conversation'),
    holds: (one) => isTurn(one) && fieldOf(one, 'response') === '' && saysStored(fields(one)),
  },
  'reply.customer_message': {
    meaning: 'The reply has the customer message that was stored.',
    cause: situation('paused-conversation'),
    holds: (one) => isTurn(one) && isObject(fieldOf(one, 'customer_message')),
  },
  'reply.presentation': {
    meaning: 'The reply has a Workflow presentation.',
    cause: situation('expired-button'),
    holds: (one) => isTurn(one) && presents(one),
  },
  'reply.button': {
    meaning: 'The reply continues a Workflow after its button was selected.',
    cause: situation('expired-button'),
    holds: (one) => isTurn(one) && isObject(asked(one)?.['interaction']) && fields(one) !== null,
  },
  'reply.replayed': {
    meaning: 'The reply of a completed turn is replayed.',
    cause: situation('idempotency-conflict'),
    holds: (one) => isReplayed(one) && !isStream(one),
  },
  'stream.replayed': {
    meaning: 'The reply of a completed turn is replayed as a stream.',
    cause: situation('unknown-event'),
    holds: (one) => isReplayed(one) && isStream(one),
  },
  'stream.cut': {
    meaning: 'A stream ends without `done` or `error`.',
    cause: { networkFault: { is: 'cut', when: 'in' } },
    holds: isCut,
  },
  'connection.lost': {
    meaning: 'The connection is closed before an answer; the turn may have run.',
    cause: { networkFault: { is: 'cut', when: 'after' } },
    holds: ({ response, failure }) => response === null && failure?.kind === 'reset',
  },
}

const receiptSituations: Readonly<Record<(typeof receiptStatuses)[number], string>> = {
  completed: 'approval',
  accepted: 'import-task',
  pending_approval: 'approval',
  failed: 'approval-rejected',
}

const receiptErrorCauses: Readonly<Record<keyof typeof receiptErrors, CoverageCause>> = {
  OUTCOME_UNCERTAIN: { control: 'POST /states/operation.uncertain {"idempotencyKey":"…"}' },
  UPLOAD_RENEWAL_INCOMPLETE: situation('upload-lapsed'),
}

const taskCauses: Readonly<Record<(typeof taskStates)[number], CoverageCause>> = {
  queued: situation('import-task'),
  running: situation('import-task'),
  input_required: situation('task-needs-input'),
  completed: situation('import-task'),
  failed: situation('task-failed'),
  cancelled: { control: 'POST /tasks/{id} {"step":"cancel"}' },
}

const approvalSituations: Readonly<Record<Decision, string>> = {
  pending: 'approval',
  approved: 'approval',
  rejected: 'approval-rejected',
}

/** Executions, uploads and other routes of operations answer writes with a receipt. */
const isReceipt = (one: Exchange): boolean => one.request.method === 'POST' && !isTurn(one)
const isApproval = (one: Exchange): boolean =>
  one.request.path.startsWith('/api/v1/approvals/') && statusOf(one) === 200

const workRows: readonly CoverageRow[] = [
  ...Object.entries(receiptSituations).map(([status, name]): CoverageRow => ({
    id: `receipt.${status}`,
    meaning: `A receipt has the status \`${status}\`.`,
    cause: situation(name),
    holds: (one) => isReceipt(one) && receiptStatus(one) === status,
  })),
  ...Object.entries(receiptErrorCauses).map(([code, cause]): CoverageRow => ({
    id: `receipt.${code}`,
    meaning: receiptErrors[code as keyof typeof receiptErrors],
    cause,
    holds: (one) => isReceipt(one) && receiptStatus(one) === 'failed' && codesOf(one).includes(code),
  })),
  ...Object.entries(taskCauses).map(([state, cause]): CoverageRow => ({
    id: `task.${state}`,
    meaning: `A task is read in the state \`${state}\`.`,
    cause,
    holds: (one) => isShownTask(one) && stateShown(one, {}) === state,
  })),
  ...Object.entries(approvalSituations).map(([decision, name]): CoverageRow => ({
    id: `approval.${decision}`,
    meaning: `An approval is read that is ${decision}.`,
    cause: situation(name),
    holds: (one) => isApproval(one) && decisionIn(one, {}) === decision,
  })),
]

/** In the order of the report. */
export const coverageRows: readonly CoverageRow[] = [
  ...eventRows,
  ...Object.entries(turnRows).map(([id, row]) => ({ id: id as CoverageRow['id'], ...row })),
  ...errorRows,
  ...workRows,
]

/** A situation by its name. */
export function causeWords(cause: CoverageCause): string {
  if ('situation' in cause) return cause.situation
  return 'control' in cause ? cause.control : `network fault ${JSON.stringify(cause.networkFault)}`
}
