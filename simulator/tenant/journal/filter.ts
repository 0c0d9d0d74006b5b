/** Which entries of a journal are meant. */
import { type JournalEntry, requestBodyJson, responseText, entriesText, entryLine } from './entry.ts'
import type { ChatErrorCode, receiptErrors } from '../../../spec/index.ts'
import { isObject, type Json } from '../../json.ts'
import { afterRealTime } from '../../clock/machine-time.ts'

export type ErrorCode = ChatErrorCode | keyof typeof receiptErrors

/** Every member that is there has to hold. */
export interface EntryFilter {
  method?: string
  /** Its beginning, or a pattern that is found in it; a query belongs to the path. */
  path?: string | RegExp
  /** 0 where nothing was answered. */
  status?: number
  /** Wherever it stands in the answer. */
  code?: ErrorCode
  /** Members of the JSON body of the request; of an object within, its members, too. */
  body?: Readonly<Record<string, Json>>
  /** Headers of the request by name, in any casing: the value, or a pattern that is found in it. */
  headers?: Readonly<Record<string, string | RegExp>>
  after?: number
}

export type EntryMatch = EntryFilter | ((entry: JournalEntry) => boolean)

type Criterion = (entry: JournalEntry, filter: EntryFilter) => boolean

/** Holds where the filter has no such member, too. */
function by<M extends keyof EntryFilter>(
  member: M,
  holds: (entry: JournalEntry, wanted: NonNullable<EntryFilter[M]>) => boolean,
): Criterion {
  return (entry, { [member]: wanted }) => wanted === undefined || wanted === null || holds(entry, wanted)
}

// Not `test`, which a pattern with the flag g answers differently the second time.
const found = (text: string, pattern: RegExp): boolean => text.search(pattern) !== -1
const fits = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : found(text, wanted)

const criteria: Readonly<Record<keyof EntryFilter, Criterion>> = {
  method: by('method', ({ method }, wanted) => method === wanted.toUpperCase()),
  path: by('path', ({ path }, wanted) =>
    typeof wanted === 'string' ? path.startsWith(wanted) : found(path, wanted),
  ),
  status: by('status', ({ status }, wanted) => status === wanted),
  code: by('code', (entry, wanted) => found(responseText(entry), new RegExp(`\\b${wanted}\\b`))),
  body: by('body', (entry, wanted) => holds(requestBodyJson(entry), wanted)),
  headers: by('headers', ({ headers }, wanted) =>
    Object.entries(wanted).every(([name, value]) =>
      headers.some(([known, given]) => known.toLowerCase() === name.toLowerCase() && fits(given, value)),
    ),
  ),
  after: by('after', ({ id }, wanted) => id > wanted),
}

const names = Object.keys(criteria) as readonly (keyof EntryFilter)[]

function holds(given: unknown, wanted: Json): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(given) &&
      given.length === wanted.length &&
      wanted.every((one, at) => holds(given[at], one))
    )
  if (!isObject(wanted)) return given === wanted
  return isObject(given) && Object.entries(wanted).every(([name, value]) => holds(given[name], value))
}

/** The members of a filter that do not hold; a function has none. */
export const misfits = (entry: JournalEntry, match: EntryMatch): readonly (keyof EntryFilter)[] =>
  typeof match === 'function' ? [] : names.filter((name) => !criteria[name](entry, match))

export const matchesEntry = (entry: JournalEntry, match: EntryMatch): boolean =>
  typeof match === 'function' ? match(entry) : names.every((name) => criteria[name](entry, match))

/** A filter in words, such as `status 409, path "/api"`. */
export function wordsOf(match: EntryMatch): string {
  if (typeof match === 'function') return 'as the function says'
  const words = names.flatMap((name) => {
    const wanted = match[name]
    return wanted === undefined ? [] : `${name} ${formatted(wanted)}`
  })
  return words.length === 0 ? 'of any kind' : `with ${words.join(', ')}`
}

function formatted(wanted: NonNullable<EntryFilter[keyof EntryFilter]>): string {
  if (wanted instanceof RegExp) return String(wanted)
  return JSON.stringify(wanted, (_, value: unknown) => (value instanceof RegExp ? String(value) : value))
}

