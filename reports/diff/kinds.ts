/** How a check can change from one run to the next: by which verdicts, and how each change is reported. */
import { isDeepStrictEqual } from 'node:util'
import type { Finding, Verdict } from '../../bundle/record.ts'
import type { VerdictWords } from '../verdicts/verdicts.ts'

/** `worse` and `less` stop a gate; the others are only reported. */
export type Weight = 'worse' | 'less' | 'none'

interface KindWords extends VerdictWords {
  weight: Weight
}

const bad = { sign: '✗', tone: 'bad', weight: 'worse' } as const
const good = { sign: '✓', tone: 'good', weight: 'none' } as const
const quiet = { sign: '·', tone: 'quiet', weight: 'none' } as const
const open = { sign: '○', tone: 'quiet', weight: 'none' } as const

/** In the order of the report: changes that fail the comparison come first. */
const kinds = {
  regressed: { ...bad, means: 'Passed before, fails or warns now.' },
  'failing differently': {
    ...bad,
    means: 'Failed or warned before, and does so in another way now, or a warning became a failure.',
  },
  'new and failing': { ...bad, means: 'Fails or warns now; the earlier run did not test it.' },
  'coverage lost': {
    sign: '–',
    tone: 'doubt',
    weight: 'less',
    means: 'Tested before, not tested now (an earlier failure is not counted as fixed).',
  },
  'still failing': { sign: '!', tone: 'doubt', weight: 'none', means: 'Fails as before, or less.' },
  'no longer planned': {
    ...quiet,
    means: 'The later run has no such check: its suite dropped it, or it had shown nothing before.',
  },
  'new and not judged': {
    ...quiet,
    means: 'The earlier run had no such check; the later one planned it and came to no verdict.',
  },
  fixed: { ...good, means: 'Failed before, passes now.' },
  'coverage gained': { ...good, means: 'Not tested before, tested now without a failure.' },
  'newly judged': { ...good, means: 'The earlier run had no such check; it does not fail.' },
  'observed behaviour changed': {
    ...open,
    means:
      'Where the contract is silent the target does something else now. No fault, but clients may notice.',
  },
  'observation lost': {
    ...open,
    means: 'Where the contract is silent something was seen, and was not looked at now.',
  },
  'standing changed': { ...quiet, means: 'It says what it said; what changed is whether it counts.' },
} as const satisfies Record<string, Omit<KindWords, 'word'>>

export const kindWords = Object.fromEntries(
  Object.entries(kinds).map(([word, words]) => [word, { word, ...words }]),
) as Record<ChangeKind, KindWords>

export type ChangeKind = keyof typeof kinds

export const changeKinds = Object.keys(kinds) as readonly ChangeKind[]

/** `open`: nothing is known of the target. `seen`: the contract is silent. `absent`: the run had no such check. */
type Group = 'good' | 'bad' | 'excused' | 'seen' | 'open' | 'absent'

const groups = {
  pass: 'good',
  fail: 'bad',
  warn: 'bad',
  'not-applicable': 'excused',
  observed: 'seen',
  inconclusive: 'open',
  'not-exercised': 'open',
  error: 'open',
} as const satisfies Record<Verdict, Group>

const lost = 'coverage lost'
const gained = 'coverage gained'
const newly = 'new and failing'
const seen = 'observed behaviour changed'

/**
 * From the row to the column; null where nothing changed. What a run draws may bring a condition about or not, so
 * `pass` and `not-applicable` are one, but that the latter had nothing to lose; nothing but a pass shows that a failure is
 * gone.
 */
const moves = {
  good: { good: null, bad: 'regressed', excused: null, seen: lost, open: lost, absent: lost },
  bad: { good: 'fixed', bad: 'still failing', excused: lost, seen: lost, open: lost, absent: lost },
  excused: { good: null, bad: newly, excused: null, seen, open: null, absent: 'no longer planned' },
  seen: {
    good: gained,
    bad: newly,
    excused: seen,
    seen: null,
    open: 'observation lost',
    absent: 'no longer planned',
  },
  open: { good: gained, bad: newly, excused: gained, seen: gained, open: null, absent: 'no longer planned' },
  absent: {
    good: 'newly judged',
    bad: newly,
    excused: 'newly judged',
    seen: 'newly judged',
    open: 'new and not judged',
    absent: null,
  },
} as const satisfies Record<Group, Record<Group, ChangeKind | null>>

/** `dropped`: the suite of the later run is known not to have the check. */
export function moveOf(before?: Finding, after?: Finding, dropped = false): ChangeKind | null {
  const move = moves[groupOf(before)][groupOf(after)]
  if (!before || !after) return dropped && move !== null ? 'no longer planned' : move
  if (move === 'still failing') return failsOtherwise(before, after) ? 'failing differently' : move
  if (after.verdict === 'observed' && before.verdict === 'observed')
    return isAlike(before, after, ({ detail }) => detail) ? null : seen
  return move
}

function groupOf(finding?: Finding): Group {
  return finding ? groups[finding.verdict] : 'absent'
}

/** A must that is only a should now, or one that is broken less, is not another failure. */
function failsOtherwise(before: Finding, after: Finding): boolean {
  if (before.verdict !== after.verdict) return after.verdict === 'fail'
  return (
    !isAlike(before, after, ({ expected, got }) => [expected, got]) || statuses(before) !== statuses(after)
  )
}

/** By their fingerprints, or where one has none by their words. */
function isAlike(before: Finding, after: Finding, words: (finding: Finding) => unknown): boolean {
  if (before.fingerprint !== undefined && after.fingerprint !== undefined)
    return before.fingerprint === after.fingerprint
  return isDeepStrictEqual(words(before), words(after))
}

/** To the fingerprint of a failure all numbers are one; a 500 in place of a 200 is news all the same. */
const statuses = ({ got = '' }: Finding): string => (got.match(/\bstatus \d{3}\b/g) ?? []).join()

const failing: readonly Verdict[] = ['fail', 'warn']

interface Mark {
  fits?: (finding: Finding) => boolean
  read: (finding: Finding) => string | undefined
  says: (before: string | undefined, after: string | undefined) => string
}

const waivers = { 'known-failure': 'waived', flaky: 'called flaky' } as const

const marks: readonly Mark[] = [
  {
    // What does not fail needs no waiver.
    fits: ({ verdict }) => failing.includes(verdict),
    read: ({ waived }) => waived && waivers[waived.as],
    says: (before, after) => (after === undefined ? `no longer ${before}` : `${after} now`),
  },
  {
    read: ({ provisional }) => (provisional ? 'provisional' : undefined),
    says: (_, after) => (after === undefined ? 'no longer provisional: it counts now' : 'provisional now'),
  },
  { read: ({ level }) => level, says: (before, after) => `${before} before, ${after} now` },
]

/** In words, such as `waived now`. Of a check that only one run has, nothing. */
export function marksBetween(before?: Finding, after?: Finding): readonly string[] {
  if (!before || !after) return []
  return marks.flatMap(({ fits = () => true, read, says }) => {
    if (!fits(before) || !fits(after)) return []
    const [one, other] = [read(before), read(after)]
    return one === other ? [] : [says(one, other)]
  })
}
