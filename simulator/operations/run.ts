/** Carries an operation out, and makes a receipt of what came of it. */
import type { OperationTenant } from './rules/rules.ts'
import type { Job, Operation, Outcome } from './operation.ts'
import { failedReceipt, receiptOf, type Receipt } from './receipt.ts'
import { startTask } from './tasks.ts'

export function uncertainReceipt(): Receipt {
  return failedReceipt(
    'OUTCOME_UNCERTAIN',
    'Find out what became of it before anything is repeated, and keep the same idempotency key.',
  )
}

/** One run. `connection`: the socket that asked for it. */
export function run(state: OperationTenant, operation: Operation, job: Job, connection: number): Receipt {
  const outcome = state.rules.performs(operation, job, state)
  const receipt = receiptFrom(state, operation, job, connection, outcome)
  if (operation.kind === 'write') note(state, operation, job, receipt)
  return receipt
}

function receiptFrom(
  state: OperationTenant,
  operation: Operation,
  job: Job,
  connection: number,
  outcome: Outcome,
): Receipt {
  if (outcome.is === 'uncertain') return uncertainReceipt()
  if (outcome.is !== 'long') return receiptOf(outcome)
  const { id } = startTask(state, operation, job, connection, outcome.work)
  return { status: 'accepted', taskId: id }
}

function note({ clock }: OperationTenant, { id }: Operation, { data }: Job, { status }: Receipt): void {
  data.audit.add({ operation: id, status, at: new Date(clock.date()).toISOString() })
}
