/** What only the owner of a project can do to its operations: decide, bring tasks on, set their pace. */
import { type Task, type Approval, type ApprovalDecision } from './store.ts'
import type { ApiKey } from '../tenant/principals.ts'
import type { Book } from '../tenant/book.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { decide } from './approvals.ts'
import { uncertainReceipt } from './run.ts'
import type { TaskPace } from './operation.ts'
import { stepTask, type TaskStep } from './tasks.ts'

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
  state.operations.runs.set(state.rules.runId(apiKey, key), {
    fingerprint: null,
    receipt: uncertainReceipt(),
  })
}
