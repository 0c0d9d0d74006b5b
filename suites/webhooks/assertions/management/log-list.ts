/** Finds the entries of a log, and the values of an entry. The contract shows no name of any. */
import type { Dialect } from '../../../config/dialect.ts'
import { type Exchange, at, type Json, json } from '../../../wire/exchange.ts'
import { isObject } from '../../../../spec/json.ts'

export type LogMember = Exclude<keyof NonNullable<Dialect['log']>, 'entries'>

/** A value somewhere in an entry. */
export interface Leaf {
  /** JSON pointer within the entry; a list is one leaf, by its length. */
  path: string
  value: string | number | boolean | null
}

export type LogEntry = Readonly<Record<string, Json>>

const isEntries = (value: unknown): value is readonly LogEntry[] =>
  Array.isArray(value) && value.every((one) => isObject(one))

/**
 * The entries of a log: at the declared pointer, else the first list of objects from the outside in; null without
 * one.
 */
export function entriesOf(log: Exchange, { log: declared }: Dialect): readonly LogEntry[] | null {
  const body = json(log)
  if (!body.ok) return null
  if (declared?.entries !== undefined) return listAt(body.value, declared.entries)
  return firstList([body.value])
}

/** The entries may be a list, or an object with one entry for each name; with `*` in the pointer, several of them. */
function listAt(value: Json, pointer: string): readonly LogEntry[] | null {
  const found = allAt(value, pointer).map((one) => (isObject(one) ? Object.values(one) : one))
  return found.length > 0 && found.every(isEntries) ? found.flat() : null
}

/** The values at a JSON pointer; a segment `*` matches every item or member. */
function allAt(value: Json, pointer: string): readonly Json[] {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  return steps.reduce<readonly Json[]>((found, step) => found.flatMap((one) => partsOf(one, step)), [value])
}

function partsOf(value: Json, step: string): readonly Json[] {
  if (step === '*') return typeof value === 'object' && value !== null ? Object.values(value) : []
  const found = at(value, `/${step}`)
  return found === undefined ? [] : [found]
}

function firstList(level: readonly Json[]): readonly LogEntry[] | null {
  if (level.length === 0) return null
  const lists = level.filter(isEntries)
  const found = lists.find((list) => list.length > 0) ?? lists[0]
  if (found) return found
  return firstList(level.flatMap((value) => (isObject(value) ? Object.values(value) : [])))
}

/** Every value of an entry at any depth; for a list its length as well. */
export function leavesOf(value: Json, path = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  const inner = Object.entries(value).flatMap(([name, one]: [string, Json]) =>
    leavesOf(one, `${path}/${name}`),
  )
  return Array.isArray(value) ? [{ path, value: value.length }, ...inner] : inner
}

/** The values of an entry at the declared pointer, several with `*`; undefined if none is declared. */
export function declaredLeaves(
  entry: LogEntry,
  member: LogMember,
  { log: declared }: Dialect,
): readonly Leaf[] | undefined {
  const path = declared?.[member]
  if (path === undefined) return undefined
  return allAt(entry, path).map((found) => leavesOf(found, path)[0] ?? { path, value: null })
}

/** A number, or a string with a number and an optional unit. */
export function numberOf(value: Leaf['value']): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const [, digits] = /^\s*(\d+(?:\.\d+)?)\s*(?:[a-zµ]{1,12}\.?)?\s*$/i.exec(value) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Whether the log shows the delivery as failed and without a status, because nothing responded. */
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
