/** What a tenant remembers of its operations. */
import { jsonLength } from '../book.ts'
import type { Random } from '../random.ts'
import { addPeople, createAccountData, listsOf, type AccountData, type Ground } from './account-data.ts'
import type { taskStates } from '../../../spec/index.ts'
import type { RunReceipt, Job, Operation, TaskPace } from './operation.ts'

export type TaskState = (typeof taskStates)[number]

export interface Task {
  readonly id: string
  readonly account: string
  readonly operation: string
  /** Id of the agent that it is about; null where there is none. */
  readonly agent: string | null
  /** Its row of the catalogue, or the renewal of an upload. */
  readonly row: Operation
  readonly job: Job
  /** The socket on which it was begun. */
  readonly connection: number
  state: TaskState
  /** Since when, in milliseconds since 1970. */
  since: number
  /** States to come. */
  readonly ahead: TaskState[]
  /** How often it was read in this state. */
  reads: number
  /** What it came to; null until it is final. */
  receipt: RunReceipt | null
}

export type ApprovalDecision = 'approved' | 'rejected'
export type ApprovalState = 'pending' | ApprovalDecision | 'expired'

export interface Approval {
  readonly id: string
  readonly account: string
  /** What runs once it is approved. */
  readonly operation: Operation
  readonly job: Job
  /** The socket on which it was asked for. */
  readonly connection: number
  /** Milliseconds since 1970. */
  readonly askedAt: number
  decision: ApprovalDecision | null
  /** What the work came to; null until it ran. */
  receipt: RunReceipt | null
}

/** What is known of one idempotency key of a write. */
export interface OperationRun {
  /** Distinguishes inputs; null where only the key is known. */
  readonly fingerprint: string | null
  /** Null: it runs now. */
  receipt: RunReceipt | null
}

/** There are as many as there are accounts. */
const all = { most: Infinity, ageMs: Infinity }
const first = { place: 0, since: 0 }

export type OperationStore = ReturnType<typeof createOperationStore>

/** `random` gives a generator of its own each time, so that a cleared store gives the same ids again. */
export function createOperationStore(random: () => Random, ground: Ground) {
  const { remember, retention } = ground
  const tasks = remember<Task>('task', retention.tasks, { sizeOf: ({ job }) => jsonLength(job.input) })
  const approvals = remember<Approval>('approval', retention.approvals)
  const runs = remember<OperationRun>('run', retention.runs, { inUse: ({ receipt }) => receipt === null })
  const data = remember<AccountData>('data', all)
  let own = random()
  const emptyDataOf = (account: string): AccountData => {
    const made = createAccountData(account, own.fork(account), ground, () => data.touch(account))
    data.restore(account, made, first)
    return made
  }
  return {
    tasks,
    approvals,
    /** By what identifies an idempotency key. */
    runs,
    /** By id of the account, as far as any was asked for. */
    data,
    /** What moves tasks on, whatever the rules say; null: what they say. Stays when the rest is cleared. */
    pace: null as TaskPace | null,
    get random(): Random {
      return own
    },
    dataOf: (account: string): AccountData => {
      const known = data.get(account)
      if (known) return known
      const made = emptyDataOf(account)
      addPeople(made)
      return made
    },
    /** The same for one that is put back: without what a project starts with. */
    emptyDataOf,
    clear: (): void => {
      for (const one of data.values()) for (const { book } of Object.values(listsOf(one))) book.clear()
      for (const book of [data, tasks, approvals, runs]) book.clear()
      own = random()
    },
  }
}
