/** Carries an operation out, and makes a receipt of what came of it. */
import type { OperationTenant } from './rules/rules.ts'
import type { Job, Operation, OperationOutcome } from './operation.ts'
import { failedReceipt, receiptOfOutcome, type RunReceipt } from './receipt.ts'
import { startTask } from './tasks.ts'

export function uncertainReceipt(): RunReceipt {
  return failedReceipt(
    'OUTCOME_UNCERTAIN',
    'Find out what became of it before anything is repeated, and keep the same idempotency key.',
  )
}

/** One run. `connection`: the socket that asked for it. */
export function runOperation(
  state: OperationTenant,
  operation: Operation,
  job: Job,
  connection: number,
): RunReceipt {
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
  outcome: OperationOutcome,
): RunReceipt {
  if (outcome.is === 'uncertain') return uncertainReceipt()
  if (outcome.is !== 'long') return receiptOfOutcome(outcome)
  const { id } = startTask(state, operation, job, connection, outcome.work)
  return { status: 'accepted', taskId: id }
}

function note({ clock }: OperationTenant, { id }: Operation, { data }: Job, { status }: RunReceipt): void {
  data.audit.add({ operation: id, status, at: new Date(clock.date()).toISOString() })
}
