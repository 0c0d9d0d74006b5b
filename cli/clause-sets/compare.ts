/** What differs between two clause sets, and which checks that concerns. */
import { clauses, clauseText, contractIdentifiers, levelsIn, ownText } from '../../spec/index.ts'
import type { ClauseId, Identifiers, Level, NamedClauseSet } from '../../spec/index.ts'
import { clientScenarios } from '../../suites/clients/index.ts'
import { receiverScenarios } from '../../suites/receivers/index.ts'
import { checkId } from '../../suites/runner/outcome/judge.ts'
import { serverScenarios } from '../../suites/scenarios.ts'

export const setChangeKinds = ['added', 'removed', 'raised', 'lowered', 'reworded'] as const
export type SetChangeKind = (typeof setChangeKinds)[number]

export interface ClauseIn {
  level: Level
  text: string
}

export interface SetChange {
  clause: string
  change: SetChangeKind
  /** Its wording differs, whatever else does. */
  reworded: boolean
  /** Null of a clause that the set does not have. */
  from: ClauseIn | null
  to: ClauseIn | null
  /** Ids of the checks of the clause. */
  checks: readonly string[]
}

/** By kind, then by id. */
export function compareSets(
  from: NamedClauseSet,
  to: NamedClauseSet,
  identifiers: Identifiers = contractIdentifiers,
): readonly SetChange[] {
  const [before, after] = [from, to].map((set) => levelsIn(set) ?? {})
  const checks = checksByClause()
  const ids = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  const changes = ids.flatMap((clause): SetChange[] => {
    const [was, is] = [clauseIn(from, clause, before?.[clause]), clauseIn(to, clause, after?.[clause])]
    const change = changeOf(was, is)
    if (change === null) return []
    const reworded = was !== null && is !== null && was.text !== is.text
    return [{ clause, change, reworded, from: was, to: is, checks: checks.get(clause) ?? [] }]
  })
  return setChangeKinds.flatMap((kind) => changes.filter(({ change }) => change === kind))

  function clauseIn(set: NamedClauseSet, id: string, level: Level | undefined): ClauseIn | null {
    if (level === undefined) return null
    const text =
      ownText(set, id) ?? (Object.hasOwn(clauses, id) ? clauseText(id as ClauseId, identifiers) : '')
    return { level, text }
  }
}

function changeOf(was: ClauseIn | null, is: ClauseIn | null): SetChangeKind | null {
  if (was === null) return 'added'
  if (is === null) return 'removed'
  if (was.level !== is.level) return is.level === 'must' ? 'raised' : 'lowered'
  return was.text === is.text ? null : 'reworded'
}

function checksByClause(): ReadonlyMap<string, readonly string[]> {
  const scenarios = { ...serverScenarios, ...receiverScenarios, ...clientScenarios }
  const checks = Object.entries(scenarios).flatMap(([id, { judge }]) =>
    (Object.keys(judge) as ClauseId[]).map((clause) => ({ clause, check: checkId(id, clause) })),
  )
  const groups = Map.groupBy<string, (typeof checks)[number]>(checks, ({ clause }) => clause)
  return new Map([...groups].map(([clause, own]) => [clause, own.map(({ check }) => check)]))
}
