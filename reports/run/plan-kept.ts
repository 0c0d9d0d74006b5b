/** Whether all planned checks have a verdict, and how many MUST clauses they cover. */
import type { Run } from '../bundle/record.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import { coverageOf, testedOf } from '../verdicts/coverage.ts'
import { completeness } from '../verdicts/rows.ts'

export interface PlanKept {
  tone: 'good' | 'bad' | 'doubt'
  /** Such as `56 of 194`. */
  count: string
  /** What the count is of, with what it covers: all planned checks are not all clauses. */
  of: string
}

export function planKept(run: Run): PlanKept {
  const { whole, judged, planned } = completeness(run)
  const coverage = coverageOf(clauseRows(run))
  const covers = `they cover ${testedOf(coverage)} of ${coverage.all} MUST clauses`
  if (run.record.run.lifecycle !== 'crashed')
    return {
      tone: whole ? 'good' : 'bad',
      count: `${judged} of ${planned}`,
      of: `planned checks have a verdict; ${covers}`,
    }
  const left = run.record.findings.filter(({ reason }) => reason === 'interrupted').length
  const of = `planned checks had a verdict when the run was cut off; ${covers}`
  return { tone: 'doubt', count: `${judged - left} of ${planned}`, of }
}
