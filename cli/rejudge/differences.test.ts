import { expect, test } from 'vitest'
import { finding, runOf } from '../../reports/testing/run.testkit.ts'
import type { Finding, RunRecord } from '../../bundle/record.ts'
import { differences, type JudgedRun } from './rejudge.ts'

const policy = { knownFailures: [], flaky: [], expectedNotExercised: [] }

function judged(
  found: Partial<Finding>,
  over: Partial<RunRecord> = {},
  basis: Partial<JudgedRun['basis']> = {},
): JudgedRun {
  const { record } = runOf([finding({ check: 'a/b/C', ...found })], {
    exitCode: 0,
    conformance: 'conformant',
    ...over,
  })
  return { record, basis: { dialect: {}, policy, ...basis } }
}

const { tool, contract } = judged({}).record
const before = judged({ verdict: 'pass' })
const others = { ...tool, suite: '0'.repeat(64) }
const coded = { dialect: { errorCode: '/code' } }
const broken = { verdict: 'fail', expected: 'status 200', got: 'status 500' } as const

test('nothing is said of a run that is judged as it was', () => {
  expect(differences(before, before)).toEqual([])
})

test.for([
  [
    'another version',
    judged(broken, { tool: { ...tool, version: '0.2.0' } }),
    'because version 0.1.0 judged it then and 0.2.0 now',
  ],
  ['another suite', judged(broken, { tool: others }), 'because the suite has other checks than it had then'],
  ['another dialect', judged(broken, {}, coded), 'because the dialect of the target is another'],
  [
    'another level',
    judged({ ...broken, level: 'should' }, { contract: { ...contract, revision: '2027-03' } }),
    'because clause set 2027-03 has its clause as a SHOULD',
  ],
  [
    'none of these',
    judged(broken),
    'because the judges of this version say otherwise although it has the same number, or the record was changed since',
  ],
] as const)(
  'of another verdict it is said why it may be, and what the judge says now %s',
  ([, after, why]) => {
    expect(differences(before, after)).toEqual([
      `a/b/C: pass → fail, ${why}; the judge says now: fail (expected status 200, got status 500).`,
    ])
  },
)

test('of other answers of the run, too', () => {
  const stricter = judged(
    { verdict: 'pass' },
    { exitCode: 5, gate: { passed: false, because: ['x is stale'], stalePolicy: [] } },
    { policy: { ...policy, flaky: [{ check: 'x', owner: 'o', reason: 'r', expires: '2030-01-01' }] } },
  )
  expect(differences(before, stricter)).toEqual([
    'gate: exit code 0 → 5, because the policy is another: x is stale.',
  ])
  const newer = judged(
    { verdict: 'pass' },
    { conformance: 'partial', contract: { ...contract, digest: '1'.repeat(64) } },
  )
  expect(differences(before, newer)).toEqual([
    'conformance: conformant → partial, because the clause set is another.',
  ])
})
