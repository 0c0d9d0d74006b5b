/** What a result does not cover, in one line each, with the reason. */
import type { Run } from '../bundle/record.ts'
import { counted } from '../html/elements/words.ts'
import { scopeTexts } from '../run/scope.ts'
import type { ClauseRow } from '../verdicts/clause-verdicts.ts'
import { coverageKindOf } from '../verdicts/coverage.ts'
import { uncheckedWords } from '../verdicts/rows.ts'
import { groupsOf } from '../verdicts/not-exercised.ts'

export function leftOutLines({ record }: Run, clauses: readonly ClauseRow[]): readonly string[] {
  const { findings, plan } = record
  const undeclared = plan.leftOut.flatMap(({ by, checks }) => (by === 'not-declared' ? checks : []))
  const inconclusive = findings.filter(({ verdict }) => verdict === 'inconclusive').length
  const untestable = clauses.filter((row) => coverageKindOf(row) === 'untestable').length
  return [
    ...scopeTexts(record),
    ...lines(undeclared.length, 'not planned: the target does not declare what they need'),
    ...groupsOf(findings).flatMap((group) => lines(group.findings.length, `not run: ${group.says}`)),
    ...lines(inconclusive, 'inconclusive: the situation to be tested did not arise'),
    ...uncheckedWords(record),
    ...(untestable === 0 ? [] : [`${counted(untestable, 'MUST clause')} cannot be tested from outside`]),
  ]
}

function lines(checks: number, because: string): readonly string[] {
  return checks === 0 ? [] : [`${counted(checks, 'check')} ${because}`]
}
