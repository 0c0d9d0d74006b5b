/** Operations that wait for the owner: their states, the decision, and what it sets going. */
import type { OperationTenant } from '../rules/operations.ts'
import {
  type Job,
  type Operation,
  failedReceipt,
  type RunReceipt,
  type TaskPace,
} from '../tenant/operations/operation.ts'
import { runOperation, uncertainReceipt, stepTask, type TaskStep } from './tasks.ts'
import type { Approval, ApprovalState, ApprovalDecision, Task } from '../tenant/operations/store.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { Book } from '../tenant/book.ts'
import type { TenantState } from '../rules/tenant-state.ts'

export function hold(state: OperationTenant, operation: Operation, job: Job, connection: number): Approval {
  const { operations, clock, rules } = state
  const approval: Approval = {
    id: `appr_${operations.random.word(16)}`,
    account: job.apiKey.account,
    operation,
    job,
    connection,
    askedAt: clock.now(),
    decision: null,
    receipt: null,
  }
  operations.approvals.set(approval.id, approval)
  if (rules.worksOn('held')) perform(state, approval)
  return approval
}

export function approvalState(
  { clock, rules }: OperationTenant,
  { decision, askedAt }: Approval,
): ApprovalState {
  if (decision) return decision
  return clock.now() - askedAt >= rules.approvalLifeMs ? 'expired' : 'pending'
}

/** Throws where it was decided already, or has lapsed. */
export function decide(tenantState: OperationTenant, approval: Approval, decision: ApprovalDecision): void {
  const state = approvalState(tenantState, approval)
  if (state === 'approved' && tenantState.rules.worksOn('decided')) return void perform(tenantState, approval)
  if (state !== 'pending')
    throw new RangeError(`Approval ${approval.id} is ${state} already; only a pending one can be decided.`)
  approval.decision = decision
  const { rules, operations } = tenantState
  operations.approvals.touch(approval.id)
  if (decision === 'rejected' && rules.worksOn('rejected')) perform(tenantState, approval)
  const waits = approval.operation.resent
  if (decision === 'approved' && rules.approvedRunsItself && !waits) proceed(tenantState, approval)
}

/** What is held runs, once. */
function proceed(state: OperationTenant, approval: Approval): void {
  if (approval.receipt !== null || !state.rules.worksOn('approved')) return
  approval.receipt = perform(state, approval)
  state.operations.approvals.touch(approval.id)
}

function perform(state: OperationTenant, { operation, job, connection }: Approval): RunReceipt {
  return runOperation(state, operation, job, connection)
}

const stopped: Readonly<Record<'rejected' | 'expired', RunReceipt>> = {
  rejected: failedReceipt(
    'APPROVAL_REJECTED',
    'The owner rejected it; ask the owner before it is sent again with a new key.',
  ),
  expired: failedReceipt('APPROVAL_EXPIRED', 'Nobody decided in time; send it again with a new key.'),
}

/** What the held request has come to by now. */
export function receiptOfApproval(tenantState: OperationTenant, approval: Approval): RunReceipt {
  const state = approvalState(tenantState, approval)
  if (state === 'rejected' || state === 'expired') return stopped[state]
  return approval.receipt ?? { status: 'pending_approval', approvalId: approval.id }
}

/** The same request came again: what was approved and waits for that runs now. */
export function resume(state: OperationTenant, approval: Approval): RunReceipt {
  if (approvalState(state, approval) === 'approved') proceed(state, approval)
  return receiptOfApproval(state, approval)
}

/** What only the owner of a project can do to its operations: decide, bring tasks on, set their pace. */
export interface Owner {
  /** Throws where there is no such approval, or it is no longer pending. */
  decide(approvalId: string, decision: ApprovalDecision): void
  /**
   * Brings a task on: to its `next` state, with the `input` that it asks for, to its end now (`finish`), or to
   * `cancel`. Throws where there is no such task, it is final, or it asks for no input.
   */
  stepTask(taskId: string, step: TaskStep): void
  /** What moves tasks on by itself from now on; null: what the rules say. */
  setTaskPace(pace: TaskPace | null): void
  /** Every approval that was asked for, the oldest first; they change as they go on. */
  approvals(): readonly Approval[]
  /** Every task, the oldest first; they change as they go on. */
  tasks(): readonly Task[]
}

function found<T>(map: Pick<Book<T>, 'get'>, kind: string, id: string): T {
  const value = map.get(id)
  if (value !== undefined) return value
  throw new RangeError(
    `There is no ${kind} ${JSON.stringify(id)} in this tenant; take its id from a receipt.`,
  )
}

export function ownerOf(state: TenantState): Owner {
  const { operations } = state
  return {
    decide: (id, decision) => decide(state, found(operations.approvals, 'approval', id), decision),
    stepTask: (id, step) => stepTask(state, found(operations.tasks, 'task', id), step),
    setTaskPace: (pace) => void (operations.pace = pace),
    approvals: () => [...operations.approvals.values()],
    tasks: () => [...operations.tasks.values()],
  }
}

/** From now on the outcome of the write with this key is not known, whether or not it came. */
export function doubtRun(state: TenantState, apiKey: ApiKey, key: string): void {
  const run = { fingerprint: null, receipt: uncertainReceipt() }
  state.operations.runs.set(state.rules.runId(apiKey, key), run)
}
