/** Everything one tenant was asked and answered, as raw bytes with times: a ring that counts what it dropped. */
import type { HeaderLine } from '../../edge/reply.ts'
import { simulatorLimits } from '../../limits.ts'
import { newEntry, type Credentials, type JournalEntry, type RecordedRequest } from './entry.ts'
import { matchesEntry, type EntryMatch, createWaits, expectNone, type JournalWaitOptions } from './filter.ts'

export interface Journal {
  readonly capacity: number
  readonly credentials: Credentials
  /** Something reads it when it ends. */
  readonly isRead: boolean
  readonly dropped: number
  /** Number of the newest entry; 0 where there was none. */
  readonly last: number
  add(request: RecordedRequest): JournalEntry
  /** Ends an entry; a second end changes nothing. `at`: as of the entry. */
  end(entry: JournalEntry, closedBy: NonNullable<JournalEntry['closedBy']>, at?: number): void
  changed(entry: JournalEntry): void
  /** The entry with this number; undefined where it was dropped, or is yet to come. */
  find(id: number): JournalEntry | undefined
  /** Returns what ends the watch. */
  watch(watch: JournalWatch): () => void
  readonly watching: number
  endWatches(): void
  /** Oldest first, those under way among them. */
  entries(match?: EntryMatch): readonly JournalEntry[]
  /**
   * Resolves with the entries that match once `count` of them (default 1) have ended, oldest first. Rejects after
   * `timeoutMs` of real time (default 5,000), saying what there was instead.
   */
  waitFor(match: EntryMatch, options?: JournalWaitOptions): Promise<readonly JournalEntry[]>
  /**
   * Waits for an entry that matches `before`, and resolves with it when nothing that matches came earlier. Rejects
   * with what came; and when it never comes, because then nothing is known of what would have.
   */
  expectNone(match: EntryMatch, options: { before: EntryMatch; timeoutMs?: number }): Promise<JournalEntry>
  clear(): void
  /** Ends every wait: its tenant is no more. */
  close(): void
}

/** What an entry and a chunk take in memory beside what they hold, in bytes, about. */
const entryBytes = 500
const chunkBytes = 150

const sizeOf = (headers: readonly HeaderLine[]): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)

const requestBytes = ({ path, headers, body }: RecordedRequest): number =>
  entryBytes + path.length + sizeOf(headers) + body.length

const answerBytes = ({ responseHeaders, response }: JournalEntry): number =>
  response.reduce(
    (sum, chunk) => sum + chunkBytes + (chunk.length ?? chunk.bytes.length),
    sizeOf(responseHeaders),
  )

/** Entries by their number. The oldest go first; the newest stays, however large it is. */
function createRing(capacity: number, capacityBytes: number) {
  let places: (JournalEntry | undefined)[] = []
  let sizes: number[] = []
  /** Numbers of the oldest and of the newest, and what all of them take. */
  const kept = { first: 1, last: 0, bytes: 0 }
  const placeOf = (id: number): number => (id - 1) % capacity
  const dropFirst = (): void => {
    const place = placeOf(kept.first++)
    kept.bytes -= sizes[place] ?? 0
    places[place] = undefined
    sizes[place] = 0
  }
  const grow = (id: number, size: number): void => {
    sizes[placeOf(id)] = (sizes[placeOf(id)] ?? 0) + size
    kept.bytes += size
    while (kept.bytes > capacityBytes && kept.first < kept.last) dropFirst()
  }
  return {
    get dropped() {
      return kept.first - 1
    },
    get last() {
      return kept.last
    },
    find: (id: number): JournalEntry | undefined => {
      const entry = places[placeOf(id)]
      return entry?.id === id ? entry : undefined
    },
    add: (request: RecordedRequest): JournalEntry => {
      if (kept.last - kept.first + 1 === capacity) dropFirst()
      const entry = newEntry(++kept.last, request)
      places[placeOf(entry.id)] = entry
      grow(entry.id, requestBytes(request))
      return entry
    },
    /** Its answer is whole, and counts from now on. */
    ended: (entry: JournalEntry): void => {
      if (places[placeOf(entry.id)] === entry) grow(entry.id, answerBytes(entry))
    },
    ordered: (): readonly JournalEntry[] => {
      const start = placeOf(kept.first)
      return [...places.slice(start), ...places.slice(0, start)].filter((entry) => entry !== undefined)
    },
    clear: (): void => {
      places = []
      sizes = []
      Object.assign(kept, { first: 1, last: 0, bytes: 0 })
    },
  }
}

/**
 * `capacityBytes`: of all entries together; what an answer takes counts once it has ended. `onEnd`: called before the
 * entries are cleared, and when the journal is closed.
 */
export function createJournal(
  capacity: number = simulatorLimits.journalEntries,
  credentials: Credentials = 'redacted',
  capacityBytes: number = simulatorLimits.journalBytes,
  onEnd?: (journal: Journal) => void,
): Journal {
  const ring = createRing(capacity, capacityBytes)
  const entries: Journal['entries'] = (match = {}) =>
    ring.ordered().filter((entry) => matchesEntry(entry, match))
  const waits = createWaits(entries)
  const watches = createWatches()

  const journal: Journal = {
    capacity,
    credentials,
    isRead: onEnd !== undefined,
    get dropped() {
      return ring.dropped
    },
    get last() {
      return ring.last
    },
    add: (request) => {
      const entry = ring.add(request)
      watches.changed(entry.id)
      return entry
    },
    changed: ({ id }) => watches.changed(id),
    find: ring.find,
    watch: watches.add,
    get watching() {
      return watches.size
    },
    endWatches: watches.end,
    end: (entry, closedBy, at) => {
      if (entry.closedBy !== null) return
      entry.closedBy = closedBy
      if (at !== undefined) entry.endedAt = at
      ring.ended(entry)
      waits.ended(entry)
      watches.changed(entry.id)
    },
    entries,
    waitFor: waits.waitFor,
    expectNone: (match, options) => expectNone({ entries, waitFor: waits.waitFor, ring }, match, options),
    clear: () => {
      onEnd?.(journal)
      // What is under way ends later, which is news to nobody who waits for what comes from now on.
      for (const entry of ring.ordered()) entry.closedBy ??= 'drop'
      ring.clear()
      waits.clear()
      watches.clear()
    },
    close: () => {
      onEnd?.(journal)
      waits.close()
      watches.end()
    },
  }
  return journal
}

/** Called while a request is answered: only notes what changed, and reads the journal later. */
export interface JournalWatch {
  /** An entry was added, or something was added to it. */
  changed(id: number): void
  /** All entries are gone, and numbers begin at 1 again. */
  cleared(): void
  ended(): void
}

function createWatches() {
  const watches = new Set<JournalWatch>()
  return {
    get size() {
      return watches.size
    },
    add: (watch: JournalWatch): (() => void) => {
      watches.add(watch)
      return () => void watches.delete(watch)
    },
    changed: (id: number): void => {
      if (watches.size === 0 || id === 0) return
      for (const watch of watches) watch.changed(id)
    },
    clear: (): void => {
      for (const watch of watches) watch.cleared()
    },
    end: (): void => {
      for (const watch of watches) watch.ended()
      watches.clear()
    },
  }
}
