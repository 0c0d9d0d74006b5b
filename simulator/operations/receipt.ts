/** What came of an execution, before a reading gives it its shape. */
import type { Json } from '../json.ts'
import type { Completed, Failed } from './operation.ts'

export type Receipt =
  | { readonly status: 'completed'; readonly data: Json }
  | { readonly status: 'accepted'; readonly taskId: string }
  | { readonly status: 'pending_approval'; readonly approvalId: string }
  | FailedReceipt

export interface FailedReceipt {
  readonly status: 'failed'
  readonly code: string
  readonly resolution: string
  /** What the owner has to decide before it can succeed. */
  readonly approvalId?: string
}

export function failedReceipt(code: string, resolution: string): FailedReceipt {
  return { status: 'failed', code, resolution }
}

export function receiptOf(outcome: Completed | Failed): Receipt {
  return outcome.is === 'completed'
    ? { status: 'completed', data: outcome.data }
    : failedReceipt(outcome.code, outcome.resolution)
}
