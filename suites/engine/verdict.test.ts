import { describe, expect, test } from 'vitest'
import { areaOf, clauses, type ClauseId } from '../../spec/index.ts'
import type { Finding } from '../record.ts'
import type { KnownFailure, Policy } from '../target/target.ts'
import { answersOf, worst, type Docket } from './verdict.ts'

const must: ClauseId = 'IDEM-REPLAY-STATUS'
const other: ClauseId = 'RES-JSON'

function finding(subject: ClauseId, change: Partial<Finding> = {}): Finding {
  const scenario = change.scenario ?? 'a/b'
  return {
    check: `${scenario}/${subject}`,
    subject,
    area: areaOf[subject],
    level: clauses[subject].level,
    basis: 'stated',
    scenario,
    title: '',
    verdict: 'pass',
    evidence: [1],
    states: [],
    ...change,
  }
}

const passed = finding(must)
const failed = finding(other, { verdict: 'fail', fingerprint: '0123456789ab' })
const missing = (reason: Finding['reason'] = 'state-not-provided'): Finding =>
  finding(other, { verdict: 'not-exercised', ...(reason ? { reason } : {}), detail: 'said so' })

const known = (change: Partial<KnownFailure> = {}): KnownFailure => ({
  check: failed.check,
  owner: 'team',
  reason: 'because',
  expires: '2030-01-31',
  ...change,
})

function answers(findings: readonly Finding[], policy: Partial<Policy> = {}, change: Partial<Docket> = {}) {
  return answersOf({
    findings,
    planned: findings.map(({ check }) => check),
    known: [passed.check, failed.check],
    musts: [must, other],
    stuck: [],
    policy: { knownFailures: [], expectedNotExercised: [], ...policy },
    today: '2030-01-01',
    ...change,
  })
}

interface Row {
  findings: readonly Finding[]
  policy?: Partial<Policy>
  conformance: string
  exitCode: number
}

const fine = finding(other)
const rows: Readonly<Record<string, Row>> = {
  'every must passes': { findings: [passed, fine], conformance: 'conformant', exitCode: 0 },
  'a must fails': { findings: [passed, failed], conformance: 'nonconformant', exitCode: 1 },
  'a should is broken': {
    findings: [passed, fine, finding('IDEM-KEY-ODD', { verdict: 'warn' })],
    conformance: 'conformant',
    exitCode: 0,
  },
  'a should was not exercised': {
    findings: [
      passed,
      fine,
      finding('IDEM-KEY-ODD', { verdict: 'not-exercised', reason: 'fixture-missing' }),
    ],
    conformance: 'conformant',
    exitCode: 0,
  },
  'nothing passes, although nothing fails': {
    findings: [finding(must, { verdict: 'not-applicable' }), finding(other, { verdict: 'observed' })],
    policy: { expectedNotExercised: ['*'] },
    conformance: 'partial',
    exitCode: 3,
  },
  'a must was not exercised': { findings: [passed, missing()], conformance: 'partial', exitCode: 3 },
  'a must was not exercised, as expected by clause': {
    findings: [passed, missing()],
    policy: { expectedNotExercised: [other] },
    conformance: 'partial',
    exitCode: 0,
  },
  'a must was not exercised, as expected by reason': {
    findings: [passed, missing()],
    policy: { expectedNotExercised: ['state-not-provided'] },
    conformance: 'partial',
    exitCode: 0,
  },
  'a must was not exercised, as expected by state': {
    findings: [passed, { ...missing(), states: [{ state: 'chat.paused', by: 'none' }] }],
    policy: { expectedNotExercised: ['chat.*'] },
    conformance: 'partial',
    exitCode: 0,
  },
  'another check is expected not to be exercised': {
    findings: [passed, missing()],
    policy: { expectedNotExercised: [must] },
    conformance: 'partial',
    exitCode: 3,
  },
  'a must is inconclusive': {
    findings: [passed, finding(other, { verdict: 'inconclusive' })],
    conformance: 'partial',
    exitCode: 3,
  },
  'a must is inconclusive in one of two stories': {
    findings: [passed, fine, finding(other, { verdict: 'inconclusive', scenario: 'c/d' })],
    conformance: 'partial',
    exitCode: 3,
  },
  'a must was not asked for': { findings: [passed], conformance: 'partial', exitCode: 0 },
  'a declared state is not the case, whatever is expected': {
    findings: [passed, missing('state-not-established')],
    policy: { expectedNotExercised: ['*'] },
    conformance: 'partial',
    exitCode: 3,
  },
  'the run was interrupted, whatever is expected': {
    findings: [passed, missing('interrupted')],
    policy: { expectedNotExercised: ['*'] },
    conformance: 'partial',
    exitCode: 3,
  },
  'the suite errs': {
    findings: [passed, finding(other, { verdict: 'error' })],
    policy: { expectedNotExercised: ['*'] },
    conformance: 'partial',
    exitCode: 70,
  },
  'the suite errs and a must fails': {
    findings: [finding(must, { verdict: 'error' }), failed],
    conformance: 'nonconformant',
    exitCode: 1,
  },
  'the failure is known': {
    findings: [passed, failed],
    policy: { knownFailures: [known()] },
    conformance: 'nonconformant',
    exitCode: 0,
  },
  'the failure is known, on the day it expires': {
    findings: [passed, failed],
    policy: { knownFailures: [known({ expires: '2030-01-01' })] },
    conformance: 'nonconformant',
    exitCode: 0,
  },
  'the known failure has expired': {
    findings: [passed, failed],
    policy: { knownFailures: [known({ expires: '2029-12-31' })] },
    conformance: 'nonconformant',
    exitCode: 5,
  },
  'the known failure is the same': {
    findings: [passed, failed],
    policy: { knownFailures: [known({ fingerprint: '0123456789ab' })] },
    conformance: 'nonconformant',
    exitCode: 0,
  },
  'the known failure has become another one': {
    findings: [passed, failed],
    policy: { knownFailures: [known({ fingerprint: 'ffffffffffff' })] },
    conformance: 'nonconformant',
    exitCode: 1,
  },
  'the known failure is healed': {
    findings: [passed, fine],
    policy: { knownFailures: [known()] },
    conformance: 'conformant',
    exitCode: 5,
  },
  'the known failure could not be tried': {
    findings: [passed, missing()],
    policy: { knownFailures: [known()], expectedNotExercised: ['*'] },
    conformance: 'partial',
    exitCode: 0,
  },
  'the known failure names no check': {
    findings: [passed, fine],
    policy: { knownFailures: [known({ check: 'a/b/NOTHING' })] },
    conformance: 'conformant',
    exitCode: 5,
  },
}

