/** The clause set that a run names: whether it is what its digest says, and which of its clauses have no check yet. */
import { clauseSetLines, clauses, type Actor, type NamedClauseSet } from '../spec/index.ts'
import type { RunRecord } from './record.ts'
import { sha256 } from './seal/digest.ts'

/** Null for a set that this version does not know. */
export function clauseSetDigest(set: Omit<NamedClauseSet, 'digest'>): string | null {
  const lines = clauseSetLines(set)
  return lines === null ? null : sha256(lines.join(''))
}

/** Why it is not known what a set is, or that it is not what its digest says; null if neither. */
export function clauseSetProblem({ revision, digest, definition }: NamedClauseSet): string | null {
  if (definition !== undefined && definition.name !== revision)
    return `the clause set ${revision} is defined as ${definition.name}`
  const found = clauseSetDigest({ revision, ...(definition && { definition }) })
  if (found === null)
    return definition === undefined
      ? `this version has no clause set ${revision}: use the version of Touchstone that judged the run`
      : `the clause set ${revision} changes ${definition.base}, which this version does not have: use the version of Touchstone that judged the run`
  return found === digest ? null : `the clause set ${revision} has another digest`
}

/** Such as `2026-11`, or `2027-03-draft.1 (a file that changes 2026-11)`. */
export function clauseSetWords({ revision, definition }: NamedClauseSet): string {
  return definition === undefined ? revision : `${revision} (a file that changes ${definition.base})`
}

type UnderTest = Pick<RunRecord['target'], 'kind' | 'client'>

/** MUST clauses of a set, for what is under test, that are not in the catalogue, so that no check covers them. */
export function uncheckedClauses({ definition }: NamedClauseSet, target: UnderTest): readonly string[] {
  const actors = actorsOf(target)
  return Object.entries(definition?.add ?? {})
    .filter(([id, { level, actor = 'server' }]) => {
      return level === 'must' && !Object.hasOwn(clauses, id) && actors.includes(actor)
    })
    .map(([id]) => id)
}

function actorsOf({ kind, client }: UnderTest): readonly Actor[] {
  if (kind === 'receiver') return ['receiver']
  if (kind !== 'client') return ['server', 'sender']
  return [client?.as === 'command-line' ? 'command-line' : 'library']
}
