import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../bundle/record.ts'
import { finding } from '../testing/run.testkit.ts'
import { verdictOrder } from '../verdicts/verdicts.ts'
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

test('every pair of verdicts is the change that the table says', () => {
  expect(new Set(standings)).toEqual(new Set([...verdictOrder, 'absent']))
  expect(pairs.map(([before, after]) => [before, after, moveOf(of(before), of(after))])).toEqual(pairs)
  expect(moveOf(of('pass'), undefined, true)).toBe('no longer planned')
})

test.for<[string, Partial<Finding>, Partial<Finding>, string | null]>([
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
  ['other words without a fingerprint', { got: 'x' }, { got: 'y' }, 'failing differently'],
  ['the same words without one', { got: 'x', fingerprint: 'a' }, { got: 'x' }, 'still failing'],
  ['other evidence', { evidence: [1], title: 'a' }, { evidence: [9], title: 'b' }, 'still failing'],
  [
    'an observation in other numbers',
    { verdict: 'observed', fingerprint: 'a', detail: '60 taken' },
    { verdict: 'observed', fingerprint: 'a', detail: '61 taken' },
    null,
  ],
  [
    'an observation in other words',
    { verdict: 'observed', detail: 'x', fingerprint: 'a' },
    { verdict: 'observed', detail: 'y' },
    'observed behaviour changed',
  ],
])('found in both runs, %s', ([, before, after, kind]) => {
  const found = (over: Partial<Finding>): Finding => finding({ verdict: 'fail', scenario: 'one', ...over })
  expect(moveOf(found(before), found(after))).toBe(kind)
})
