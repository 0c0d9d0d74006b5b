/**
 * Which clauses count, and at which level. A clause set is published with Touchstone, or it is in a file that says what
 * it changes of a published one; a run records such a file beside the name and the digest of the set.
 */
import type { Actor, Level } from './clause.ts'
import { clauseSets } from './clause-sets/index.ts'
import { clauses } from './clauses/index.ts'

/** A clause that the base of a set does not have. Without a text it is one of the catalogue. */
export interface AddedClause {
  level: Level
  text?: string
  /** Section and row of the contract. */
  source?: string
  /** Who keeps or breaks it. Default: the server. */
  actor?: Actor
}

export interface ClauseSetFile {
  /** The month of its publication, such as `2027-03`; of a draft with a suffix, such as `2027-03-draft.1`. */
  name: string
  /** The published set that it changes. */
  base: string
  remove?: readonly string[]
  /** A text says the same in other words: a clause that demands something else needs another id. */
  change?: Readonly<Record<string, Partial<Pick<AddedClause, 'level' | 'text'>>>>
  add?: Readonly<Record<string, AddedClause>>
}

export interface NamedClauseSet {
  revision: string
  /** SHA-256, hex, over `clauseSetLines`. */
  digest: string
  /** Absent of a published set. */
  definition?: ClauseSetFile
}

/** By the ids of the clauses that count. */
export type ClauseLevels = Readonly<Record<string, Level>>

type Unsealed = Omit<NamedClauseSet, 'digest'>

export const clauseSetName = /^\d{4}-\d{2}(-[a-z0-9]+(\.[a-z0-9]+)*)?$/

/**
 * Null for a set that this version does not know, and for one that changes such a set. The catalogue may correct a
 * published set, but only to demand less; what a file says itself holds.
 */
export function levelsIn(set: Unsealed): ClauseLevels | null {
  const stated = statedLevels(set)
  if (stated === null) return null
  const levels = Object.entries(stated).map(([id, level]) => {
    const corrected = saidOf(set, id)?.level === undefined && ownIn(clauses, id)?.level === 'should'
    return [id, corrected ? ('should' as const) : level] as const
  })
  return Object.fromEntries(levels)
}

/** As the set is written, without later corrections. */
function statedLevels({ revision, definition }: Unsealed): ClauseLevels | null {
  const base = ownIn<{ levels: ClauseLevels }>(clauseSets, definition?.base ?? revision)?.levels ?? null
  if (base === null || definition === undefined) return base
  const { remove = [], change = {}, add = {} } = definition
  const kept = Object.entries(base).filter(([id]) => !remove.includes(id))
  const added = Object.entries(add).map(([id, { level }]) => [id, level] as const)
  return Object.fromEntries([
    ...kept.map(([id, level]) => [id, ownIn(change, id)?.level ?? level] as const),
    ...added,
  ])
}

/** What a set says of a clause in words of its own; undefined where those of the catalogue hold. */
export function ownText(set: Pick<NamedClauseSet, 'definition'>, id: string): string | undefined {
  return saidOf(set, id)?.text
}

function saidOf(
  { definition }: Pick<NamedClauseSet, 'definition'>,
  id: string,
): Partial<AddedClause> | undefined {
  return ownIn(definition?.add ?? {}, id) ?? ownIn(definition?.change ?? {}, id)
}

/** What the digest of a set is over, sorted: id and level of each clause, and what its file says of it, if anything. */
export function clauseSetLines(set: Unsealed): readonly string[] | null {
  const levels = statedLevels(set)
  if (levels === null) return null
  const lines = Object.entries(levels).map(([id, stated]) => {
    const said = saidOf(set, id)
    if (said === undefined) return `${id} ${stated}\n`
    const { level, text, source, actor } = said
    return `${id} ${stated} ${JSON.stringify({ level, text, source, actor })}\n`
  })
  return lines.sort()
}

/** Negative where `one` comes before `other`: by month, and drafts of a month before its set. */
export function compareClauseSets(one: string, other: string): number {
  const [month, otherMonth] = [one.slice(0, 7), other.slice(0, 7)]
  if (month !== otherMonth) return month < otherMonth ? -1 : 1
  const [suffix, otherSuffix] = [one.slice(8), other.slice(8)]
  if (suffix === '' || otherSuffix === '') return Number(suffix === '') - Number(otherSuffix === '')
  return suffix.localeCompare(otherSuffix, 'en', { numeric: true })
}

function ownIn<T>(rows: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(rows, id) ? rows[id] : undefined
}
