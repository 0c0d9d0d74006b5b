/** The responses of one server in flight: from the request headers to the last byte sent. */
import type { ServerResponse } from 'node:http'
import { afterRealTime } from '../tenant/clock/machine-time.ts'

/** Bytes waited for a client that took none of them. */
export class Stalled extends Error {
  constructor() {
    super('the client reads nothing of its answer')
  }
}

export interface OpenAnswers {
  readonly size: number
  readonly turnedAway: boolean
  add(response: ServerResponse): void
  /** From now on every connection ends with its answer, where that can still be said. */
  turnAway(): void
  /** Looks after nothing any more. */
  close(): void
}

/** The socket was silent for long. Where nothing waits to be read, that is the turn taking its time. */
function dropStalled(this: ServerResponse): void {
  if (this.writableLength > 0) this.destroy(new Stalled())
}

const endsConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/** `stalledMs`: how long bytes wait at the least for a client that takes none of them; at the most, three times that. */
export function createOpenAnswers(stalledMs: number): OpenAnswers {
  const open = new Set<ServerResponse>()
  const timed = new WeakSet<ServerResponse>()
  let away = false
  function closed(this: ServerResponse): void {
    open.delete(this)
  }
  // Few answers wait for their client, and so a timer for each of the others is not worth its cost.
  const look = (): void => {
    for (const response of open) {
      if (response.writableLength === 0 || timed.has(response)) continue
      timed.add(response)
      response.setTimeout(stalledMs).on('timeout', dropStalled)
    }
    forget = afterRealTime(stalledMs, look)
  }
  let forget = afterRealTime(stalledMs, look)
  return {
    get size() {
      return open.size
    },
    get turnedAway() {
      return away
    },
    add: (response) => {
      open.add(response)
      response.on('close', closed)
      if (away) endsConnection(response)
    },
    turnAway: () => {
      away = true
      open.forEach(endsConnection)
    },
    close: () => forget(),
  }
}
