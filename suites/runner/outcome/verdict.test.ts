import { describe, expect, test } from 'vitest'
import { areaOf, clauses, type ClauseId } from '../../../spec/index.ts'
import type { KnownCheck } from '../../policy/expected.ts'
import { emptyPolicy, type FlakyCheck, type KnownFailure, type Policy } from '../../policy/policy.ts'
import type { Finding } from '../../../reports/bundle/record.ts'
import { answersOf, type GateInput } from './verdict.ts'

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

const owned = { check: failed.check, owner: 'team', reason: 'because', expires: '2030-01-31' }
const known = (change: Partial<KnownFailure> = {}): KnownFailure => ({
  ...owned,
  fingerprint: '0123456789ab',
  created: '2029-12-01',
  ...change,
})
const flaky = (change: Partial<FlakyCheck> = {}): FlakyCheck => ({ ...owned, ...change })
const expected = (...patterns: readonly string[]): Partial<Policy> => ({
  expectedNotExercised: patterns.map((pattern) => ({ pattern, reason: 'because' })),
})

/** The check of a finding as the suite knows it; the one of `other` needs a state. */
function asKnown({ check, subject, scenario, area }: Finding): KnownCheck {
  const states = subject === other ? ['chat.paused'] : []
  return { check, names: [check, subject, scenario, area, ...states], offered: true }
}

