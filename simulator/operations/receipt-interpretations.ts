/** What receipts, refusals and tasks look like under each interpretation. */
import type { OperationInterpretations } from '../rules/operations.ts'
import type { Task, TaskState } from '../tenant/operations/store.ts'
import type { JsonObject } from '../json.ts'
import type { Rules } from '../rules/tenant-state.ts'
import type { LongWork, FailedRunReceipt, RunReceipt } from '../tenant/operations/operation.ts'

const errorOf = ({ code, resolution }: FailedRunReceipt): JsonObject => ({ code, resolution })

/** `ids`: how a receipt carries the id of what it leads to. */
const receiptWith =
  (ids: (name: 'task' | 'approval', id: string) => JsonObject) =>
  (receipt: RunReceipt): JsonObject => {
    const { status } = receipt
    if (status === 'completed') return { status, data: receipt.data }
    if (status === 'failed') {
      const { approvalId } = receipt
      return { status, error: errorOf(receipt), ...(approvalId !== undefined && ids('approval', approvalId)) }
    }
    return status === 'accepted'
      ? { status, ...ids('task', receipt.taskId) }
      : { status, ...ids('approval', receipt.approvalId) }
  }

const statuses = { completed: 200, accepted: 202, pending_approval: 202, failed: 422 } as const

/** What a final task came to: its result, or its error. */
function ending({ receipt }: Task): JsonObject {
  if (receipt?.status === 'completed') return { result: receipt.data }
  return receipt?.status === 'failed' ? { error: errorOf(receipt) } : {}
}

const path =
  (...between: readonly TaskState[]) =>
  ({ ends, asksOwner }: LongWork): readonly TaskState[] => [
    'queued',
    ...between,
    ...(asksOwner ? (['input_required', ...between] as const) : []),
    ends,
  ]

const refused = (code: string, words: string, rules: Rules): JsonObject =>
  rules.errorLayout(rules.showsOwnCodes || ofContract.has(code) ? code : null, words)

const ofContract = new Set(['IDEMPOTENCY_KEY_REQUIRED', 'REQUEST_IN_PROGRESS', 'IDEMPOTENCY_CONFLICT'])

export const receiptInterpretations = {
  'GAP-RECEIPT-SHAPE': {
    flat: { receiptBody: receiptWith((name, id) => ({ [`${name}_id`]: id })) },
    nested: { receiptBody: receiptWith((name, id) => ({ [name]: { id } })) },
  },
  'GAP-RECEIPT-STATUS': {
    'by-status': { receiptStatus: ({ status }) => statuses[status] },
    always: { receiptStatus: () => 200 },
  },
  // One interpretation only: the codes stand where they arise.
  'GAP-RECEIPT-CODES': { words: {} },
  'GAP-OPERATION-REFUSAL': {
    flat: { refusalBody: refused },
    receipt: {
      refusalBody: (code, words) => ({ status: 'failed', error: { code, resolution: words } }),
    },
  },
  'GAP-OPERATION-UNKNOWN': { 'not-found': { unknownStatus: 404 }, forbidden: { unknownStatus: 403 } },
  'GAP-TASK-FIELDS': {
    result: { taskBody: (task) => ({ id: task.id, state: task.state, ...ending(task) }) },
    receipt: {
      taskBody: ({ id, state, receipt }, rules) => ({
        id,
        state,
        ...(receipt && { receipt: rules.receiptBody(receipt) }),
      }),
    },
  },
  'GAP-TASK-TRANSITIONS': { steps: { taskPath: path('running') }, short: { taskPath: path() } },
  // One interpretation only: the owner gives it by the Tenant, or by the control plane.
  'GAP-INPUT-REQUIRED': { owner: {} },
} satisfies Partial<OperationInterpretations>
