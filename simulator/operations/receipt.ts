/** What came of an execution, before an interpretation gives it its shape. */
import type { Json } from '../json.ts'
import type { Completed, Failed } from './operation.ts'

export type RunReceipt =
  | { readonly status: 'completed'; readonly data: Json }
  | { readonly status: 'accepted'; readonly taskId: string }
  | { readonly status: 'pending_approval'; readonly approvalId: string }
  | FailedRunReceipt

export interface FailedRunReceipt {
  readonly status: 'failed'
  readonly code: string
  readonly resolution: string
  /** What the owner has to decide before it can succeed. */
  readonly approvalId?: string
}

export function failedReceipt(code: string, resolution: string): FailedRunReceipt {
  return { status: 'failed', code, resolution }
}

export function receiptOfOutcome(outcome: Completed | Failed): RunReceipt {
  return outcome.is === 'completed'
    ? { status: 'completed', data: outcome.data }
    : failedReceipt(outcome.code, outcome.resolution)
}
