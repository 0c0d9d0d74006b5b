/** Which clauses count for a run. Later clauses are provisional: judged, without effect on conformance and gate. */
import { clauseSets, clauses, newestRevision, type Level, type Revision } from '../../spec/index.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'

/** Levels by the ids of the clauses that count. */
export type ClauseSet = Readonly<Record<string, Level>>

export function clauseSetOf(revision: string): ClauseSet {
  return isRevision(revision) ? clauseSets[revision].levels : {}
}

/** What a run was held against; without a revision, the newest. */
export function contractOf(revision: Revision = newestRevision): RunRecord['contract'] {
  return { revision, digest: clauseSets[revision].digest }
}

function isRevision(revision: string): revision is Revision {
  return Object.hasOwn(clauseSets, revision)
}

/** A gap is never provisional: it is never judged in the first place. */
export function isProvisional(subject: string, counted: ClauseSet): boolean {
  return Object.hasOwn(clauses, subject) && !Object.hasOwn(counted, subject)
}