describe('a run in which', () => {
  test.for(Object.entries(rows))('%s', ([, { findings, policy, conformance, exitCode }]) => {
    const result = answers(findings, policy)
    expect({ conformance: result.conformance, exitCode: result.exitCode }).toEqual({ conformance, exitCode })
    expect(result.gate.passed).toBe(exitCode === 0)
    expect(result.gate.because.length > 0).toBe(exitCode !== 0)
  })
})

test('a planned check without a finding is our own error', () => {
  const result = answers([passed, fine], {}, { planned: [passed.check, fine.check, 'c/d/LOST'] })
  expect(result).toMatchObject({
    exitCode: 70,
    gate: { because: ['planned and without a verdict: c/d/LOST'] },
  })
})

test('a state that could not be left keeps the run from being green', () => {
  const stuck = ['chat.paused could not be left: 500']
  expect(answers([passed, fine], {}, { stuck })).toMatchObject({ exitCode: 3, gate: { because: stuck } })
})

test('a waived failure says who owns it, and stays a failure', () => {
  const [, waived] = answers([passed, failed], { knownFailures: [known()] }).findings
  expect(waived).toMatchObject({
    verdict: 'fail',
    waived: { owner: 'team', reason: 'because', expires: '2030-01-31' },
  })
})

test('the gate names what weighs most first', () => {
  const { because, stalePolicy } = answers([failed, missing()], {
    knownFailures: [known({ check: 'x' })],
  }).gate
  expect(because).toEqual([
    `1 must failed: ${failed.check}`,
    'the known failure x (team) names no check',
    'no check passed',
    `less was exercised than the policy allows: ${failed.check}`,
  ])
  expect(stalePolicy).toEqual(['the known failure x (team) names no check'])
})

test('a clause is as good as the worst of its checks', () => {
  expect(worst(['pass', 'observed'])).toBe('pass')
  expect(worst(['pass', 'inconclusive', 'fail'])).toBe('fail')
  expect(worst([])).toBeNull()
})
