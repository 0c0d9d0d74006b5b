/** How verdicts are shown: always a word and a sign, never a colour alone. */
import type { Conformance, Finding, Verdict } from '../bundle/record.ts'

/** How loudly a verdict speaks: sets its colour and nothing else. */
export type Tone = 'good' | 'bad' | 'doubt' | 'quiet'

export interface VerdictWords {
  sign: string
  word: string
  tone: Tone
  means: string
}

/** In the order in which columns and lists show them. */
export const verdictWords = {
  pass: { sign: '✓', word: 'pass', tone: 'good', means: 'What the contract asks for was seen.' },
  fail: { sign: '✗', word: 'fail', tone: 'bad', means: 'Something that must hold was seen not to hold.' },
  warn: { sign: '!', word: 'warn', tone: 'doubt', means: 'Something that should hold was seen not to hold.' },
  error: {
    sign: '‼',
    word: 'error',
    tone: 'bad',
    means: 'Touchstone itself failed; nothing is said about the target.',
  },
  inconclusive: {
    sign: '?',
    word: 'inconclusive',
    tone: 'doubt',
    means: 'The situation to be judged did not arise.',
  },
  'not-exercised': {
    sign: '–',
    word: 'not exercised',
    tone: 'doubt',
    means: 'The environment did not allow the check; the reason is given.',
  },
  'not-applicable': {
    sign: '·',
    word: 'not applicable',
    tone: 'quiet',
    means: 'The contract makes it conditional, and the condition does not hold here.',
  },
  observed: {
    sign: '○',
    word: 'observed',
    tone: 'quiet',
    means: 'The contract is silent: recorded, not judged.',
  },
} as const satisfies Record<Verdict, VerdictWords>

export const verdictOrder = Object.keys(verdictWords) as Verdict[]

export const conformanceWords = {
  conformant: {
    sign: '✓',
    word: 'conformant',
    tone: 'good',
    means: 'Every must was exercised and none is broken.',
  },
  partial: {
    sign: '–',
    word: 'partial',
    tone: 'doubt',
    means: 'No must is broken, but not every must was exercised.',
  },
  nonconformant: { sign: '✗', word: 'nonconformant', tone: 'bad', means: 'At least one must is broken.' },
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
