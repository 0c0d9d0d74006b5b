/** The events of one turn as they happen. A turn writes whether or not anybody reads. */
import type { StreamEvent } from '../http/reply.ts'

export interface EventLog extends AsyncIterable<StreamEvent> {
  readonly events: readonly StreamEvent[]
  push(event: StreamEvent): void
  /** Nothing comes after. With a reason, readers fail with it. */
  end(reason?: Error): void
}

export function createEventLog(): EventLog {
  const events: StreamEvent[] = []
  const end: { came: boolean; reason?: Error } = { came: false }
  let waiting: (() => void)[] = []
  const wake = (): void => {
    const readers = waiting
    waiting = []
    for (const reader of readers) reader()
  }
  return {
    events,
    push: (event) => {
      events.push(event)
      wake()
    },
    end: (reason) => {
      end.came = true
      if (reason) end.reason = reason
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; index++) {
        while (index >= events.length && !end.came)
          await new Promise<void>((resolve) => void waiting.push(resolve))
        const event = events[index]
        if (event) yield event
        else if (end.reason) throw end.reason
        else return
      }
    },
  }
}
