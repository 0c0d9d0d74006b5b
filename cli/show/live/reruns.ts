/** Checks that are run again, one run after the other; none begins while anything else is sent to the target. */
import type { QueuedRun } from '../../../spec/types/show.ts'
import { RefusedRequest } from '../routes/refused-request.ts'
import type { LiveFeed } from './feed.ts'

export interface RunQueue {
  /** `checks`: null for all that failed. */
  add(checks: readonly string[] | null): QueuedRun
  /** Does something else with the target. Throws a RefusedRequest with 409 while a run is in progress or queued. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Runs what is queued, and what is added later, until `stopped`. */
  work(run: (queued: QueuedRun) => Promise<void>, stopped: AbortSignal): Promise<void>
}

export function createRunQueue(feed: LiveFeed): RunQueue {
  const queued: QueuedRun[] = []
  let number = 1
  let other: Promise<unknown> = Promise.resolve()
  let wake = (): void => undefined

  return {
    add(checks) {
      number += 1
      const next = { number, checks: checks === null ? null : [...checks] }
      queued.push(next)
      feed.queue(queued)
      wake()
      return next
    },
    alone(work) {
      if (feed.busy || queued.length > 0)
        throw new RefusedRequest(
          409,
          'A run is in progress, and other requests could change its results: wait until it ends.',
        )
      const done = work()
      other = Promise.allSettled([other, done])
      return done
    },
    async work(run, stopped) {
      stopped.addEventListener('abort', () => wake(), { once: true })
      while (!stopped.aborted) {
        const [next] = queued
        if (next) {
          await other
          queued.shift()
          await run(next)
          feed.queue(queued)
        } else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
