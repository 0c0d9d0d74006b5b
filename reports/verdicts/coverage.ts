/** How many MUST clauses passed, failed and were not tested: each is counted once, by the worst of its checks. */
import type { Area } from '../../spec/index.ts'
import { isShown } from '../bundle/verdict.ts'
import type { ClauseRow } from './clause-verdicts.ts'

export const coverageKinds = ['passed', 'failed', 'not tested', 'not applicable', 'untestable'] as const
export type CoverageKind = (typeof coverageKinds)[number]

export interface Coverage {
  counts: Readonly<Record<CoverageKind, number>>
  /** The one denominator: every MUST clause of the clause set that applies to such a target. */
  all: number
}

export function coverageOf(rows: readonly ClauseRow[]): Coverage {
  const kinds = rows.flatMap((row) => coverageKindOf(row) ?? [])
  const count = (kind: CoverageKind): number => kinds.filter((one) => one === kind).length
  return {
    counts: {
      passed: count('passed'),
      failed: count('failed'),
      'not tested': count('not tested'),
      'not applicable': count('not applicable'),
      untestable: count('untestable'),
    },
    all: kinds.length,
  }
}

/** In the order of the rows; areas without a MUST clause are left out. */
export function coverageByArea(rows: readonly ClauseRow[]): readonly (readonly [Area, Coverage])[] {
  const areas = [...Map.groupBy(rows, ({ area }) => area)]
  return areas.map(([area, own]) => [area, coverageOf(own)] as const).filter(([, { all }]) => all > 0)
}

/** Null for a clause that is not among the MUST clauses of the set. */
export function coverageKindOf({ level, counts, verdict, findings }: ClauseRow): CoverageKind | null {
  if (level !== 'must' || !counts) return null
  if (verdict === 'fail') return 'failed'
  if (verdict === 'not-covered') return 'untestable'
  if (!isShown(findings.map((finding) => finding.verdict))) return 'not tested'
  return verdict === 'not-applicable' ? 'not applicable' : 'passed'
}

/** Clauses with a result: untestable ones and those not tested have none. */
export function testedOf({ counts, all }: Coverage): number {
  return all - counts['not tested'] - counts.untestable
}

/** Rounded down, so that only all is 100. */
export function percentPassed({ counts, all }: Coverage): number {
  return all === 0 ? 0 : Math.floor((100 * counts.passed) / all)
}

/** Such as `122 of 347 MUST clauses passed (35 %), 5 failed, 215 not tested, 5 untestable`. */
export function coverageWords(coverage: Coverage): string {
  const { counts, all } = coverage
  const others = [
    `${counts.failed} failed`,
    `${counts['not tested']} not tested`,
    ...(counts['not applicable'] > 0 ? [`${counts['not applicable']} not applicable here`] : []),
    `${counts.untestable} untestable`,
  ]
  return `${counts.passed} of ${all} MUST clauses passed (${percentPassed(coverage)} %), ${others.join(', ')}`
}
