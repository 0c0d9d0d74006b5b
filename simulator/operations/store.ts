/** What a world remembers of its operations. */
import type { Book, Remember } from '../world/book.ts'
import type { Random } from '../world/random.ts'
import type { Retention } from '../world/retention.ts'
import { createAccountData, type AccountData } from './account-data.ts'
import type { Approval } from './approvals.ts'
import type { Receipt } from './receipt.ts'
import type { Task, TaskPace } from './tasks.ts'

/** What is known of one idempotency key of a write. */
export interface RunRecord {
  /** Tells the same input from another; null where only the key is known. */
  readonly fingerprint: string | null
  /** Null: it runs now. */
  receipt: Receipt | null
}

export interface OperationStore {
  /** For ids. */
  readonly random: Random
  /** By id, the oldest first. */
  readonly tasks: Book<Task>
  /** By id, the oldest first. */
  readonly approvals: Book<Approval>
  /** By what identifies an idempotency key. */
  readonly runs: Book<RunRecord>
  /** What moves tasks on, whatever the rules say; null: what they say. Stays when the rest is cleared. */
  pace: TaskPace | null
  /** Of an account, by its id. */
  dataOf(account: string): AccountData
  clear(): void
}

interface Ground {
  readonly remember: Remember
  readonly retention: Retention
}

/** `random` gives a generator of its own each time, so that a cleared store gives the same ids again. */
export function createOperationStore(random: () => Random, { remember, retention }: Ground): OperationStore {
  const accounts = new Map<string, AccountData>()
  const tasks = remember<Task>('task', retention.tasks)
  const approvals = remember<Approval>('approval', retention.approvals)
  const runs = remember<RunRecord>('run', retention.runs, { inUse: ({ receipt }) => receipt === null })
  let own = random()
  return {
    tasks,
    approvals,
    runs,
    pace: null,
    get random() {
      return own
    },
    dataOf: (account) => {
      const data = accounts.get(account) ?? createAccountData(own.fork(account))
      accounts.set(account, data)
      return data
    },
    clear: () => {
      for (const book of [accounts, tasks, approvals, runs]) book.clear()
      own = random()
    },
  }
}
