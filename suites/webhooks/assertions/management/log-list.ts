/** Where a log has its entries, and where an entry has what it says. The contract shows no name of any. */
import type { Dialect } from '../../../config/dialect.ts'
import { json } from '../../../wire/body.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { at, type Json } from '../../../wire/json.ts'
import { isObject } from '../../../../spec/json.ts'

export type LogMember = Exclude<keyof NonNullable<Dialect['log']>, 'entries'>

/** A value somewhere in an entry. */
export interface Leaf {
  /** JSON pointer within the entry; a list is one leaf, by its length. */
  path: string
  value: string | number | boolean | null
}

export type Entry = Readonly<Record<string, Json>>

const isEntries = (value: unknown): value is readonly Entry[] =>
  Array.isArray(value) && value.every((one) => isObject(one))

/**
 * The entries of a log: where the target declares it, else the first list of objects that is found from the outside
 * in; null where there is none.
 */
export function entriesOf(log: Exchange, { log: declared }: Dialect): readonly Entry[] | null {
  const body = json(log)
  if (!body.ok) return null
  if (declared?.entries !== undefined) return listAt(body.value, declared.entries)
  return firstList([body.value])
}

/** The entries may be a list, or an object with one under each name; with `*` in the pointer, several of them. */
function listAt(value: Json, pointer: string): readonly Entry[] | null {
  const found = allAt(value, pointer).map((one) => (isObject(one) ? Object.values(one) : one))
  return found.length > 0 && found.every(isEntries) ? found.flat() : null
}

/** What a JSON pointer leads to; a step `*` leads to every item or member. */
function allAt(value: Json, pointer: string): readonly Json[] {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  return steps.reduce<readonly Json[]>((found, step) => found.flatMap((one) => partsOf(one, step)), [value])
}

function partsOf(value: Json, step: string): readonly Json[] {
  if (step === '*') return typeof value === 'object' && value !== null ? Object.values(value) : []
  const found = at(value, `/${step}`)
  return found === undefined ? [] : [found]
}

function firstList(level: readonly Json[]): readonly Entry[] | null {
  if (level.length === 0) return null
  const lists = level.filter(isEntries)
  const found = lists.find((list) => list.length > 0) ?? lists[0]
  if (found) return found
  return firstList(level.flatMap((value) => (isObject(value) ? Object.values(value) : [])))
}

/** Every value of an entry, however deep; of a list also how long it is. */
export function leavesOf(value: Json, path = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  const inner = Object.entries(value).flatMap(([name, one]: [string, Json]) =>
    leavesOf(one, `${path}/${name}`),
  )
  return Array.isArray(value) ? [{ path, value: value.length }, ...inner] : inner
}

/** What an entry says where the target declares it, several values with `*`; undefined where it declares nothing. */
export function declaredLeaves(
  entry: Entry,
  member: LogMember,
  { log: declared }: Dialect,
): readonly Leaf[] | undefined {
  const path = declared?.[member]
  if (path === undefined) return undefined
  return allAt(entry, path).map((found) => leavesOf(found, path)[0] ?? { path, value: null })
}

/** A number, also where it is written as text with or without a unit. */
export function numberOf(value: Leaf['value']): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const [, digits] = /^\s*(\d+(?:\.\d+)?)\s*(?:[a-zµ]{1,12}\.?)?\s*$/i.exec(value) ?? []
  return digits === undefined ? null : Number(digits)
}

/** A delivery that was not answered: the log shows it as one that failed, and no status with it. */
export function failedUnanswered(log: Exchange, dialect: Dialect): 'yes' | 'answered' | 'unknown' {
  const found = entriesOf(log, dialect) ?? []
  if (found.length === 0) return 'unknown'
  const declared = dialect.log?.status
  const values = found.flatMap((entry) =>
    declared === undefined ? leavesOf(entry) : (declaredLeaves(entry, 'status', dialect) ?? []),
  )
  const statuses = values.filter(({ value }) => typeof value === 'number' && value >= 100 && value <= 599)
  if (statuses.length === 0) return 'yes'
  return declared === undefined ? 'unknown' : 'answered'
}