/** Waiting for entries of a journal, in real time: a client in a test is not bound to the clock of the tenant. */
export interface JournalWaitOptions {
  /** Default 1. */
  count?: number
  /** Of real time; default 5,000. */
  timeoutMs?: number
  /** Ends the wait before its time: its client went away. */
  signal?: AbortSignal
}

type Entries = (match?: EntryMatch) => readonly JournalEntry[]
type WaitFor = (match: EntryMatch, options?: JournalWaitOptions) => Promise<readonly JournalEntry[]>

interface Wait {
  found: JournalEntry[]
  saw(entry: JournalEntry): void
  giveUp(why: string): void
}

export function createWaits(entries: Entries) {
  const waits = new Set<Wait>()

  const waitFor: WaitFor = (match, { count = 1, timeoutMs = 5_000, signal } = {}) =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        forget()
        waits.delete(wait)
      }
      const settle = (): void => {
        if (wait.found.length < count) return
        leave()
        resolve(wait.found.sort((one, other) => one.id - other.id))
      }
      const wait: Wait = {
        found: entries((entry) => entry.closedBy !== null && matchesEntry(entry, match)).slice(),
        saw: (entry) => {
          if (!matchesEntry(entry, match)) return
          wait.found.push(entry)
          settle()
        },
        giveUp: (why) => {
          if (!waits.has(wait)) return
          leave()
          const asked = count === 1 ? 'an entry' : `${count} entries`
          const came = wait.found.length === 0 ? 'none came' : `${wait.found.length} came`
          const head = `Waited for ${asked} ${wordsOf(match)} ${why}, and ${came}.`
          reject(new Error(`${head} ${nearest(entries(), match)}`))
        },
      }
      const forget = afterRealTime(timeoutMs, () => wait.giveUp(`for ${timeoutMs} ms`))
      waits.add(wait)
      signal?.addEventListener('abort', () => {
        leave()
        reject(new Error('The wait was ended.'))
      })
      settle()
    })

  return {
    waitFor,
    ended: (entry: JournalEntry): void => {
      for (const wait of waits) wait.saw(entry)
    },
    /** What came before a reset is not waited for any more. */
    clear: (): void => {
      for (const wait of waits) wait.found = []
    },
    close: (): void => {
      for (const wait of waits) wait.giveUp('until its tenant was closed')
    },
  }
}

const shown = 5

/** Those that most of a filter holds for, each with what does not. */
function nearest(entries: readonly JournalEntry[], match: EntryMatch): string {
  if (entries.length === 0)
    return 'Nothing has come at all: does the client have the address, and a key of this tenant?'
  const lines = entries
    .map((entry) => ({ entry, wrong: misfits(entry, match) }))
    .sort((a, b) => a.wrong.length - b.wrong.length || b.entry.id - a.entry.id)
    .slice(0, shown)
    .map(({ entry, wrong }) => `\n  ${entryLine(entry)}${apart(entry, wrong)}`)
  return `The nearest of ${entries.length}:${lines.join('')}`
}

function apart({ closedBy }: JournalEntry, wrong: readonly string[]): string {
  if (wrong.length > 0) return ` (another ${wrong.join(', ')})`
  return closedBy === null ? ' (has not ended)' : ''
}

export async function expectNone(
  { waitFor, entries, ring }: { waitFor: WaitFor; entries: Entries; ring: { readonly dropped: number } },
  match: EntryMatch,
  { before, timeoutMs }: { before: EntryMatch; timeoutMs?: number },
): Promise<JournalEntry> {
  const [twin] = await waitFor(before, { timeoutMs })
  if (twin === undefined) throw new Error('a wait for one entry gave none')
  const unwanted = entries(match).filter(({ id }) => id < twin.id)
  const place = `before ${entryLine(twin)}`
  if (unwanted.length > 0)
    throw new Error(`Expected no entry ${wordsOf(match)} ${place}:\n${entriesText(unwanted)}`)
  if (ring.dropped > 0)
    throw new Error(
      `Nothing is known of all that came ${place}: the journal let ${ring.dropped} entries go; give a greater journalCapacity.`,
    )
  return twin
}
