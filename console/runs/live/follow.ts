/** The runs of a session, as `touchstone check --ui` reports them while they go on. */
import { computed, signal } from '@preact/signals'
import { followEvents, openEvents } from '../../state/event-stream.ts'
import type { Schemas } from '../api.ts'

type LiveEvent = Schemas['LiveEvent']

/** The newest run; null before it is known. */
export const liveRun = signal<Schemas['LiveBegun'] | null>(null)
export const liveState = signal<Schemas['LiveState'] | null>(null)
/** In the order found. */
export const liveFailures = signal<readonly Schemas['LiveFailure'][]>([])
/** How the newest run ended; null while it is in progress. */
export const liveEnd = signal<Schemas['LiveEnded'] | null>(null)
/** Why no events come; it is tried again by itself. */
export const liveProblem = signal<string | null>(null)
/** Changes with each run that has ended: the list of runs is another one then. */
export const endedRuns = computed(() => (liveEnd.value ? (liveRun.value?.number ?? 0) : 0))

type Handlers = { readonly [K in LiveEvent['type']]: (event: Extract<LiveEvent, { type: K }>) => void }

const handlers: Handlers = {
  run(event) {
    liveRun.value = event
    liveFailures.value = []
    liveEnd.value = null
  },
  failure: (event) => void (liveFailures.value = [...liveFailures.value, event]),
  ended: (event) => void (liveEnd.value = event),
  state: (event) => void (liveState.value = event),
}

const apply = <K extends LiveEvent['type']>(event: Extract<LiveEvent, { type: K }>): void =>
  (handlers as Record<string, (event: LiveEvent) => void>)[event.type]?.(event)

/** Follows from the event that was received last, over breaks of the connection, until the result is called. */
export function followLiveRun(): () => void {
  let last = '0'
  return followEvents(
    async (ended) => {
      const events = await openEvents('/api/live/events', ended, last)
      liveProblem.value = null
      for await (const { id, data } of events) {
        apply(JSON.parse(data) as LiveEvent)
        last = id ?? last
      }
    },
    (problem) => (liveProblem.value = problem),
  )
}
