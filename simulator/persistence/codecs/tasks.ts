/** Work that outlives its request, and its process. What is paced by time catches up with what it missed. */
import { type Task } from '../../operations/store.ts'
import { pace } from '../../operations/tasks.ts'
import { jobOf, storedJob, type StoredJob } from './job.ts'
import type { Codec } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

interface Stored extends Pick<Task, 'connection' | 'state' | 'since' | 'ahead' | 'reads' | 'receipt'> {
  readonly carries: StoredJob
}

export const taskCodec: Codec = {
  write: ({ operations }, id) => {
    const [task, place] = [operations.tasks.get(id), operations.tasks.placeOf(id)]
    if (!task || !place) return undefined
    const { row, job, connection, state, since, ahead, reads, receipt } = task
    const carries = storedJob(row, job)
    const stored: Stored = {
      carries,
      connection,
      state,
      since,
      ahead,
      reads: ahead.length > 0 ? reads : 0,
      receipt,
    }
    return { body: asBody(stored), place }
  },
  read: (state, id, { body, place }) => {
    const { carries, ...rest } = asWritten<Stored>(body)
    const { operation: row, job } = jobOf(state, carries)
    const { account } = job.apiKey
    const agent = job.agent?.id ?? null
    state.operations.tasks.restore(id, { id, account, operation: row.id, row, agent, job, ...rest }, place)
  },
  wake: (state) => {
    for (const task of state.operations.tasks.values()) pace(state, task)
  },
}
