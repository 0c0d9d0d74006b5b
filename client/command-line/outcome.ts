/** What records of tasks and approvals say of the work, and the exit code and the words that follow from it. */
import type { ApprovalRecord, TaskRecord } from '../tasks.ts'
import { exitCodes } from './exit-codes.ts'

export interface Outcome {
  code: number
  /** For a person. */
  words: string
}

export function outcomeOfTask({ id, state, isFinal }: TaskRecord): Outcome {
  if (state === 'completed') return { code: exitCodes.done, words: `task ${id} is completed` }
  if (isFinal)
    return { code: exitCodes.failed, words: `task ${id} is ${state}: what it says of that is on stdout` }
  const waits = state === 'input_required' ? ': the owner has to give it what it asks for' : ''
  return {
    code: exitCodes.unfinished,
    words: `task ${id} is ${state || 'in no state that was told'}${waits}`,
  }
}

/**
 * The contract does not show the record: where it carries no receipt, or is one, that tells of an end, the work counts
 * as held, whatever else it says.
 */
export function outcomeOfApproval({ id, state, body }: ApprovalRecord): Outcome {
  const status = statusOf(body['receipt']) ?? statusOf(body)
  if (status === 'completed') return { code: exitCodes.done, words: `approval ${id}: the work was done` }
  if (status === 'failed')
    return { code: exitCodes.failed, words: `approval ${id}: nothing came of it; it says why on stdout` }
  return {
    code: exitCodes.unfinished,
    words: `approval ${id} is ${state ?? 'in no state that was told'}; nothing in it says that the work is done, ask again with \`service-client approvals ${id}\``,
  }
}

function statusOf(receipt: unknown): unknown {
  return typeof receipt === 'object' && receipt !== null && 'status' in receipt ? receipt.status : undefined
}
