import { describe, expect, it, test } from 'vitest'
import type { Finding, Verdict } from '../bundle/record.ts'
import { finding } from '../testing/run.testkit.ts'
import { verdictOrder } from '../verdicts/verdicts.ts'
import { kindWords } from './kinds.ts'
import { moveOf } from './moves.ts'

type Standing = Verdict | 'absent'

const standings = [
  'pass',
  'fail',
  'warn',
  'not-applicable',
  'observed',
  'inconclusive',
  'not-exercised',
  'error',
  'absent',
] as const satisfies readonly Standing[]

/** What each letter of the table below stands for; a point is no change. */
const letters = {
  R: 'regressed',
  D: 'failing differently',
  F: 'new and failing',
  L: 'coverage lost',
  S: 'still failing',
  P: 'no longer planned',
  U: 'new and not judged',
  X: 'fixed',
  G: 'coverage gained',
  N: 'newly judged',
  O: 'observed behaviour changed',
  Q: 'observation lost',
  '.': null,
} as const

/** From the row to the column, in the order of `standings`; where both fail, in the same words. */
const table: Record<Standing, string> = {
  //                to: p f w n o i x e absent
  pass: /*           */ '. R R . L L L L L',
  fail: /*           */ 'X S S L L L L L L',
  warn: /*           */ 'X D S L L L L L L',
  'not-applicable': /**/ '. F F . O L L L L',
  observed: /*       */ 'G F F O . Q Q Q P',
  inconclusive: /*   */ 'G F F G G . . . P',
  'not-exercised': /**/ 'G F F G G . . . P',
  error: /*          */ 'G F F G G . . . P',
  absent: /*         */ 'N F F N N U U U .',
}

const of = (standing: Standing): Finding | undefined =>
  standing === 'absent' ? undefined : finding({ verdict: standing, scenario: 'one' })

const pairs = standings.flatMap((before) => {
  const row = table[before].split(' ')
  return standings.map((after, at) => [before, after, letters[row[at] as keyof typeof letters]] as const)
})

test('the table has every verdict and its absence, on both sides', () => {
  expect(new Set(standings)).toEqual(new Set([...verdictOrder, 'absent']))
  expect(pairs).toHaveLength(81)
  expect(pairs.filter(([, , kind]) => kind === undefined)).toEqual([])
})

test.for(pairs)('from %s to %s: %s', ([before, after, kind]) => {
  expect(moveOf(of(before), of(after))).toBe(kind)
})

test('every kind but a change of standing comes of some pair, or of another way to say the same', () => {
  const seen = new Set<string>(pairs.flatMap(([, , kind]) => kind ?? []))
  expect([...seen, 'standing changed'].toSorted()).toEqual(Object.keys(kindWords).toSorted())
})

describe('a check that the later run does not have', () => {
  test.for(standings.filter((one) => one !== 'absent'))(
    'is one that its suite dropped, if known: %s',
    (one) => {
      expect(moveOf(of(one), undefined, true)).toBe('no longer planned')
    },
  )

  it('is still failing in neither when no run has it', () => {
    expect(moveOf(undefined, undefined, true)).toBeNull()
  })
})

describe('what fails in both runs', () => {
  const broken = (over: Partial<Finding>): Finding => finding({ verdict: 'fail', scenario: 'one', ...over })

  test.for<[string, Partial<Finding>, Partial<Finding>, string]>([
    ['the same fingerprint', { fingerprint: 'a' }, { fingerprint: 'a' }, 'still failing'],
    ['another fingerprint', { fingerprint: 'a' }, { fingerprint: 'b' }, 'failing differently'],
    [
      'the same fingerprint and another status',
      { fingerprint: 'a', got: 'status 200' },
      { fingerprint: 'a', got: 'status 500' },
      'failing differently',
    ],
    [
      'the same fingerprint and other numbers',
      { fingerprint: 'a', got: 'exchanges 3, 4' },
      { fingerprint: 'a', got: 'exchanges 7, 9' },
      'still failing',
    ],
    ['other words, where one run has no fingerprint', { got: 'x' }, { got: 'y' }, 'failing differently'],
    ['the same words, where one has none', { got: 'x', fingerprint: 'a' }, { got: 'x' }, 'still failing'],
    [
      'other evidence, states and title',
      { evidence: [1], title: 'a' },
      { evidence: [9], title: 'b' },
      'still failing',
    ],
  ])('%s', ([, before, after, kind]) => {
    expect(moveOf(broken(before), broken(after))).toBe(kind)
  })
})

describe('what was observed in both runs', () => {
  const seen = (over: Partial<Finding>): Finding => finding({ verdict: 'observed', scenario: 'one', ...over })

  test.for<[string, Partial<Finding>, Partial<Finding>, string | null]>([
    [
      'the same fingerprint',
      { fingerprint: 'a', detail: '60 taken' },
      { fingerprint: 'a', detail: '61 taken' },
      null,
    ],
    ['another fingerprint', { fingerprint: 'a' }, { fingerprint: 'b' }, 'observed behaviour changed'],
    [
      'other words, where one run has no fingerprint',
      { detail: 'x', fingerprint: 'a' },
      { detail: 'y' },
      'observed behaviour changed',
    ],
    ['the same words', { detail: 'x' }, { detail: 'x', fingerprint: 'a' }, null],
  ])('%s', ([, before, after, kind]) => {
    expect(moveOf(seen(before), seen(after))).toBe(kind)
  })
})
