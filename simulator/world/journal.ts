/** Everything one world was asked and answered, as raw bytes with times: a ring that counts what it dropped. */
import type { Header } from '../http/reply.ts'
import { afterRealTime } from './machine-time.ts'

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

export interface EntryFilter {
  method?: string
  /** Beginning of the path. */
  path?: string
  status?: number
  /** Only entries after this id. */
  after?: number
}

/** `kept`: they stand in the entries as they came, for a judge of clients that takes them out before disk. */
export type Credentials = 'redacted' | 'kept'

export interface Journal {
  readonly capacity: number
  readonly credentials: Credentials
  readonly dropped: number
  add(request: RecordedRequest): Entry
  /** Ends an entry; a second end changes nothing. `at`: as of the entry. */
  end(entry: Entry, closedBy: NonNullable<Entry['closedBy']>, at?: number): void
  /** Oldest first. */
  entries(filter?: EntryFilter): readonly Entry[]
  /**
   * Resolves with the entries once `count` (default 1) that ended match the filter. Rejects after `timeoutMs`
   * of real time (default 5,000), saying how many there were.
   */
  wait(options?: { filter?: EntryFilter; count?: number; timeoutMs?: number }): Promise<readonly Entry[]>
  clear(): void
  /** Ends every wait: its world is no more. */
  close(): void
}

const matches = (entry: Entry, filter: EntryFilter): boolean =>
  (filter.method === undefined || filter.method === entry.method) &&
  (filter.path === undefined || entry.path.startsWith(filter.path)) &&
  (filter.status === undefined || filter.status === entry.status) &&
  (filter.after === undefined || entry.id > filter.after)

const secretMarks = ['sk-', 'sess_', 'whsec_', 'ak_'] as const

/** A text without API keys, session tokens and webhook secrets, which clients put into the strangest places. */
export function withoutKeys(text: string): string {
  if (!secretMarks.some((mark) => text.includes(mark))) return text
  return text.replace(/(?:sk-|sess_|whsec_|\bak_)[\w-]+/g, '[redacted]')
}

/** The body of a management answer without the secret in it, whatever that looks like. */
export function withoutSecretKey(text: string): string {
  return withoutKeys(text.replace(/("secret_key"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"[redacted]"'))
}

const credentialHeaders = new Set(['authorization', 'cookie'])

/** Credentials stay out of the journal, whatever the header is called in. */
export function redacted(headers: readonly Header[]): readonly Header[] {
  return headers.map((header) => {
    const [name, value] = header
    if (credentialHeaders.has(name.toLowerCase())) return [name, '[redacted]'] as const
    const plain = withoutKeys(value)
    return plain === value ? header : ([name, plain] as const)
  })
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
  const waiters = new Set<() => void>()
  const abandon = new Set<(why: string) => void>()
  const entries = (filter: EntryFilter = {}): readonly Entry[] =>
    ring.ordered().filter((entry) => matches(entry, filter))

  const wait: Journal['wait'] = ({ filter = {}, count = 1, timeoutMs = 5_000 } = {}) =>
    new Promise((resolve, reject) => {
      const ended = (): readonly Entry[] => entries(filter).filter((entry) => entry.closedBy !== null)
      const leave = (): void => {
        forget()
        waiters.delete(check)
        abandon.delete(giveUp)
      }
      const check = (): void => {
        const found = ended()
        if (found.length < count) return
        leave()
        resolve(found)
      }
      const giveUp = (why: string): void => {
        leave()
        const asked = `${count} journal entries for ${JSON.stringify(filter)}`
        reject(new Error(`Waited for ${asked} ${why}; there are ${ended().length}.`))
      }
      const forget = afterRealTime(timeoutMs, () => giveUp(`${timeoutMs} ms`))
      abandon.add(giveUp)
      waiters.add(check)
      check()
    })

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
      for (const check of waiters) check()
    },
    entries,
    wait,
    clear: ring.clear,
    close: () => {
      for (const giveUp of abandon) giveUp('until its world was closed')
    },
  }
}
