/** How a check can change from one run to the next, and how each change is reported. */
import type { VerdictWords } from '../verdicts/verdicts.ts'

/** `worse` and `less` stop a gate; the others are only reported. */
export type Weight = 'worse' | 'less' | 'none'

interface KindWords extends VerdictWords {
  weight: Weight
}

/** In the order of the report: changes that fail the comparison come first. */
export const kindWords = {
  regressed: {
    sign: '✗',
    word: 'regressed',
    tone: 'bad',
    weight: 'worse',
    means: 'Passed before, fails or warns now.',
  },
  'failing differently': {
    sign: '✗',
    word: 'failing differently',
    tone: 'bad',
    weight: 'worse',
    means: 'Failed or warned before, and does so in another way now, or a warning became a failure.',
  },
  'new and failing': {
    sign: '✗',
    word: 'new and failing',
    tone: 'bad',
    weight: 'worse',
    means: 'Fails or warns now; the earlier run did not test it.',
  },
  'coverage lost': {
    sign: '–',
    word: 'coverage lost',
    tone: 'doubt',
    weight: 'less',
    means: 'Tested before, not tested now (an earlier failure is not counted as fixed).',
  },
  'still failing': {
    sign: '!',
    word: 'still failing',
    tone: 'doubt',
    weight: 'none',
    means: 'Fails as before, or less.',
  },
  'no longer planned': {
    sign: '·',
    word: 'no longer planned',
    tone: 'quiet',
    weight: 'none',
    means: 'The later run has no such check: its suite dropped it, or it had shown nothing before.',
  },
  'new and not judged': {
    sign: '·',
    word: 'new and not judged',
    tone: 'quiet',
    weight: 'none',
    means: 'The earlier run had no such check; the later one planned it and came to no verdict.',
  },
  fixed: { sign: '✓', word: 'fixed', tone: 'good', weight: 'none', means: 'Failed before, passes now.' },
  'coverage gained': {
    sign: '✓',
    word: 'coverage gained',
    tone: 'good',
    weight: 'none',
    means: 'Not tested before, tested now without a failure.',
  },
  'newly judged': {
    sign: '✓',
    word: 'newly judged',
    tone: 'good',
    weight: 'none',
    means: 'The earlier run had no such check; it does not fail.',
  },
  'observed behaviour changed': {
    sign: '○',
    word: 'observed behaviour changed',
    tone: 'quiet',
    weight: 'none',
    means:
      'Where the contract is silent the target does something else now. No fault, but clients may notice.',
  },
  'observation lost': {
    sign: '○',
    word: 'observation lost',
    tone: 'quiet',
    weight: 'none',
    means: 'Where the contract is silent something was seen, and was not looked at now.',
  },
  'standing changed': {
    sign: '·',
    word: 'standing changed',
    tone: 'quiet',
    weight: 'none',
    means: 'It says what it said; what changed is whether it counts.',
  },
} as const satisfies Record<string, KindWords>

export type ChangeKind = keyof typeof kindWords

export const changeKinds = Object.keys(kindWords) as readonly ChangeKind[]
