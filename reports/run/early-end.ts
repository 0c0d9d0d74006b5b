/** What the report of a run cannot say, in words: what it did not come to, and what none of this kind can show. */
import type { Run, RunRecord } from '../bundle/record.ts'
import { counted } from '../document/blocks.ts'

/** Says less than it planned to: a title, and why; null of a run that came to its end. */
export function earlyEnd({ record }: Run, ends = 'the run was killed.') {
  const { findings } = record
  const left = findings.filter(({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted')
  // A cap ended the run, and no person.
  const isCapped = findings.some(({ reason }) => reason === 'budget-exhausted')
  const by = isCapped ? 'A limit of the run was reached' : 'The run was ended early'
  const what = 'What had not run by then was not tested.'
  return {
    finished: null,
    interrupted: {
      title: 'Interrupted',
      says: left.length === 0 ? `${by}.` : `${by}: ${counted(left.length, 'check')} not run.`,
    },
    'target-lost': { title: 'Ended early', says: `The target stopped responding. ${what}` },
    crashed: { title: 'Cut off', says: `${ends.slice(0, 1).toUpperCase()}${ends.slice(1)} ${what}` },
  }[record.run.lifecycle]
}

/** The same in a line. */
export function earlyEndLine(run: Run, ends?: string): string | null {
  const early = earlyEnd(run, ends)
  return early && `${early.title}: ${early.says}`
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
