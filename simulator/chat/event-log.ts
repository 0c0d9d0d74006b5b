/** The events of one turn as they happen. A turn writes whether or not anybody reads. */
import type { EventSource, Follower, StreamEvent } from '../http/reply.ts'

export interface EventLog extends EventSource {
  readonly events: readonly StreamEvent[]
  push(event: StreamEvent): void
  /** Nothing comes after. With a reason, readers fail with it. */
  end(reason?: Error): void
}

/** For a turn whose events nobody will ever read. */
export const deafLog: EventLog = {
  events: [],
  push: () => undefined,
  end: () => undefined,
  follow: () => undefined,
  [Symbol.asyncIterator]: () => iterated(() => undefined),
}

export function createEventLog(): EventLog {
  const events: StreamEvent[] = []
  const followers: Follower[] = []
  const end: { came: boolean; reason?: Error } = { came: false }
  const follow = (follower: Follower): void => {
    for (const event of events) follower.event(event)
    if (end.came) follower.end(end.reason)
    else followers.push(follower)
  }
  return {
    events,
    push: (event) => {
      events.push(event)
      for (const follower of followers) follower.event(event)
    },
    end: (reason) => {
      end.came = true
      if (reason) end.reason = reason
      for (const follower of followers.splice(0)) follower.end(reason)
    },
    follow,
    [Symbol.asyncIterator]: () => iterated(follow),
  }
}

/** All of it is known. */
export function finishedLog(events: readonly StreamEvent[]): EventSource {
  const follow = (follower: Follower): void => {
    for (const event of events) follower.event(event)
    follower.end()
  }
  return { follow, [Symbol.asyncIterator]: () => iterated(follow) }
}

/** The same events one promise at a time. */
async function* iterated(follow: EventSource['follow']): AsyncGenerator<StreamEvent> {
  const ahead: StreamEvent[] = []
  const end: { came: boolean; reason?: Error } = { came: false }
  let wake = (): void => undefined
  follow({
    event: (event) => {
      ahead.push(event)
      wake()
    },
    end: (reason) => {
      end.came = true
      if (reason) end.reason = reason
      wake()
    },
  })
  for (;;) {
    const event = ahead.shift()
    if (event) yield event
    else if (end.reason) throw end.reason
    else if (end.came) return
    else await new Promise<void>((resolve) => void (wake = resolve))
  }
}
