/** Every clause that the run could have judged, with the one verdict that its checks come to: the worst of them. */
import {
  apartAreas,
  areaOf,
  areas,
  clauseIds,
  type Area,
  type ClauseId,
  type Level,
} from '../../spec/index.ts'
import { clauseVerdict } from '../bundle/verdict.ts'
import type { Finding, Run, Verdict } from '../bundle/record.ts'
import { countedClauses, type CountedClauses, areasUnderTest, isClause, rowsOf } from './rows.ts'

/** `not-planned`: no check of it belongs to this run. `not-covered`: no check of it exists. */
export type ClauseVerdict = Verdict | 'not-planned' | 'not-covered'

export interface ClauseRow {
  clause: ClauseId
  area: Area
  level: Level
  verdict: ClauseVerdict
  findings: readonly Finding[]
  /** Why no check covers it. */
  why?: string
  /** It belongs to the set that the run was held against. */
  counts: boolean
}

/** In the order of the catalogue; what is judged apart is not among them. */
export function clauseRows(run: Run): readonly ClauseRow[] {
  return allRows(run).filter(({ clause }) => !isApart(clause))
}

/** Those that are judged apart, where this run asked for them. */
export function apartClauseRows(run: Run): readonly ClauseRow[] {
  return allRows(run).filter(({ clause }) => isApart(clause))
}

function allRows(run: Run): readonly ClauseRow[] {
  const checked = Map.groupBy(rowsOf(run), ({ subject }) => subject)
  const bare = new Map(run.record.uncovered.map(({ clause, why }) => [clause, why]))
  const counted = countedClauses(run.record)
  const own = areasUnderTest(run).flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  const ids = new Set([...own, ...[...checked.keys()].filter(isClause), ...bare.keys()])
  return clauseIds
    .filter((clause) => ids.has(clause))
    .map((clause) => rowOf(clause, checked.get(clause) ?? [], bare.get(clause), counted))
}

function rowOf(
  clause: ClauseId,
  findings: readonly Finding[],
  why: string | undefined,
  counted: CountedClauses,
) {
  const level = findings.map((finding) => finding.level).find((level) => level !== 'silent')
  const worst = clauseVerdict(findings.map((finding) => finding.verdict))
  const verdict: ClauseVerdict = worst ?? (why === undefined ? 'not-planned' : 'not-covered')
  const row = {
    clause,
    area: areaOf[clause],
    level: level ?? counted.level(clause),
    verdict,
    findings,
    counts: counted.has(clause),
  }
  return why === undefined ? row : { ...row, why }
}

const apart: readonly Area[] = apartAreas
const isApart = (clause: ClauseId): boolean => apart.includes(areaOf[clause])
