/** What came of an operation. */
import type { Dialect } from '../options/dialect.ts'
import { firstAt, isId, isObject, isText, type JsonObject } from '../json.ts'
import { serviceErrorOf, type ServiceResponse } from '../http/refusal.ts'
import { isSuccess } from '../http/transport.ts'

interface Common {
  /** The receipt as it came. */
  readonly body: JsonObject
  /** Of what the owner has to decide; null where the receipt names none. */
  readonly approvalId: string | null
}

/** The work is done. Of a spreadsheet it is the call that is done, and neither import nor training. */
export interface CompletedReceipt extends Common {
  readonly status: 'completed'
  readonly data: unknown
}

/** The work goes on as a task: `waitForTask(taskId)`. */
export interface AcceptedReceipt extends Common {
  readonly status: 'accepted'
  /** Null where the receipt names none in a place that the dialect knows. */
  readonly taskId: string | null
}

/** Nothing was done yet, the owner has to decide: `readApproval(approvalId)` before it counts as finished. */
export interface PendingApprovalReceipt extends Common {
  readonly status: 'pending_approval'
}

export interface FailedReceipt extends Common {
  readonly status: 'failed'
  readonly error: {
    /** Such as `OUTCOME_UNCERTAIN`: then reconcile, and keep the key. */
    readonly code: string
    /** What to do; a text wherever the service gives one. */
    readonly resolution: unknown
  }
}

export type Receipt = CompletedReceipt | AcceptedReceipt | PendingApprovalReceipt | FailedReceipt

function idAt(pointers: readonly string[], body: JsonObject): string | null {
  const id = firstAt(pointers, body, isId)
  return id === undefined ? null : String(id)
}

/** Null where it is no receipt. */
function receiptOf(body: unknown, { receipt: { taskId, approvalId } }: Dialect): Receipt | null {
  if (!isObject(body)) return null
  const { status, data, error } = body
  const common = { body, approvalId: idAt(approvalId, body) }
  if (status === 'completed') return { status, data, ...common }
  if (status === 'accepted') return { status, taskId: idAt(taskId, body), ...common }
  if (status === 'pending_approval') return { status, ...common }
  if (status !== 'failed' || !isObject(error) || !isText(error['code'])) return null
  return { status, error: { code: error['code'], resolution: error['resolution'] }, ...common }
}

/** A key that is refused and a rate that was too high are no outcome of an operation, whatever they look like. */
const refusals = [401, 403, 429]

/** Every receipt is given, also one of a failure, whatever status it has; whatever else came is thrown. */
export function receiptFrom(answer: ServiceResponse, dialect: Dialect): Receipt {
  const receipt = refusals.includes(answer.status) ? null : receiptOf(answer.body, dialect)
  if (receipt) return receipt
  throw serviceErrorOf(answer, isSuccess(answer) ? notAReceipt : undefined)
}

const notAReceipt =
  'This is no receipt: read what the service says about its receipts, and send the same again only with the same key.'
