/** Work that outlives the request which began it: its states, and what moves it from one to the next. */
import { finalTaskStates, type taskStates } from '../../spec/index.ts'
import type { World } from '../world/world.ts'
import type { Job, LongWork, Operation } from './operation.ts'
import { failedReceipt, receiptOf, type Receipt } from './receipt.ts'

export type TaskState = (typeof taskStates)[number]

/** What moves a task to its next state: nothing but its start, time in ms, being read so often, or the owner. */
export type TaskPace =
  | { readonly by: 'at-once' }
  | { readonly by: 'time'; readonly stepMs: number }
  | { readonly by: 'reads'; readonly reads: number }
  | { readonly by: 'hand' }

/** What an owner does with a task. `finish` ends it now, as its work would end, whatever it waits for. */
export const taskSteps = ['next', 'input', 'finish', 'cancel'] as const
export type TaskStep = (typeof taskSteps)[number]

export interface Task {
  readonly id: string
  readonly account: string
  readonly operation: string
  /** Id of the agent that it is about; null where there is none. */
  readonly agent: string | null
  /** The socket on which it was begun. */
  readonly connection: number
  readonly work: LongWork
  state: TaskState
  /** States to come. */
  readonly ahead: TaskState[]
  /** How often it was read in this state. */
  reads: number
  /** What it came to; null until it is final. */
  receipt: Receipt | null
}

const isFinal = (state: TaskState): boolean => finalTaskStates.some((final) => final === state)

/** The owner alone moves it on from there. */
const waits = ({ state }: Task): boolean => state === 'input_required'

/** Where the work ends in another way than was meant, the task says so. */
function enter(task: Task, state: TaskState): void {
  task.reads = 0
  task.state = state
  if (!isFinal(state)) return
  const outcome = task.work.finish()
  task.receipt = receiptOf(outcome)
  if (outcome.is === 'failed' && state === 'completed') task.state = 'failed'
}

function next(task: Task): void {
  const state = task.ahead.shift()
  if (state) enter(task, state)
}

function finish(task: Task): void {
  const end = task.ahead.pop()
  task.ahead.length = 0
  if (end) enter(task, end)
}

function cancel(task: Task): void {
  if (isFinal(task.state)) return
  task.ahead.length = 0
  task.state = 'cancelled'
  task.receipt = failedReceipt('TASK_CANCELLED', 'The owner called it off; start again with a new key.')
}

const steps: Readonly<Record<TaskStep, (task: Task) => void>> = {
  next: (task) => (waits(task) ? undefined : next(task)),
  input: (task) => (waits(task) ? next(task) : undefined),
  finish,
  cancel,
}

export function startTask(
  world: World,
  { id: operation }: Operation,
  { apiKey: { account }, agent }: Job,
  connection: number,
  work: LongWork,
): Task {
  const { operations, rules } = world
  const [state = 'queued', ...ahead] = rules.taskPath(work)
  const id = `task_${operations.random.word(16)}`
  const task: Task = {
    id,
    account,
    operation,
    agent: agent?.id ?? null,
    connection,
    work,
    state,
    ahead,
    reads: 0,
    receipt: null,
  }
  operations.tasks.set(id, task)
  pace(world, task)
  return task
}

function paceOf({ operations, rules }: World): TaskPace {
  return operations.pace ?? rules.taskPace
}

/** Lets a task go on by itself, as far as its pace allows. */
function pace(world: World, task: Task): void {
  const taskPace = paceOf(world)
  if (taskPace.by === 'at-once') while (task.ahead.length > 0 && !waits(task)) next(task)
  if (taskPace.by === 'time') void wait(world, task, taskPace.stepMs)
}

async function wait(world: World, task: Task, stepMs: number): Promise<void> {
  while (task.ahead.length > 0 && !waits(task)) {
    const { length } = task.ahead
    await world.clock.sleep(Math.max(1, stepMs), { label: `task ${task.id}` })
    // A world that began anew, or an owner who was quicker, leaves nothing to do: a state may come twice, not a step.
    if (world.operations.tasks.get(task.id) !== task || task.ahead.length !== length) return
    next(task)
  }
}

/** Throws where the task is final already, or does not ask for anything. */
export function stepTask(world: World, task: Task, step: TaskStep): void {
  if (isFinal(task.state))
    throw new RangeError(`Task ${task.id} is ${task.state} already; a final state stays.`)
  if (step === 'input' && !waits(task))
    throw new RangeError(`Task ${task.id} is ${task.state} and asks for nothing; give input when it does.`)
  const { state } = task
  steps[step](task)
  if (task.state !== state) pace(world, task)
}

/** A reader has seen the task; where reads move it on, the next one may see another state. */
export function noteRead(world: World, task: Task): void {
  const taskPace = paceOf(world)
  task.reads++
  if (taskPace.by === 'reads' && !waits(task) && task.reads >= taskPace.reads) next(task)
}
