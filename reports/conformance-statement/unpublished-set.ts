/** What a clause set from a file demands less than the published one that it changes, for what is under test. */
import { levelsIn, type Level } from '../../spec/index.ts'
import type { Run } from '../bundle/record.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'

export interface UnpublishedSet {
  /** The published set. */
  base: string
  /** Ids of MUST clauses of the base that do not count. */
  removed: readonly string[]
  /** Ids of MUST clauses of the base that are SHOULD clauses here. */
  lowered: readonly string[]
}

/** Null of a published set. */
export function unpublishedSet(run: Run): UnpublishedSet | null {
  const { contract } = run.record
  if (contract.definition === undefined) return null
  const { base } = contract.definition
  const [before, after] = [{ revision: base }, contract].map((set) => levelsIn(set) ?? {})
  const musts = clauseRows(run)
    .map(({ clause }) => clause)
    .filter((clause) => before?.[clause] === 'must')
  const now = (level: Level | undefined): readonly string[] =>
    musts.filter((clause) => after?.[clause] === level)
  return { base, removed: now(undefined), lowered: now('should') }
}
