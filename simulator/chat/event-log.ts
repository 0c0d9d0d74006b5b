/** The events of one turn as they happen. A turn writes whether or not anybody reads. */
import type { EventSource, Follower, StreamEvent } from '../server/reply.ts'

export interface EventLog extends EventSource {
  readonly events: readonly StreamEvent[]
  push(event: StreamEvent): void
  /** Nothing comes after. With a reason, readers fail with it. */
  end(reason?: Error): void
}

/** For a turn whose events nobody will ever read. */
export const noLog: EventLog = {
  events: [],
  push: () => undefined,
  end: () => undefined,
  follow: () => () => undefined,
  [Symbol.asyncIterator]: () => iterated(() => () => undefined),
}

/** What there is to read: all who follow share it, so that one who is behind costs no more than its place. */
interface TurnEvents {
  readonly events: readonly StreamEvent[]
  ended: boolean
  reason?: Error
}

/** How far one follower has come. */
class Reading {
  readonly #turn: TurnEvents
  readonly #follower: Follower
  #next = 0
  /** `full`: accepts no more for now. `over`: the end was delivered. */
  #state: 'open' | 'full' | 'over' = 'open'

  constructor(turn: TurnEvents, follower: Follower) {
    this.#turn = turn
    this.#follower = follower
  }

  /** Gives what it has not had, as long as it takes more. */
  goOn(): void {
    const { events } = this.#turn
    while (this.#state === 'open') {
      const event = events[this.#next]
      if (!event) return this.#end()
      this.#next++
      if (!this.#follower.event(event)) this.#state = 'full'
    }
  }

  resume(): void {
    if (this.#state !== 'full') return
    this.#state = 'open'
    this.goOn()
  }

  #end(): void {
    if (!this.#turn.ended) return
    this.#state = 'over'
    this.#follower.end(this.#turn.reason)
  }
}

function begin(turn: TurnEvents, follower: Follower): Reading {
  const reading = new Reading(turn, follower)
  reading.goOn()
  return reading
}

const followedBy =
  (open: (follower: Follower) => Reading): EventSource['follow'] =>
  (follower) => {
    const reading = open(follower)
    return () => reading.resume()
  }

export function createEventLog(): EventLog {
  const events: StreamEvent[] = []
  const turn: TurnEvents = { events, ended: false }
  const readings: Reading[] = []
  const follow = followedBy((follower) => {
    const reading = begin(turn, follower)
    if (!turn.ended) readings.push(reading)
    return reading
  })
  const notify = (): void => {
    for (const reading of readings) reading.goOn()
  }
  return {
    events,
    push: (event) => {
      events.push(event)
      notify()
    },
    end: (reason) => {
      turn.ended = true
      if (reason) turn.reason = reason
      notify()
      readings.length = 0
    },
    follow,
    [Symbol.asyncIterator]: () => iterated(follow),
  }
}

/** All of it is known. */
export function finishedLog(events: readonly StreamEvent[]): EventSource {
  const follow = followedBy((follower) => begin({ events, ended: true }, follower))
  return { follow, [Symbol.asyncIterator]: () => iterated(follow) }
}

/** The same events one promise at a time. */
async function* iterated(follow: EventSource['follow']): AsyncGenerator<StreamEvent> {
  let next: StreamEvent | undefined
  const end: { came: boolean; reason?: Error } = { came: false }
  let wake = (): void => undefined
  const resume = follow({
    event: (event) => {
      next = event
      wake()
      return false
    },
    end: (reason) => {
      end.came = true
      if (reason) end.reason = reason
      wake()
    },
  })
  for (;;) {
    if (next) {
      yield next
      next = undefined
      resume()
    } else if (end.reason) throw end.reason
    else if (end.came) return
    else await new Promise<void>((resolve) => void (wake = resolve))
  }
}
