/** The responses of one server in flight: from the request headers to the last byte sent. */
import type { ServerResponse } from 'node:http'
import { afterRealTime } from '../tenant/clock/machine-time.ts'
import type { BodyRoom } from './body.ts'
import type { ServerConnection } from './connection/connection.ts'
import type { InFlightLimit } from './in-flight-limit.ts'

/** Bytes waited for a client that took none of them. */
export class Stalled extends Error {
  constructor() {
    super('the client reads nothing of its answer')
  }
}

/** One request, and the bytes that are held for it. */
export class OpenAnswer implements BodyRoom {
  readonly connection: ServerConnection
  readonly #inFlight: InFlightLimit
  #place: object
  #bytes = 0

  constructor(connection: ServerConnection, inFlight: InFlightLimit) {
    this.connection = connection
    this.#inFlight = inFlight
    this.#place = connection
  }

  /** Whose bytes they are from now on. */
  isOf(place: object): this {
    this.release()
    this.#place = place
    return this
  }

  take(bytes: number): boolean {
    if (!this.#inFlight.hasRoom(this.#place)) return false
    this.#bytes += bytes
    this.#inFlight.hold(this.#place, bytes)
    return true
  }

  release(): void {
    if (this.#bytes === 0) return
    this.#inFlight.hold(this.#place, -this.#bytes)
    this.#bytes = 0
  }
}

export interface OpenAnswers {
  readonly size: number
  readonly turnedAway: boolean
  add(response: ServerResponse, connection: ServerConnection): OpenAnswer
  /** It was never in flight, and never will be. */
  abandon(response: ServerResponse): void
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
export function createOpenAnswers(stalledMs: number, inFlight: InFlightLimit): OpenAnswers {
  const open = new Map<ServerResponse, OpenAnswer>()
  const timed = new WeakSet<ServerResponse>()
  let away = false
  const remove = (response: ServerResponse): void => {
    const answer = open.get(response)
    if (!open.delete(response)) return
    answer?.release()
    answer?.connection.ended(response)
  }
  function closed(this: ServerResponse): void {
    remove(this)
  }
  // Few answers wait for their client, and so a timer for each of the others is not worth its cost.
  const look = (): void => {
    for (const response of open.keys()) {
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
    add: (response, connection) => {
      const answer = new OpenAnswer(connection, inFlight)
      open.set(response, answer)
      response.on('close', closed)
      if (away) endsConnection(response)
      return answer
    },
    abandon: remove,
    turnAway: () => {
      away = true
      for (const response of open.keys()) endsConnection(response)
    },
    close: () => forget(),
  }
}
