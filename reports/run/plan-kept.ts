/** Whether what was planned came to a verdict, in words: of a run that was cut off, by the time it was. */
import type { Run } from '../bundle/record.ts'
import { completeness } from '../verdicts/rows.ts'

export interface PlanKept {
  tone: 'good' | 'bad' | 'doubt'
  /** Such as `56 of 194`. */
  count: string
  /** What the count is of. */
  of: string
}

export function planKept(run: Run): PlanKept {
  const { whole, judged, planned } = completeness(run)
  if (run.record.run.lifecycle !== 'crashed')
    return {
      tone: whole ? 'good' : 'bad',
      count: `${judged} of ${planned}`,
      of: 'planned checks have a verdict',
    }
  const left = run.record.findings.filter(({ reason }) => reason === 'interrupted').length
  const of = 'planned checks had a verdict when it was cut off'
  return { tone: 'doubt', count: `${judged - left} of ${planned}`, of }
}
