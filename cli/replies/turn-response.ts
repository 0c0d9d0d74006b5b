/** The response to one turn, parsed: the events of a stream or the reply. */
import type { Received } from '../../suites/wire/exchange.ts'
import { decompressed } from '../../reports/bundle/redaction/compressed.ts'
import { readStream } from '../../suites/wire/sse.ts'
import { objectIn, textOf, type Members } from './json.ts'
import { isObject } from '../../spec/json.ts'

/** A request and its response. Times in milliseconds on one clock. */
export interface RecordedTurn {
  /** Body of the request. */
  request: Members
  sentAt: number
  response: Received
}

export interface TurnEvent {
  at: number
  type: string
  members: Members
}

export interface TurnResponse {
  /** Empty without a stream. */
  events: readonly TurnEvent[]
  /** The reply, or the last event of a stream; undefined if there is none. */
  reply: Members | undefined
  /** Text of the error event of a stream. */
  error: string | undefined
  streamed: boolean
}

export function parseTurn({ response }: RecordedTurn): TurnResponse {
  const unpacked = decompressed(response)
  const isPacked = unpacked !== null && unpacked !== 'too large'
  const plain = isPacked ? unpacked : Buffer.concat(response.chunks.map(({ bytes }) => bytes))
  if (!headerOf(response, 'content-type').startsWith('text/event-stream')) {
    const reply = objectIn(Buffer.from(plain).toString())
    return { events: [], reply, error: undefined, streamed: false }
  }
  // A compressed body has no times of single events.
  const chunks = isPacked ? [{ at: response.at, bytes: plain }] : response.chunks
  const events = readStream(plain, chunks).events.flatMap(({ at, json, terminated }): TurnEvent[] =>
    isObject(json) && terminated ? [{ at, type: textOf(json['type']) ?? '', members: json }] : [],
  )
  const last = (type: string): Members | undefined => events.findLast((event) => event.type === type)?.members
  return { events, reply: last('done'), error: textOf(last('error')?.['error']), streamed: true }
}

/** The first header of this name, in lower case; empty if there is none. */
export function headerOf({ headers }: Pick<Received, 'headers'>, name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1].toLowerCase() ?? ''
}
