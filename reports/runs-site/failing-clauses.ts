/** The clauses that fail: in one run, and since when over the runs of a target. */
import { clauseIds } from '../../spec/index.ts'
import type { ClauseId } from '../../spec/index.ts'
import { stateOf, type ClauseState } from './clause-states.ts'
import { failingOf, type Failing } from './clause-history.ts'
import type { RunEntry } from './entry.ts'

const bad: ReadonlySet<ClauseState> = new Set(['f', 'v'])

/** MUST clauses, waived or not: by the set of the run, because a SHOULD clause is never said to fail. */
export function mustFailuresOf({ states }: RunEntry): readonly ClauseId[] {
  return clauseIds.filter((clause) => bad.has(stateOf(states, clause)))
}

export interface FailingClause {
  clause: ClauseId
  failing: Failing
}

/** What fails as far as the runs show, the oldest failure first. */
export function failingClausesOf(entries: readonly RunEntry[]): readonly FailingClause[] {
  return clauseIds
    .flatMap((clause) => {
      const failing = failingOf(entries, clause)
      return failing === null ? [] : [{ clause, failing }]
    })
    .toSorted((one, other) => Date.parse(one.failing.since.endedAt) - Date.parse(other.failing.since.endedAt))
}

/** Clauses that any of the runs says something of, in the order of the catalogue. */
export function judgedClausesOf(entries: readonly RunEntry[]): readonly ClauseId[] {
  return clauseIds.filter((clause) => entries.some(({ states }) => stateOf(states, clause) !== '-'))
}
