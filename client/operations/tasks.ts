/** Tasks and approvals: one read of each, and the wait for the end of a task. */
import { ServiceError, TaskNotFinished, type TaskRecord } from '../errors.ts'
import { delayFor, now } from '../options/timeout.ts'
import { checkTime, segment } from '../http/transport.ts'
import { type JsonObject, firstAt, isObject, isText } from '../json.ts'
import { type CallOptions, type Operating, readObject } from './operations.ts'
import { receiptStatuses } from '../../spec/events.ts'
import type { TaskState } from '../../spec/types/openapi.ts'

export type Decision = 'pending' | 'approved' | 'rejected'

export interface ApprovalRecord {
  readonly id: string
  /** The service's own word for its state; null where the record has none in a place that the dialect knows. */
  readonly state: string | null
  /** What that word means; null for one that the dialect does not know. */
  readonly decision: Decision | null
  /** The `status` of the receipt of the work, where the record has that receipt. */
  readonly receiptStatus: string | null
  /** The record as it came. */
  readonly body: JsonObject
}

export interface WaitOptions extends CallOptions {
  /** Between two reads; default 1,000 ms. */
  readonly intervalMs?: number | undefined
  /** In all; default: until the task has come to its end. */
  readonly timeoutMs?: number | undefined
  /** Called with each record, such as one that says `input_required`. */
  readonly onRead?: ((task: TaskRecord) => void) | undefined
}

const finalStates: readonly string[] = ['completed', 'failed', 'cancelled'] satisfies TaskState[]

export async function readTaskRecord(
  { transport, dialect: { task } }: Operating,
  taskId: string,
  options: CallOptions,
): Promise<TaskRecord> {
  const body = await readObject(transport, `/api/v1/tasks/${segment('taskId', taskId)}`, options)
  const state = firstAt(task.state, body, isText) ?? ''
  return { id: taskId, state, isFinal: finalStates.includes(state), body }
}

const decisions = ['pending', 'approved', 'rejected'] as const satisfies Decision[]

const isReceipt = (found: unknown): found is JsonObject & { status: string } =>
  isObject(found) && receiptStatuses.some((status) => status === found['status'])

export async function readApprovalRecord(
  { transport, dialect: { approval } }: Operating,
  approvalId: string,
  options: CallOptions,
): Promise<ApprovalRecord> {
  const path = `/api/v1/approvals/${segment('approvalId', approvalId)}`
  const body = await readObject(transport, path, options)
  const state = firstAt(approval.state, body, isText) ?? null
  const isWord = (word: string): boolean => word.toLowerCase() === state?.toLowerCase()
  const decision = decisions.find((one) => approval[one].some(isWord)) ?? null
  const receiptStatus = firstAt(approval.receipt, body, isReceipt)?.status ?? null
  return { id: approvalId, state, decision, receiptStatus, body }
}

/** A read that came too often says when to come again. Anything else that goes wrong is the caller's to see. */
function waitAfter(error: unknown): number {
  if (error instanceof ServiceError && error.status === 429) return (error.retryAfterSeconds ?? 0) * 1000
  throw error
}

/** Reads until the task is completed, failed or cancelled; which of them it is, the record says. */
export async function waitForTask(
  operating: Operating,
  taskId: string,
  { intervalMs = 1_000, timeoutMs = Infinity, onRead, signal }: WaitOptions,
): Promise<TaskRecord> {
  checkTime('intervalMs', intervalMs)
  checkTime('timeoutMs', timeoutMs)
  const until = now() + timeoutMs
  let last: TaskRecord = { id: taskId, state: '', isFinal: false, body: {} }
  for (;;) {
    const read = await readTaskRecord(operating, taskId, { signal }).catch(waitAfter)
    if (typeof read !== 'number') {
      last = read
      onRead?.(last)
      if (last.isFinal) return last
    }
    const wait = Math.max(intervalMs, typeof read === 'number' ? read : 0)
    if (now() + wait > until)
      throw new TaskNotFinished(
        `The task ${taskId} ${last.state === '' ? 'was never read' : `is ${last.state}`} after ${timeoutMs} ms.`,
        'It goes on: wait for it again, longer.',
        last,
      )
    await delayFor(wait, signal)
  }
}
