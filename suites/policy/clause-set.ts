/** Which clauses count for a run, and at which level. Others are provisional: judged, without effect on its answers. */
import { clauses, clauseSets, levelsIn, newestRevision } from '../../spec/index.ts'
import type { ClauseId, ClauseLevels, NamedClauseSet, Revision } from '../../spec/index.ts'
import type { Finding } from '../../reports/bundle/record.ts'

/** Levels by the ids of the clauses that count; none of a set that this version does not know. */
export function clauseSetOf(set: Omit<NamedClauseSet, 'digest'>): ClauseLevels {
  return levelsIn(set) ?? {}
}

/** A published set; without a revision, the newest. */
export function contractOf(revision: Revision = newestRevision): NamedClauseSet {
  return { revision, digest: clauseSets[revision].digest }
}

/** A gap is never provisional: it is never judged in the first place. */
export function isProvisional(subject: string, counted: ClauseLevels): boolean {
  return Object.hasOwn(clauses, subject) && !Object.hasOwn(counted, subject)
}

/**
 * The finding at the level that its clause has in the set, or else in the catalogue: a failure of a SHOULD clause is a
 * warning. What its judge itself called a warning stays one.
 */
export function atLevel(finding: Finding, counted: ClauseLevels): Finding {
  const { subject } = finding
  if (!Object.hasOwn(clauses, subject)) return finding
  const level = Object.hasOwn(counted, subject) ? counted[subject] : clauses[subject as ClauseId].level
  const { softened, ...plain } = finding
  const broken = softened === true || plain.verdict === 'fail'
  if (level === undefined) return finding
  if (!broken) return { ...plain, level }
  return level === 'must'
    ? { ...plain, level, verdict: 'fail' }
    : { ...plain, level, verdict: 'warn', softened: true }
}
