/** Which entries of a journal are meant. */
import type { JournalEntry } from './entry.ts'
import type { ChatErrorCode, receiptErrors } from '../../../spec/index.ts'
import { isObject, type Json } from '../../json.ts'
import { requestBodyJson, responseText } from './text.ts'

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
  /** Only entries after this id. */
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
