/** What records of tasks and approvals say of the work, and the exit code and the words that follow from it. */
import type { TaskRecord } from '../../operations/task-record.ts'
import type { ApprovalRecord } from '../../operations/tasks.ts'
import { clientExitCodes } from '../exit-codes.ts'

export interface Outcome {
  code: number
  words: string
}

export function outcomeOfTask({ id, state, isFinal }: TaskRecord): Outcome {
  if (state === 'completed') return { code: clientExitCodes.done, words: `task ${id} is completed` }
  if (isFinal)
    return {
      code: clientExitCodes.failed,
      words: `task ${id} is ${state}: what it says of that is on stdout`,
    }
  const waits = state === 'input_required' ? ': the owner has to give it what it asks for' : ''
  return {
    code: clientExitCodes.unfinished,
    words: `task ${id} is ${state || 'in an unknown state'}${waits}`,
  }
}

/** `program`: how this is called again. Only a receipt, or a rejection, is an end of the work: without one it counts as held, whatever else is there. */
export function outcomeOfApproval(
  { id, state, decision, receiptStatus }: ApprovalRecord,
  program = 'service-client',
): Outcome {
  if (receiptStatus === 'completed')
    return { code: clientExitCodes.done, words: `approval ${id}: the work was done` }
  if (receiptStatus === 'failed' || decision === 'rejected')
    return {
      code: clientExitCodes.failed,
      words: `approval ${id}: nothing came of it; it says why on stdout`,
    }
  return {
    code: clientExitCodes.unfinished,
    words: `approval ${id} is ${state ?? 'in an unknown state'}; nothing in it says that the work is done, ask again with \`${program} approvals ${id}\``,
  }
}
