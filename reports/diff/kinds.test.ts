import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../../bundle/record.ts'
import { finding } from '../testing/run.testkit.ts'
import { moveOf } from './kinds.ts'

const of = (verdict: Verdict | 'absent'): Finding | undefined =>
  verdict === 'absent' ? undefined : finding({ verdict, scenario: 'one' })

test.for<[Verdict | 'absent', Verdict | 'absent', string | null]>([
  ['pass', 'not-applicable', null],
  ['pass', 'warn', 'regressed'],
  ['fail', 'pass', 'fixed'],
  ['fail', 'not-applicable', 'coverage lost'],
  ['not-applicable', 'inconclusive', null],
  ['not-applicable', 'absent', 'no longer planned'],
  ['fail', 'warn', 'still failing'],
  ['warn', 'fail', 'failing differently'],
  ['not-exercised', 'fail', 'new and failing'],
  ['not-exercised', 'error', null],
  ['pass', 'absent', 'coverage lost'],
  ['absent', 'observed', 'newly judged'],
])('from %s to %s: %s', ([before, after, kind]) => {
  expect(moveOf(of(before), of(after))).toBe(kind)
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
