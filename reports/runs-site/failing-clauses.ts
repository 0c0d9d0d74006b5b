/** The clauses that fail: in one run, and since when over the runs of a target. */
import { clauseIds } from '../../spec/index.ts'
import type { ClauseId } from '../../spec/index.ts'
import { stateOf, type ClauseState } from './clause-states.ts'
import { failingOf, type Failing } from './clause-history.ts'
import type { RunEntry } from './entry.ts'
import { byVersion, type TargetHistory } from './targets.ts'

const bad: ReadonlySet<ClauseState> = new Set(['f', 'v'])

/** MUST clauses, waived or not: by the set of the run, because a SHOULD clause is never said to fail. */
export function mustFailuresOf({ states }: RunEntry): readonly ClauseId[] {
  return clauseIds.filter((clause) => bad.has(stateOf(states, clause)))
}

export interface FailingClause {
  clause: ClauseId
  failing: Failing
}

/** What fails as far as the runs show, in the order of the versions in which it began. */
export function failingClausesOf(target: TargetHistory): readonly FailingClause[] {
  const order = byVersion(target)
  return clauseIds
    .flatMap((clause) => {
      const failing = failingOf(target, clause)
      return failing === null ? [] : [{ clause, failing }]
    })
    .toSorted((one, other) => order.indexOf(one.failing.since) - order.indexOf(other.failing.since))
}

/** Clauses that any of the runs says something of, in the order of the catalogue. */
export function judgedClausesOf(entries: readonly RunEntry[]): readonly ClauseId[] {
  return clauseIds.filter((clause) => entries.some(({ states }) => stateOf(states, clause) !== '-'))
}
