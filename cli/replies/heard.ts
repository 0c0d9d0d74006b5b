/** What came back of one turn: its events, or its reply, with the times at which they came. */
import type { Received } from '../../suites/wire/exchange.ts'
import { inflated } from '../../suites/wire/inflated.ts'
import { readBody } from '../../suites/wire/sse.ts'
import { isMembers, objectIn, textOf, type Members } from './json.ts'

/** One turn on the wire. Times in milliseconds on one clock. */
export interface Passed {
  /** Body of the request. */
  asked: Members
  sentAt: number
  answer: Received
}

export interface HeardEvent {
  at: number
  type: string
  members: Members
}

export interface Heard {
  /** Empty where no stream came. */
  events: readonly HeardEvent[]
  /** The final fields; undefined where none came. */
  reply: Members | undefined
  /** Text of the error event that a stream ended with. */
  error: string | undefined
  streamed: boolean
}

export function heard({ answer }: Passed): Heard {
  const plain = inflated(answer) ?? Buffer.concat(answer.chunks.map(({ bytes }) => bytes))
  if (!headerOf(answer, 'content-type').startsWith('text/event-stream')) {
    const reply = objectIn(Buffer.from(plain).toString())
    return { events: [], reply, error: undefined, streamed: false }
  }
  // Once inflated, nobody knows any more which read brought which event.
  const chunks = inflated(answer) ? [{ at: answer.at, bytes: plain }] : answer.chunks
  const events = readBody(plain, chunks).events.flatMap(({ at, json, terminated }): HeardEvent[] =>
    isMembers(json) && terminated ? [{ at, type: textOf(json['type']) ?? '', members: json }] : [],
  )
  const last = (type: string): Members | undefined => events.findLast((event) => event.type === type)?.members
  return { events, reply: last('done'), error: textOf(last('error')?.['error']), streamed: true }
}

/** The first header of that name, in small letters; empty where there is none. */
export function headerOf({ headers }: Pick<Received, 'headers'>, name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1].toLowerCase() ?? ''
}
