import { expect, test } from 'vitest'
import { earlyEnd } from './early-end.ts'
import { finding, runOf } from '../testing/run.testkit.ts'

test.for([
  ['a cap', 'budget-exhausted', 'interrupted: a cap on requests, turns, credits or minutes was reached'],
  ['a person', 'interrupted', 'interrupted: the run ended early'],
] as const)('a run that %s ended says so', ([, reason, words]) => {
  const { run } = runOf([]).record
  const left = finding({ verdict: 'not-exercised', reason, evidence: [] })
  expect(earlyEnd(runOf([left], { run: { ...run, lifecycle: 'interrupted' } }))).toBe(words)
})
