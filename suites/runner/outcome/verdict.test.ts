import { describe, expect, test } from 'vitest'
import { type ClauseId } from '../../../spec/index.ts'
import type { KnownCheck } from '../../policy/expected.ts'
import { emptyPolicy, type FlakyCheck, type KnownFailure, type Policy } from '../../policy/policy.ts'
import type { Finding } from '../../../bundle/record.ts'
import { findingOf } from '../../../bundle/testing/finding.testkit.ts'
import { answersOf, type GateInput } from './verdict.ts'

const must: ClauseId = 'IDEM-REPLAY-STATUS'
const other: ClauseId = 'RES-JSON'

const finding = (subject: ClauseId, change: Partial<Finding> = {}): Finding =>
  findingOf({ subject, ...change })

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
const knownAs = (change?: Partial<KnownFailure>): Partial<Policy> => ({ knownFailures: [known(change)] })
const flakyAs = (change: Partial<FlakyCheck> = {}): Partial<Policy> => ({ flaky: [{ ...owned, ...change }] })
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
    known: [passed, failed, finding(must, { scenario: 'c/d' })].map(asKnown),
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

type Row = readonly [answers: string, findings: readonly Finding[], policy?: Partial<Policy>]

const fine = finding(other)
const unsure = finding(other, { verdict: 'inconclusive' })
const lost = finding(other, { verdict: 'inconclusive', reason: 'target-unavailable' })
const erred = finding(other, { verdict: 'error' })
const beside = (one: Finding): readonly Finding[] => [passed, one]
const [good, bad, untried, gone] = [beside(fine), beside(failed), beside(missing()), beside(lost)]
const unsureIn = (scenario: string): Finding =>
  finding(must, { verdict: 'inconclusive', scenario, evidence: [7] })
const [beforeIt, elsewhere] = [unsureIn('a/b'), unsureIn('c/d')]
const without = (reason: Finding['reason']): readonly Finding[] => [passed, missing(reason)]
const rows: Readonly<Record<string, Row>> = {
  'every must passes': ['conformant, exit 0', good],
  'a must fails': ['nonconformant, exit 1', bad],
  'a should is broken': ['conformant, exit 0', [passed, fine, finding('IDEM-KEY-ODD', { verdict: 'warn' })]],
  'a must was not exercised': ['partial, exit 3', untried],
  'a must was not exercised, as expected by clause': ['partial, exit 0', untried, expected(other)],
  'what was expected to be missing was exercised': ['conformant, exit 5', good, expected('chat.paused')],
  'an expectation means nothing that there is': ['conformant, exit 5', good, expected('chat.pausd')],
  'a must is inconclusive': ['partial, exit 3', [passed, unsure]],
  'a must is inconclusive, and anything may be missing': ['partial, exit 3', [passed, unsure], expected('*')],
  'a must is inconclusive, as expected by clause': ['partial, exit 0', [passed, unsure], expected(other)],
  'a request of a must is lost, as expected by check': ['partial, exit 0', gone, expected(failed.check)],
  'a request of a must is lost, and more is expected': ['partial, exit 3', gone, expected('*', other)],
  'the target was lost, whatever is expected': [
    'partial, exit 4',
    without('target-unavailable'),
    expected('*', other),
  ],
  'a must was not asked for': ['partial, exit 0', [passed]],
  'a declared state is not the case, whatever is expected': [
    'partial, exit 3',
    without('state-not-established'),
    expected('*'),
  ],
  'the run was interrupted, whatever is expected': ['partial, exit 3', without('interrupted'), expected('*')],
  'the suite errs': ['partial, exit 70', [passed, erred], expected('*')],
  'the failure is known': ['nonconformant, exit 0', bad, knownAs()],
  'the known failure has expired': ['nonconformant, exit 5', bad, knownAs({ expires: '2029-12-31' })],
  'the known failure has become another one': [
    'nonconformant, exit 1',
    bad,
    knownAs({ fingerprint: 'ffffffffffff' }),
  ],
  'the known failure is healed': ['conformant, exit 5', good, knownAs()],
  'a must is inconclusive in a scenario that a known failure stopped': [
    'nonconformant, exit 0',
    [passed, failed, { ...beforeIt, evidence: [] }],
    knownAs(),
  ],
  'a must is inconclusive in the scenario of a known failure': [
    'nonconformant, exit 3',
    [passed, failed, beforeIt],
    knownAs(),
  ],
  'a must is inconclusive elsewhere': ['nonconformant, exit 3', [passed, failed, elsewhere], knownAs()],
  'a must is inconclusive, and the known failure was not run': [
    'partial, exit 3',
    [passed, beforeIt],
    knownAs(),
  ],
  'a must is inconclusive on the exchange of a known failure': [
    'nonconformant, exit 0',
    [passed, failed, { ...elsewhere, evidence: failed.evidence }],
    knownAs(),
  ],
  'a flaky check fails': ['nonconformant, exit 0', bad, flakyAs()],
  'a flaky check fails after its time': ['nonconformant, exit 5', bad, flakyAs({ expires: '2029-12-31' })],
  'the flaky entry names no check': ['conformant, exit 5', good, flakyAs({ check: 'a/b/NOTHING' })],
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

  test.for(Object.entries(rows))('%s', ([, [expected, findings, policy]]) => {
    const { conformance, exitCode, gate } = answers(findings, policy)
    expect(`${conformance}, exit ${exitCode}`).toBe(expected)
    expect(gate.passed).toBe(exitCode === 0)
    expect(gate.because.length > 0).toBe(exitCode !== 0)
  })
})

test('what followed from a failure is missing again when it is fixed', () => {
  const open = { ...elsewhere, evidence: failed.evidence }
  const follows = (one: Finding) => answers([passed, one, open], knownAs()).findings[2]?.follows
  expect([follows(failed), follows(fine)]).toEqual([failed.check, undefined])
  // A condition that is lacked alike in another part of the service is another one.
  const lacks = { ...open, evidence: [99], fingerprint: failed.fingerprint }
  const areas = [failed.area, 'billing'] as const
  const from = areas.map((area) => answers([{ ...failed, area }, lacks], knownAs()).findings[1]?.follows)
  expect(from).toEqual([failed.check, undefined])
  expect(answers([passed, fine, open], knownAs()).gate).toMatchObject({
    because: [expect.stringContaining('passes now'), `required checks without a result: ${open.check}`],
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

const older = { counted: { [must]: 'must' }, mustClauses: [must] } as const
test.for([failed, erred, unsure, missing('state-not-established')])(
  'a clause that came after the set that counts is marked, and %j of it changes neither answer',
  (one) => {
    const result = answers([passed, one], {}, older)
    expect(result).toMatchObject({
      conformance: 'conformant',
      exitCode: 0,
      gate: { passed: true, because: [] },
    })
    expect(result.findings.map(({ provisional }) => provisional)).toEqual([undefined, true])
  },
)

test('an interruption comes before what is missing for it', () => {
  const { because } = answers([unsure, missing('interrupted')]).gate
  expect(because[0]).toBe('the run was interrupted: said so; 1 check not tested for that')
  expect(because.at(-1)).toBe(`required checks without a result: ${unsure.check}`)
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
