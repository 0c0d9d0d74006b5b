/**
 * The runs of a session as events. What adds up is numbered and stays until the next run begins, so that a page that
 * was disconnected misses nothing; of the state only the newest counts.
 */
import type { LiveBegun, LiveEnded, LiveEvent, LiveState, QueuedRun } from '../../../spec/types/show.ts'
import { observeRun, type ObservedRun, type RunObserver } from '../../check/live-run.ts'

export interface NumberedEvent {
  id: number
  event: LiveEvent
}

export interface LiveFeed {
  /** Returns what is to see the progress of the run. */
  begin(run: Omit<LiveBegun, 'type'>): RunObserver
  end(outcome: Omit<LiveEnded, 'type'>): void
  queue(queued: readonly QueuedRun[]): void
  /** A run is in progress. */
  readonly busy: boolean
  /** Ids of the checks of the newest run; empty before they are planned. */
  readonly planned: ReadonlySet<string>
  state(): LiveState
  /** The numbered events after one; all of the newest run where that has not been sent whole. */
  after(id: number): readonly NumberedEvent[]
  /** Calls the listener after each change, until the result is called. */
  watch(listener: () => void): () => void
}

/** `now`: milliseconds of a monotonic clock. */
export function createFeed(now: () => number): LiveFeed {
  const listeners = new Set<() => void>()
  let events: NumberedEvent[] = []
  let last = 0
  let observed: ObservedRun = observeRun(now, () => undefined)
  let endState: ReturnType<ObservedRun['state']> | null = null
  let queued: readonly QueuedRun[] = []

  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const add = (event: LiveEvent): void => {
    last += 1
    events.push({ id: last, event })
    changed()
  }

  return {
    get busy() {
      return endState === null
    },
    get planned() {
      return observed.planned
    },
    begin(run) {
      events = []
      endState = null
      const own = observeRun(now, add)
      observed = own
      add({ type: 'run', ...run })
      return {
        on(progress) {
          own.on(progress)
          changed()
        },
      }
    },
    end(outcome) {
      endState = { ...observed.state(), phase: 'ended' }
      add({ type: 'ended', ...outcome })
    },
    queue(next) {
      queued = next
      changed()
    },
    state: () => ({ type: 'state', ...(endState ?? observed.state()), queued: [...queued] }),
    // A number that is yet to come is of another session.
    after: (id) => (id > last ? events : events.filter((one) => one.id > id)),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
