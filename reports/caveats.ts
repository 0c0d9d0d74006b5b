/** What no report of this kind can show. Part of every page that an auditor may read. */
import type { RunRecord } from '../suites/record.ts'

const always = [
  'A pass says that the clause held in the exchanges of this run; it does not say that it always holds.',
  'A target can recognise the suite and behave differently for others.',
  'Nothing here shows how often the run was repeated before this record was kept.',
  'What the contract leaves open is recorded and never judged; another reading would be just as conforming.',
  'Clauses that only show inside the service, or that no scenario covers, are listed and not judged.',
]

const simulated =
  'The target was the simulator that comes with the suite. The run says nothing about the live service.'

export function caveats(record: RunRecord): readonly string[] {
  return record.target.kind === 'simulator' ? [simulated, ...always] : always
}
