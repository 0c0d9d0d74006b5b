/** What the report of a run cannot say, in words: what it did not come to, and what none of this kind can show. */
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

const always = [
  'A pass shows that the clause was met in the exchanges of this run, not that it always is.',
  'A target can recognise the suite and behave differently for others.',
  'The report cannot show whether failed runs were discarded before this one.',
  'What the contract does not specify is recorded and not judged; other interpretations conform, too.',
  'Clauses that cannot be tested from outside are listed, not judged.',
]

const simulated =
  'The target was the simulator that comes with the suite. The run says nothing about the live service.'

const againstSimulator =
  'The client met the simulator that comes with the suite, and no live service: what only a live service does was not seen.'

const ahead: Readonly<Partial<Record<RunRecord['target']['kind'], string>>> = {
  simulator: simulated,
  client: againstSimulator,
}

export function caveats({ target }: RunRecord): readonly string[] {
  const first = ahead[target.kind]
  return first === undefined ? always : [first, ...always]
}
