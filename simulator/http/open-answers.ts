/** The answers of one door that are under way: from the headers of a request to the last byte on its socket. */
import type { ServerResponse } from 'node:http'

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
}

/** The socket was silent for long. Where nothing waits to be read, that is the turn taking its time. */
function dropStalled(this: ServerResponse): void {
  if (this.writableLength > 0) this.destroy(new Stalled())
}

const endsConnection = (response: ServerResponse): void => {
  if (!response.headersSent) response.shouldKeepAlive = false
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Set<ServerResponse>()
  let away = false
  function closed(this: ServerResponse): void {
    open.delete(this)
  }
  return {
    get size() {
      return open.size
    },
    get turnedAway() {
      return away
    },
    add: (response) => {
      open.add(response)
      response.on('close', closed).on('timeout', dropStalled)
      if (away) endsConnection(response)
    },
    turnAway: () => {
      away = true
      open.forEach(endsConnection)
    },
  }
}