function answers(
  findings: readonly Finding[],
  policy: Partial<Policy> = {},
  change: Partial<GateInput> = {},
) {
  return answersOf({
    findings,
    planned: findings.map(({ check }) => check),
    known: [passed, failed].map(asKnown),
    mustClauses: [must, other],
    narrowed: false,
    isShard: false,
    stuck: [],
    policy: { ...emptyPolicy, ...policy },
    counted: { [must]: 'must', [other]: 'must', 'IDEM-KEY-ODD': 'should' },
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
  'the only check of a must warns': {
    findings: [passed, finding(other, { verdict: 'warn' })],
    conformance: 'conformant',
    exitCode: 0,
  },
  'nothing passes, although nothing fails': {
    findings: [finding(must, { verdict: 'not-applicable' }), finding(other, { verdict: 'observed' })],
    policy: expected('*'),
    conformance: 'partial',
    exitCode: 3,
  },
  'a must was not exercised': { findings: [passed, missing()], conformance: 'partial', exitCode: 3 },
  'a must was not exercised, as expected by clause': {
    findings: [passed, missing()],
    policy: expected(other),
    conformance: 'partial',
    exitCode: 0,
  },
  'a must was not exercised, as expected by reason': {
    findings: [passed, missing()],
    policy: expected('state-not-provided'),
    conformance: 'partial',
    exitCode: 0,
  },
  'a must was not exercised, as expected by state': {
    findings: [passed, missing()],
    policy: expected('chat.paused'),
    conformance: 'partial',
    exitCode: 0,
  },
  'another check is expected not to be exercised, which was': {
    findings: [passed, missing()],
    policy: expected(must),
    conformance: 'partial',
    exitCode: 5,
  },
  'what was expected to be missing was exercised': {
    findings: [passed, fine],
    policy: expected('chat.paused'),
    conformance: 'conformant',
    exitCode: 5,
  },
  'a reason was expected that nothing has any more': {
    findings: [passed, fine],
    policy: expected('fixture-missing'),
    conformance: 'conformant',
    exitCode: 5,
  },
  'anything may be missing, and nothing is': {
    findings: [passed, fine],
    policy: expected('*'),
    conformance: 'conformant',
    exitCode: 0,
  },
  'what was expected to be missing was not asked for': {
    findings: [passed],
    policy: expected('chat.paused', 'fixture-missing'),
    conformance: 'partial',
    exitCode: 0,
  },
  'an expectation means nothing that there is': {
    findings: [passed, fine],
    policy: expected('chat.pausd'),
    conformance: 'conformant',
    exitCode: 5,
  },
  'a must is inconclusive': {
    findings: [passed, finding(other, { verdict: 'inconclusive' })],
    conformance: 'partial',
    exitCode: 3,
  },
  'a must is inconclusive in one of two scenarios': {
    findings: [passed, fine, finding(other, { verdict: 'inconclusive', scenario: 'c/d' })],
    conformance: 'partial',
    exitCode: 3,
  },
  'a must is inconclusive, and anything may be missing': {
    findings: [passed, finding(other, { verdict: 'inconclusive' })],
    policy: expected('*'),
    conformance: 'partial',
    exitCode: 3,
  },
  'a must is inconclusive, as expected by clause': {
    findings: [passed, finding(other, { verdict: 'inconclusive' })],
    policy: expected(other),
    conformance: 'partial',
    exitCode: 0,
  },
  'the target lost a request of a must, as expected by check': {
    findings: [passed, finding(other, { verdict: 'inconclusive', reason: 'target-unavailable' })],
    policy: expected(failed.check),
    conformance: 'partial',
    exitCode: 0,
  },
  'the target lost a request of a must, and more is expected': {
    findings: [passed, finding(other, { verdict: 'inconclusive', reason: 'target-unavailable' })],
    policy: expected('*', other),
    conformance: 'partial',
    exitCode: 3,
  },
  'the target was lost, whatever is expected': {
    findings: [passed, missing('target-unavailable')],
    policy: expected('*', other),
    conformance: 'partial',
    exitCode: 4,
  },
  'a must fails, and then the target was lost': {
    findings: [failed, finding(must, { verdict: 'not-exercised', reason: 'target-unavailable' })],
    conformance: 'nonconformant',
    exitCode: 1,
  },
  'a must was not asked for': { findings: [passed], conformance: 'partial', exitCode: 0 },
  'a declared state is not the case, whatever is expected': {
    findings: [passed, missing('state-not-established')],
    policy: expected('*'),
    conformance: 'partial',
    exitCode: 3,
  },
  'the run was interrupted, whatever is expected': {
    findings: [passed, missing('interrupted')],
    policy: expected('*'),
    conformance: 'partial',
    exitCode: 3,
  },
  'a cap ended the run, whatever is expected': {
    findings: [passed, missing('budget-exhausted')],
    policy: expected('*'),
    conformance: 'partial',
    exitCode: 3,
  },
  'the suite errs': {
    findings: [passed, finding(other, { verdict: 'error' })],
    policy: expected('*'),
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
    policy: { knownFailures: [known()], ...expected('*') },
    conformance: 'partial',
    exitCode: 0,
  },
  'a flaky check fails': {
    findings: [passed, failed],
    policy: { flaky: [flaky()] },
    conformance: 'nonconformant',
    exitCode: 0,
  },
  'a flaky check passes': {
    findings: [passed, fine],
    policy: { flaky: [flaky()] },
    conformance: 'conformant',
    exitCode: 0,
  },
  'a flaky check is inconclusive': {
    findings: [passed, finding(other, { verdict: 'inconclusive' })],
    policy: { flaky: [flaky()] },
    conformance: 'partial',
    exitCode: 0,
  },
  'a flaky check could not be tried': {
    findings: [passed, missing()],
    policy: { flaky: [flaky()] },
    conformance: 'partial',
    exitCode: 3,
  },
  'the suite errs in a flaky check': {
    findings: [passed, finding(other, { verdict: 'error' })],
    policy: { flaky: [flaky()] },
    conformance: 'partial',
    exitCode: 70,
  },
  'a flaky check fails after its time': {
    findings: [passed, failed],
    policy: { flaky: [flaky({ expires: '2029-12-31' })] },
    conformance: 'nonconformant',
    exitCode: 5,
  },
  'the flaky entry names no check': {
    findings: [passed, fine],
    policy: { flaky: [flaky({ check: 'a/b/NOTHING' })] },
    conformance: 'conformant',
    exitCode: 5,
  },
  'the known failure names no check': {
    findings: [passed, fine],
    policy: { knownFailures: [known({ check: 'a/b/NOTHING' })] },
    conformance: 'conformant',
    exitCode: 5,
  },
}

describe('a run in which', () => {
  test('checks were left out is partial at most, whatever the others come to', () => {
    const narrowed = (findings: readonly Finding[]) => answers(findings, {}, { narrowed: true }).conformance
    expect([narrowed([passed, fine]), narrowed([passed, failed])]).toEqual(['partial', 'nonconformant'])
  })

  test('a shard needs no pass: another may have it', () => {
    const observed = [finding(other, { verdict: 'observed' })]
    expect(answers(observed).gate.because).toEqual(['no check passed'])
    expect(answers(observed, {}, { isShard: true, narrowed: true })).toMatchObject({
      gate: { passed: true },
      conformance: 'partial',
      exitCode: 0,
    })
  })

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
    gate: { because: ['planned checks without a verdict: c/d/LOST'] },
  })
})

