/** Carries an operation out, and makes a receipt of what came of it. */
import type { World } from '../world/world.ts'
import type { Job, LongWork, Operation } from './operation.ts'
import { failedReceipt, receiptOf, type Receipt } from './receipt.ts'
import { startTask } from './tasks.ts'

export function uncertainReceipt(): Receipt {
  return failedReceipt(
    'OUTCOME_UNCERTAIN',
    'Find out what became of it before anything is repeated, and keep the same idempotency key.',
  )
}

/** One run. `connection`: the socket that asked for it. */
export function run(world: World, operation: Operation, job: Job, connection: number): Receipt {
  const outcome = world.rules.performs(operation, job, world)
  note(world, operation, job, outcome.is)
  if (outcome.is === 'uncertain') return uncertainReceipt()
  if (outcome.is !== 'long') return receiptOf(outcome)
  const work: LongWork = outcome.work
  const { id } = startTask(world, operation, job.apiKey.account, connection, work)
  return { status: 'accepted', taskId: id }
}

function note({ clock }: World, { id, kind }: Operation, { data }: Job, outcome: string): void {
  data.runs.set(id, (data.runs.get(id) ?? 0) + 1)
  if (kind === 'write') data.audit.push({ operation: id, outcome, at: new Date(clock.now()).toISOString() })
}
