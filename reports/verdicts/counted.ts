/** Which clauses count for a run, and at which level. */
import { clauses, levelsIn, type ClauseId, type Level } from '../../spec/index.ts'
import type { RunRecord } from '../bundle/record.ts'

export interface CountedClauses {
  has(clause: ClauseId): boolean
  /** In the catalogue, of a clause that does not count. */
  level(clause: ClauseId): Level
}

/** A record of a set that this version does not know is taken at its word: everything in it counts. */
export function countedClauses({ contract }: Pick<RunRecord, 'contract'>): CountedClauses {
  const levels = levelsIn(contract)
  return {
    has: (clause) => levels === null || Object.hasOwn(levels, clause),
    level: (clause) => levels?.[clause] ?? clauses[clause].level,
  }
}
