/** One of the processes that share the work: takes a job, sends its result, and waits for the next. */
import type { Job, Result } from './jobs.ts'
import { runJob } from './run-job.ts'

export type Answer = { done: Result } | { failed: string }

process.on('message', (job: Job) => {
  runJob(job).then(
    (done) => process.send?.({ done } satisfies Answer),
    (thrown: unknown) =>
      process.send?.({
        failed: thrown instanceof Error ? (thrown.stack ?? '') : String(thrown),
      } satisfies Answer),
  )
})
