import { expect, test } from 'vitest'
import { clauseVerdict, isShown, verdictsIn, type Verdict } from './verdict.ts'

const cases: readonly (readonly [readonly Verdict[], Verdict | null, boolean])[] = [
  [['pass', 'observed'], 'pass', true],
  [['pass', 'warn'], 'warn', true],
  [['pass', 'not-applicable'], 'pass', true],
  [['not-applicable'], 'not-applicable', true],
  [['warn', 'not-applicable'], 'warn', true],
  [['warn', 'inconclusive'], 'inconclusive', false],
  [['observed'], 'observed', false],
  [['pass', 'inconclusive'], 'inconclusive', false],
  [['pass', 'not-exercised'], 'not-exercised', false],
  [['pass', 'error'], 'error', false],
  [['pass', 'inconclusive', 'fail'], 'fail', false],
  [[], null, false],
]

test.for(cases)('checks that end with %j come to %j, shown: %j', ([verdicts, verdict, shown]) => {
  expect([clauseVerdict(verdicts), isShown(verdicts)]).toEqual([verdict, shown])
})

test('what a rule never saw counts only where no other check judges the clause', () => {
  const all = [{ verdict: 'not-exercised', reason: 'never-seen' }, { verdict: 'pass' }] as const
  expect([verdictsIn(all), verdictsIn(all.slice(0, 1))]).toEqual([['pass'], ['not-exercised']])
})
