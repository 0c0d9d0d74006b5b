/** What no report of this kind can show, for auditors. */
import type { RunRecord } from '../bundle/record.ts'

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
