/** One request and its response, as raw bytes with times. */
import type { HeaderLine } from '../../edge/reply.ts'

export interface JournalChunk {
  /** Milliseconds since 1970 on the clock of the tenant. */
  readonly at: number
  readonly bytes: Uint8Array
  /** About how many bytes, where they are yet to be made. */
  readonly length?: number
}

/** A chunk that went out as text; its bytes are made when somebody asks for them. */
export class TextChunk implements JournalChunk {
  readonly at: number
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
}

export type RecordedRequest = Pick<JournalEntry, 'at' | 'method' | 'path' | 'headers' | 'body'>

/** `kept`: they stand in the entries as they came, for a judge of clients that takes them out before disk. */
export type Credentials = 'redacted' | 'kept'

/** Of a request that nothing was answered to yet. `id`: 0 for an entry that no journal keeps. */
export function newEntry(id: number, { at, method, path, headers, body }: RecordedRequest): JournalEntry {
  return { id, at, method, path, headers, body, status: 0, responseHeaders: [], response: [], closedBy: null }
}
