/** Everything one world was asked and answered, as raw bytes with times: a ring that counts what it dropped. */
import type { Header } from '../http/reply.ts'

export interface Chunk {
  /** Milliseconds since 1970 on the clock of the world. */
  readonly at: number
  readonly bytes: Uint8Array
}

export interface Entry {
  /** Counts from 1 within a world. */
  readonly id: number
  /** Milliseconds since 1970 at which the request was complete. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** In the order and casing received; credentials are redacted. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** 0 while nothing was answered, or when the socket was dropped. */
  status: number
  responseHeaders: readonly Header[]
  readonly response: Chunk[]
  /** Null while the answer is under way. */
  closedBy: null | 'server' | 'client' | 'drop'
}

export interface EntryFilter {
  method?: string
  /** Beginning of the path. */
  path?: string
  status?: number
  /** Only entries after this id. */
  after?: number
}

export interface Journal {
  readonly capacity: number
  readonly dropped: number
  add(entry: Omit<Entry, 'id' | 'status' | 'responseHeaders' | 'response' | 'closedBy'>): Entry
  /** Ends an entry; a second end changes nothing. */
  end(entry: Entry, closedBy: NonNullable<Entry['closedBy']>): void
  /** Oldest first. */
  entries(filter?: EntryFilter): readonly Entry[]
  /**
   * Resolves with the entries once `count` (default 1) that ended match the filter. Rejects after `timeoutMs`
   * of real time (default 5,000), saying how many there were.
   */
  wait(options?: { filter?: EntryFilter; count?: number; timeoutMs?: number }): Promise<readonly Entry[]>
  clear(): void
}