test('a state that could not be left keeps the run from being green', () => {
  const stuck = ['chat.paused could not be left: 500']
  expect(answers([passed, fine], {}, { stuck })).toMatchObject({ exitCode: 3, gate: { because: stuck } })
})

describe('a clause that came after the set that counts', () => {
  const older = { counted: { [must]: 'must' }, mustClauses: [must] } as const
  const rows: readonly (readonly [Partial<Finding>, conformance: string])[] = [
    [{ verdict: 'fail', fingerprint: '0123456789ab' }, 'conformant'],
    [{ verdict: 'error' }, 'conformant'],
    [{ verdict: 'inconclusive' }, 'conformant'],
    [{ verdict: 'not-exercised', reason: 'state-not-established', detail: 'untrue' }, 'conformant'],
  ]

  test.for(rows)('is marked, and %j of it changes neither answer', ([change, conformance]) => {
    const result = answers([passed, finding(other, change)], {}, older)
    expect(result).toMatchObject({ conformance, exitCode: 0, gate: { passed: true, because: [] } })
    expect(result.findings.map(({ provisional }) => provisional)).toEqual([undefined, true])
  })

  test('counts in the set that has it, whatever was said of it before', () => {
    const before = answers([passed, failed], {}, older).findings
    const result = answers(before)
    expect(result).toMatchObject({ conformance: 'nonconformant', exitCode: 1 })
    expect(result.findings).toEqual([passed, failed])
  })

  test('is no pass that a run could rest on', () => {
    expect(answers([fine], {}, older)).toMatchObject({ conformance: 'partial', exitCode: 3 })
  })

  test('is never a gap: that is not judged in any set', () => {
    const gap = { ...finding(must), subject: 'GAP-CREDIT-COST', verdict: 'observed' } as const
    expect(answers([passed, gap], {}, { counted: {} }).findings[1]).not.toHaveProperty('provisional')
  })
})

test('a waived failure says who owns it, and stays a failure', () => {
  const [, waived] = answers([passed, failed], { knownFailures: [known()] }).findings
  expect(waived).toMatchObject({
    verdict: 'fail',
    waived: { as: 'known-failure', owner: 'team', reason: 'because', expires: '2030-01-31' },
  })
})

test('a flaky failure is reported as flaky, with its issue', () => {
  const issue = 'https://tracker.example/7'
  const [, waived] = answers([passed, failed], { flaky: [flaky({ issue })] }).findings
  expect(waived).toMatchObject({ verdict: 'fail', waived: { as: 'flaky', issue } })
})

test('the gate names what weighs most first', () => {
  const { because, stalePolicy } = answers([failed, missing()], {
    knownFailures: [known({ check: 'x' })],
  }).gate
  const strange =
    'the known failure x (team) names no check; remove it, or use an id that `touchstone plan --json` lists'
  expect(because).toEqual([
    `1 failure: ${failed.check}`,
    strange,
    'no check passed',
    `required checks without a result: ${failed.check}`,
  ])
  expect(stalePolicy).toEqual([strange])
})

test('the gate lists what the target lost apart from what is missing for another reason', () => {
  const lost = finding(other, { scenario: 'c/d', verdict: 'inconclusive', reason: 'target-unavailable' })
  const { because } = answers([passed, lost, missing()]).gate
  expect(because).toEqual([
    `1 required check without a result, because some requests were answered 429, 502, 503 or 504, or not at all: ${lost.check}`,
    `required checks without a result: ${missing().check}`,
  ])
})
