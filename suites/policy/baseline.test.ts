import { expect, test } from 'vitest'
import type { Finding } from '../../bundle/record.ts'
import { findingOf } from '../../bundle/testing/finding.testkit.ts'
import { emptyPolicy, type Policy } from './policy.ts'
import { baselineOf } from './baseline.ts'

const fingerprint = '0123456789ab'
const lost = 'target-unavailable'

const failed = findingOf({ verdict: 'fail', fingerprint })
const flaky = { ...failed, attempts: { failed: 1, of: 2 } }
const unsure = findingOf({ verdict: 'inconclusive', detail: 'no overlap' })
const missing = findingOf({ verdict: 'not-exercised', reason: 'fixture-missing', detail: 'no second agent' })
const signature = { owner: 'ada', reason: 'later', today: '2030-01-01', days: 30 }
const entry = { check: 'a/b/RES-JSON', owner: 'ada', expires: '2030-01-31' }
const older = { ...entry, owner: 'bob', reason: 'known well', expires: '2030-01-05', at: 'x.yaml:1' }
const known = { ...older, fingerprint, created: '2029-12-01' }
const anew = { ...entry, fingerprint, reason: 'later', created: '2030-01-01' }
const expectation = { pattern: 'a/b', reason: 'later' }
const checks = [{ check: entry.check, names: [entry.check], offered: true }]
const gone = { ...known, check: 'a/b/RES-OLD' }

const rows: readonly (readonly [what: string, Finding, before: Partial<Policy>, after: Partial<Policy>])[] = [
  ['a failure', failed, {}, { knownFailures: [anew] }],
  ['a failure that was known', failed, { knownFailures: [known] }, { knownFailures: [known] }],
  ['a known failure that is flaky now', flaky, { knownFailures: [known] }, { knownFailures: [known] }],
  [
    'a failure beside checks that are gone',
    failed,
    { knownFailures: [gone], flaky: [older, gone] },
    { flaky: [older] },
  ],
  [
    'a failure that became another',
    failed,
    { knownFailures: [{ ...known, fingerprint: 'ffffffffffff' }] },
    { knownFailures: [anew] },
  ],
  ['what failed once in two attempts', flaky, {}, { flaky: [{ ...entry, reason: 'later' }] }],
  ['what was inconclusive', unsure, {}, { expectedNotExercised: [{ ...expectation, pattern: entry.check }] }],
  ['what was missing', missing, {}, { expectedNotExercised: [expectation] }],
]

test.for<[what: string, change: Partial<Finding>, isAccepted: boolean]>([
  ['of its exchange', { scenario: 'e/f', evidence: [2, 3] }, true],
  ['that stopped its scenario', { evidence: [] }, true],
  ['of other exchanges of its scenario', { evidence: [3] }, false],
  ['of another scenario', { scenario: 'e/f', evidence: [3] }, false],
  ['of another scenario, where it has no exchange', { scenario: 'e/f' }, false],
  ['of the condition that it lacks', { scenario: 'e/f', evidence: [3], fingerprint }, true],
  ['of its exchange, and lost a request', { scenario: 'e/f', evidence: [2], reason: lost }, false],
  ['of a stream that broke, and lost it', { scenario: 'e/f', fingerprint, reason: lost }, true],
])('a check that is inconclusive beside a failure %s', ([, change, isAccepted]) => {
  const open = findingOf({ verdict: 'inconclusive', subject: 'IDEM-REPLAY-STATUS', ...change })
  const findings = [{ ...failed, evidence: [2] }, open]
  const { knownFailures, expectedNotExercised } = baselineOf({ findings }, emptyPolicy, [], signature)
  expect(knownFailures).toHaveLength(1)
  expect(expectedNotExercised.map(({ pattern }) => pattern)).toEqual(isAccepted ? [] : [open.check])
})

test('without a reason, what is not tested has the first clause of its own', () => {
  const findings = [unsure, { ...missing, scenario: 'c/d', detail: 'no second agent; name one' }]
  const { expectedNotExercised } = baselineOf({ findings }, emptyPolicy, [], {
    ...signature,
    reason: undefined,
  })
  const reasons = ['inconclusive: no overlap', 'fixture-missing: no second agent']
  expect(expectedNotExercised.map(({ reason }) => reason)).toEqual(reasons)
})

test.for(rows)('of %s a baseline says so much', ([, finding, before, after]) => {
  const policy = baselineOf({ findings: [finding] }, { ...emptyPolicy, ...before }, checks, signature)
  expect(policy).toEqual({ ...emptyPolicy, ...after })
})
