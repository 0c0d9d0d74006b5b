/** That a run says less than it planned to, in words: for every report, whatever it is read in. */
import type { Run, RunRecord } from '../bundle/record.ts'
import type { Beside } from '../formats/exporter.ts'

const capped = 'a cap on requests, turns, credits or minutes was reached'

/** Whether it was a cap that ended the run, and no person. */
export const isCapped = ({ findings }: RunRecord): boolean =>
  findings.some(({ reason }) => reason === 'budget-exhausted')

/** One line; null of a run that came to its end. */
export function earlyEnd({ record }: Run, beside?: Beside): string | null {
  const { lifecycle } = record.run
  if (lifecycle === 'finished') return null
  if (lifecycle === 'interrupted') return `interrupted: ${isCapped(record) ? capped : 'the run ended early'}`
  if (lifecycle === 'target-lost') return 'ended early: the target stopped responding'
  const where = beside?.ends ?? 'the run was cut off.'
  return `not whole, and put together from what was on disk: ${where}`
}
