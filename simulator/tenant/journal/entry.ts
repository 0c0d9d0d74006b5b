/** One request and its response, as raw bytes with times. */
import type { HeaderLine, TurnRecord } from '../../edge/reply.ts'
import { machineElapsed } from '../../clock/machine-time.ts'
import type { NetworkFaultAction } from '../network-fault.ts'
import { redactKeys } from '../redacted.ts'

/** Milliseconds of real time: no part of the journal as JSON, which is the same under a frozen clock. */
export const elapsed = Symbol('elapsed')

export interface JournalChunk {
  /** Milliseconds since 1970 on the clock of the tenant. */
  readonly at: number
  /** Milliseconds of real time since some moment, in fractions: events of a stream are less than one apart. */
  readonly [elapsed]?: number
  readonly bytes: Uint8Array
  /** About how many bytes, where they are yet to be made. */
  readonly length?: number
}

/** A chunk that went out as text; its bytes are made when somebody asks for them. */
export class TextChunk implements JournalChunk {
  readonly at: number
  readonly [elapsed] = machineElapsed()
  readonly #text: string
  constructor(at: number, text: string) {
    this.at = at
    this.#text = text
  }
  get bytes(): Uint8Array {
    return Buffer.from(this.#text)
  }
  /** In characters, which is about what it takes. */
  get length(): number {
    return this.#text.length
  }
}

export interface JournalEntry {
  /** Counts from 1 within a tenant. */
  readonly id: number
  /** Milliseconds since 1970 at which the request was complete. */
  readonly at: number
  /** The same moment, as `elapsed` of the chunks. */
  readonly [elapsed]?: number
  readonly method: string
  readonly path: string
  /** In the order and casing received; credentials are redacted, unless the journal keeps them. */
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
  /** 0 while nothing was answered, or when the socket was dropped. */
  status: number
  responseHeaders: readonly HeaderLine[]
  response: JournalChunk[]
  /** Null while the answer is under way. */
  closedBy: null | 'server' | 'client' | 'drop'
  /** When the answer ended, as `at`; absent while it is under way. */
  endedAt?: number
  /** What was done, whatever the answer says. */
  readonly turn: TurnRecord
  faults: readonly string[]
  networkFaults: readonly NetworkFaultAction[]
}

export type RecordedRequest = Pick<JournalEntry, 'at' | 'method' | 'path' | 'headers' | 'body'>

/** `kept`: they stand in the entries as they came, for a judge of clients that takes them out before disk. */
export type Credentials = 'redacted' | 'kept'

const none: readonly never[] = []

/** Of a request that nothing was answered to yet. `id`: 0 for an entry that no journal keeps. */
export function newEntry(id: number, { at, method, path, headers, body }: RecordedRequest): JournalEntry {
  const turn: TurnRecord = { is: 'none', charged: 0, code: '' }
  return {
    id,
    at,
    [elapsed]: machineElapsed(),
    method,
    path,
    headers,
    body,
    status: 0,
    responseHeaders: none,
    response: [],
    closedBy: null,
    turn,
    faults: none,
    networkFaults: none,
  }
}

const requests = new WeakMap<JournalEntry, RecordedRequest>()

/** Stores the request as it was received beside an entry without its credentials, which alone distinguish clients. */
export const storeReceived = (entry: JournalEntry, request: RecordedRequest): void =>
  void requests.set(entry, request)

/** A copy of the entry with its credentials, where they were stored. */
export const asReceived = (entry: JournalEntry): JournalEntry => ({ ...entry, ...requests.get(entry) })

export const requestText = (entry: JournalEntry): string => Buffer.from(entry.body).toString('utf8')

/** The body of the request as JSON; undefined where it is none. */
export function requestBodyJson(entry: JournalEntry): unknown {
  try {
    return JSON.parse(requestText(entry))
  } catch {
    return undefined
  }
}

/** The body of the answer so far, as UTF-8; of a stream, its events as they went out. */
export const responseText = (entry: JournalEntry): string =>
  Buffer.concat(entry.response.map(({ bytes }) => bytes)).toString('utf8')

const longest = 160

function excerpt(body: string): string {
  const line = redactKeys(body).replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}… (${body.length} characters)` : line
}

const endings: Readonly<Record<string, string>> = {
  drop: ', the connection was cut',
  client: ', the client went away',
}

function outcome({ status, closedBy }: JournalEntry): string {
  if (closedBy === null) return status === 0 ? 'under way' : `${status}, under way`
  return `${status === 0 ? 'no answer' : status}${endings[closedBy] ?? ''}`
}

/** Such as `#2 POST /api/v1/chat/agent_1 → 409`. */
export const entryLine = (entry: JournalEntry): string =>
  `#${entry.id} ${entry.method} ${redactKeys(entry.path)} → ${outcome(entry)}`

function paragraph(entry: JournalEntry): string {
  const [request, response] = [excerpt(requestText(entry)), excerpt(responseText(entry))]
  const bodies = [request && `    > ${request}`, response && `    < ${response}`]
  return [`  ${entryLine(entry)}`, ...bodies.filter(Boolean)].join('\n')
}

/** `most`: how many at the most, the newest. */
export function entriesText(entries: readonly JournalEntry[], most = 20): string {
  const left = entries.length - most
  const shown = entries.slice(-most).map(paragraph)
  return [...(left > 0 ? [`  … ${left} before these`] : []), ...shown].join('\n')
}

export const askedAndAnswered = (entries: readonly JournalEntry[]): string =>
  entries.length === 0
    ? 'It was asked nothing with a key of this tenant.'
    : `It was asked and answered:\n${entriesText(entries)}`
