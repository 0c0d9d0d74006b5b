/** Work that outlives the request which began it: its states, and what moves it from one to the next. */
import type { OperationTenant } from '../rules/operations.ts'
import { finalTaskStates } from '../../spec/index.ts'
import {
  completedOutcome,
  type Completed,
  type Failed,
  type Job,
  type LongWork,
  type Operation,
  type TaskPace,
  failedReceipt,
  receiptOfOutcome,
  type RunReceipt,
} from '../tenant/operations/operation.ts'
import type { Task, TaskState } from '../tenant/operations/store.ts'

/**
 * What an owner does with a task. `ask` has it ask for input, which `input` gives; `finish` ends it now, as its work
 * would end, whatever it waits for.
 */
export type TaskStep = 'next' | 'ask' | 'input' | 'finish' | 'fail' | 'cancel'

const isFinal = (state: TaskState): boolean => finalTaskStates.some((final) => final === state)

/** The owner alone moves it on from there. */
const waits = ({ state }: Task): boolean => state === 'input_required'

function outcomeOf(state: OperationTenant, { row, job }: Task): Completed | Failed {
  if (row.finish) return row.finish(state, job)
  const outcome = row.perform(state, job)
  return outcome.is === 'completed' || outcome.is === 'failed' ? outcome : completedOutcome(null)
}

/** Where the work ends in another way than was meant, the task says so. */
function enter(tenantState: OperationTenant, task: Task, state: TaskState, since: number): void {
  Object.assign(task, { state, since, reads: 0 })
  tenantState.operations.tasks.touch(task.id)
  if (!isFinal(state)) return
  const outcome = outcomeOf(tenantState, task)
  task.receipt = receiptOfOutcome(outcome)
  if (outcome.is === 'failed' && state === 'completed') task.state = 'failed'
}

/** `since`: when it came to its next state. */
function next(tenantState: OperationTenant, task: Task, since = tenantState.clock.now()): void {
  const state = task.ahead.shift()
  if (state) enter(tenantState, task, state, since)
}

function finish(state: OperationTenant, task: Task): void {
  const end = task.ahead.pop()
  task.ahead.length = 0
  if (end) enter(state, task, end, state.clock.now())
}

/** Afterwards it goes on in the state in which it asked. */
function ask(state: OperationTenant, task: Task): void {
  task.ahead.unshift(task.state)
  enter(state, task, 'input_required', state.clock.now())
}

/** It ends without its work having had an effect. */
const endAs =
  (end: 'cancelled' | 'failed', code: string, resolution: string) =>
  ({ operations }: OperationTenant, task: Task): void => {
    task.ahead.length = 0
    task.state = end
    task.receipt = failedReceipt(code, resolution)
    operations.tasks.touch(task.id)
  }

const steps: Readonly<Record<TaskStep, (state: OperationTenant, task: Task) => void>> = {
  next: (state, task) => (waits(task) ? undefined : next(state, task)),
  ask,
  input: next,
  finish,
  fail: endAs('failed', 'TASK_FAILED', 'Its work failed; start again with a new key.'),
  cancel: endAs('cancelled', 'TASK_CANCELLED', 'The owner called it off; start again with a new key.'),
}

function startTask(
  tenantState: OperationTenant,
  row: Operation,
  job: Job,
  connection: number,
  work: LongWork,
): Task {
  const { operations, rules, clock } = tenantState
  const [state = 'queued', ...ahead] = rules.taskPath(work)
  const id = `task_${operations.random.word(16)}`
  const task: Task = {
    id,
    account: job.apiKey.account,
    operation: row.id,
    row,
    agent: job.agent?.id ?? null,
    job,
    connection,
    state,
    since: clock.now(),
    ahead,
    reads: 0,
    receipt: null,
  }
  operations.tasks.set(id, task)
  pace(tenantState, task)
  return task
}

function paceOf({ operations, rules }: OperationTenant, { row }: Task): TaskPace {
  return operations.pace ?? rules.paceOf(row, rules)
}

/** Lets a task go on by itself, as far as its pace allows. */
export function pace(state: OperationTenant, task: Task): void {
  const taskPace = paceOf(state, task)
  if (taskPace.by === 'at-once') while (task.ahead.length > 0 && !waits(task)) next(state, task)
  if (taskPace.by === 'time') void wait(state, task, taskPace.stepMs)
}

async function wait(state: OperationTenant, task: Task, stepMs: number): Promise<void> {
  while (task.ahead.length > 0 && !waits(task)) {
    const { length } = task.ahead
    // From when it came to its state: a task that comes back after long is overdue.
    const due = task.since + Math.max(1, stepMs)
    const slept = state.clock.sleep(due - state.clock.now(), { label: `task ${task.id}` }).then(
      () => true,
      () => false,
    )
    // A tenant that began anew, or an owner who was quicker, leaves nothing to do: a state may come twice, not a step.
    if (!(await slept) || state.operations.tasks.get(task.id) !== task || task.ahead.length !== length) return
    next(state, task, due)
  }
}

/** Throws where the task is final already, does not ask for anything, or does already. */
export function stepTask(tenantState: OperationTenant, task: Task, step: TaskStep): void {
  if (isFinal(task.state))
    throw new RangeError(`Task ${task.id} is ${task.state} already; a final state stays.`)
  if (step === 'input' && !waits(task))
    throw new RangeError(`Task ${task.id} is ${task.state} and asks for nothing; give input when it does.`)
  if (step === 'ask' && task.state !== 'running')
    throw new RangeError(`Task ${task.id} is ${task.state}; it can ask for input while it is running.`)
  const { state } = task
  steps[step](tenantState, task)
  if (task.state !== state) pace(tenantState, task)
}

/** A reader has seen the task; where reads move it on, the next one may see another state. */
export function noteRead(state: OperationTenant, task: Task): void {
  const taskPace = paceOf(state, task)
  task.reads++
  // How often one was read that has ended moves nothing, and is not kept.
  if (task.ahead.length === 0) return
  state.operations.tasks.touch(task.id)
  if (taskPace.by === 'reads' && !waits(task) && task.reads >= taskPace.reads) next(state, task)
}

export function uncertainReceipt(): RunReceipt {
  return failedReceipt(
    'OUTCOME_UNCERTAIN',
    'Find out what became of it before anything is repeated, and keep the same idempotency key.',
  )
}

/** Carries an operation out, and makes a receipt of what came of it. `connection`: the socket that asked for it. */
export function runOperation(
  state: OperationTenant,
  operation: Operation,
  job: Job,
  connection: number,
): RunReceipt {
  const outcome = state.rules.performs(operation, job, state)
  const receiptFrom = (): RunReceipt => {
    if (outcome.is === 'uncertain') return uncertainReceipt()
    if (outcome.is !== 'long') return receiptOfOutcome(outcome)
    const { id } = startTask(state, operation, job, connection, outcome.work)
    return { status: 'accepted', taskId: id }
  }
  const receipt = receiptFrom()
  const { id, kind } = operation
  const at = new Date(state.clock.date()).toISOString()
  if (kind === 'write') job.data.audit.add({ operation: id, status: receipt.status, at })
  return receipt
}
