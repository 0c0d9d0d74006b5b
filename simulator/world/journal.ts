/** Everything one world was asked and answered, as raw bytes with times: a ring that counts what it dropped. */
import type { Header } from '../http/reply.ts'
import { matches, type EntryMatch } from './journal-filter.ts'
import { createWaits, expectNone, type WaitOptions } from './journal-waits.ts'

export interface Chunk {
  /** Milliseconds since 1970 on the clock of the world. */
  readonly at: number
  readonly bytes: Uint8Array
}

/** A chunk that went out as text; its bytes are made when somebody asks for them. */
export class TextChunk implements Chunk {
  readonly at: number
  readonly #text: string
  constructor(at: number, text: string) {
    this.at = at
    this.#text = text
  }
  get bytes(): Uint8Array {
    return Buffer.from(this.#text)
  }
}

export interface Entry {
  /** Counts from 1 within a world. */
  readonly id: number
  /** Milliseconds since 1970 at which the request was complete. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** In the order and casing received; credentials are redacted, unless the journal keeps them. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** 0 while nothing was answered, or when the socket was dropped. */
  status: number
  responseHeaders: readonly Header[]
  readonly response: Chunk[]
  /** Null while the answer is under way. */
  closedBy: null | 'server' | 'client' | 'drop'
  /** When the answer ended, as `at`; absent while it is under way. */
  endedAt?: number
}

export type RecordedRequest = Pick<Entry, 'at' | 'method' | 'path' | 'headers' | 'body'>

/** `kept`: they stand in the entries as they came, for a judge of clients that takes them out before disk. */
export type Credentials = 'redacted' | 'kept'

export interface Journal {
  readonly capacity: number
  readonly credentials: Credentials
  readonly dropped: number
  add(request: RecordedRequest): Entry
  /** Ends an entry; a second end changes nothing. `at`: as of the entry. */
  end(entry: Entry, closedBy: NonNullable<Entry['closedBy']>, at?: number): void
  /** Oldest first, those under way among them. */
  entries(match?: EntryMatch): readonly Entry[]
  /**
   * Resolves with the entries that match once `count` of them (default 1) have ended, oldest first. Rejects after
   * `timeoutMs` of real time (default 5,000), saying what there was instead.
   */
  waitFor(match: EntryMatch, options?: WaitOptions): Promise<readonly Entry[]>
  /**
   * Waits for an entry that matches `before`, and resolves with it when nothing that matches came earlier. Rejects
   * with what came; and when it never comes, because then nothing is known of what would have.
   */
  expectNone(match: EntryMatch, options: { before: EntryMatch; timeoutMs?: number }): Promise<Entry>
  clear(): void
  /** Ends every wait: its world is no more. */
  close(): void
}

/** An entry that no journal keeps. */
export function unkept(request: RecordedRequest): Entry {
  return { id: 0, ...request, status: 0, responseHeaders: [], response: [], closedBy: null }
}

/** Entries by their number, the oldest overwritten first. */
function createRing(capacity: number) {
  let places: Entry[] = []
  let count = 0
  return {
    get dropped() {
      return Math.max(0, count - capacity)
    },
    add: (make: (id: number) => Entry): Entry => {
      const entry = make(count + 1)
      places[count % capacity] = entry
      count++
      return entry
    },
    ordered: (): readonly Entry[] => {
      const start = count > capacity ? count % capacity : 0
      return start === 0 ? places : [...places.slice(start), ...places.slice(0, start)]
    },
    clear: (): void => {
      places = []
      count = 0
    },
  }
}

export function createJournal(capacity = 10_000, credentials: Credentials = 'redacted'): Journal {
  const ring = createRing(capacity)
  const entries: Journal['entries'] = (match = {}) => ring.ordered().filter((entry) => matches(entry, match))
  const waits = createWaits(entries)

  return {
    capacity,
    credentials,
    get dropped() {
      return ring.dropped
    },
    add: (request) => ring.add((id) => ({ ...unkept(request), id })),
    end: (entry, closedBy, at) => {
      if (entry.closedBy !== null) return
      entry.closedBy = closedBy
      if (at !== undefined) entry.endedAt = at
      waits.ended(entry)
    },
    entries,
    waitFor: waits.waitFor,
    expectNone: (match, options) => expectNone({ entries, waitFor: waits.waitFor, ring }, match, options),
    clear: () => {
      ring.clear()
      waits.clear()
    },
    close: waits.close,
  }
}
