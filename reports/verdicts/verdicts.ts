/** How verdicts are shown: always a word and a sign, never a colour alone. */
import type { Conformance, Finding, Verdict } from '../bundle/record.ts'

/** Sets the colour of a verdict and nothing else. */
export type Tone = 'good' | 'bad' | 'doubt' | 'quiet'

export interface VerdictWords {
  sign: string
  word: string
  /** For a column of a terminal, where the word is too wide. */
  short?: string
  tone: Tone
  means: string
}

/** In the order in which columns and lists show them. */
export const verdictWords = {
  pass: { sign: '✓', word: 'pass', tone: 'good', means: 'The requirement is met.' },
  fail: { sign: '✗', word: 'fail', tone: 'bad', means: 'A MUST clause is not met.' },
  warn: { sign: '!', word: 'warn', tone: 'doubt', means: 'A SHOULD clause is not met.' },
  error: {
    sign: '‼',
    word: 'error',
    tone: 'bad',
    means: 'Touchstone itself failed; no statement about the target.',
  },
  inconclusive: {
    sign: '?',
    word: 'inconclusive',
    short: 'inconcl.',
    tone: 'doubt',
    means: 'The situation to be tested did not arise.',
  },
  'not-exercised': {
    sign: '–',
    word: 'not tested',
    tone: 'doubt',
    means: 'The environment did not allow the check; the reason is given.',
  },
  'not-applicable': {
    sign: '·',
    word: 'not applicable',
    short: 'n/a',
    tone: 'quiet',
    means: 'The contract makes it conditional, and the condition is not met here.',
  },
  observed: {
    sign: '○',
    word: 'observed',
    tone: 'quiet',
    means: 'The contract does not specify this: recorded, not judged.',
  },
} as const satisfies Record<Verdict, VerdictWords>

export const verdictOrder = Object.keys(verdictWords) as Verdict[]

export const conformanceWords = {
  conformant: {
    sign: '✓',
    word: 'conformant',
    tone: 'good',
    means: 'Every MUST clause that applies and can be tested passed.',
  },
  partial: {
    sign: '–',
    word: 'partial',
    tone: 'doubt',
    means: 'No MUST clause failed, but not all were tested.',
  },
  nonconformant: { sign: '✗', word: 'nonconformant', tone: 'bad', means: 'At least one MUST clause failed.' },
} as const satisfies Record<Conformance, VerdictWords>

export type ReportedOutcome = 'passed' | 'failed' | 'skipped'

const outcomes: Record<Verdict, ReportedOutcome> = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'failed',
  inconclusive: 'skipped',
  'not-exercised': 'skipped',
  'not-applicable': 'skipped',
  observed: 'skipped',
}

/**
 * The three words that other tools know. A warning has passed; what was not judged was skipped; so is a
 * failure that the policy waives and whatever is provisional, because these words speak for the gate and not for conformance.
 */
export function reportedOutcomeOf(finding: Finding): ReportedOutcome {
  const { verdict, waived, provisional } = finding
  const spared = provisional ?? (waived !== undefined && verdict === 'fail')
  return spared && outcomes[verdict] === 'failed' ? 'skipped' : outcomes[verdict]
}
