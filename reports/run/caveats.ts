/** What no report of this kind can show. Part of every page that an auditor may read. */
import type { RunRecord } from '../bundle/record.ts'

const always = [
  'A pass says that the clause held in the exchanges of this run; it does not say that it always holds.',
  'A target can recognise the suite and behave differently for others.',
  'Nothing here shows how often the run was repeated before this record was kept.',
  'What the contract leaves open is recorded and never judged; another interpretation would be just as conforming.',
  'Clauses that only show inside the service, or that no scenario covers, are listed and not judged.',
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
