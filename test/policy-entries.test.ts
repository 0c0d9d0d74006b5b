/** The entries that a report says to add to a policy are held against the gate that reads them. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Finding } from '../bundle/record.ts'
import { markdown, renderText } from '../reports/run/summary.ts'
import { finding, runOf } from '../reports/testing/run.testkit.ts'
import { entriesToAccept } from '../reports/verdicts/reasons.ts'
import { emptyPolicy, type ExpectedNotExercised } from '../suites/policy/policy.ts'
import { answersOf, type Answers } from '../suites/runner/outcome/verdict.ts'

function found(check: string, area: Finding['area'], over: Partial<Finding> = {}): Finding {
  const [first, second] = check.split('/')
  return finding({ check, area, scenario: `${first}/${second}`, verdict: 'not-exercised', ...over })
}

const missing = [
  found('billing/usage/A', 'billing', { reason: 'principal-missing', detail: 'no key has "x"; declare one' }),
  found('billing/plans/B', 'billing', { reason: 'principal-missing' }),
  found('auth/plan/C', 'auth', { reason: 'state-not-provided', detail: '`plan`: '.repeat(20) }),
  found('auth/plan/D', 'chat-errors', { reason: 'state-not-provided' }),
  found('auth/scope/E', 'auth', { verdict: 'inconclusive', detail: 'not the point' }),
  found('auth/lost/G', 'auth', { verdict: 'inconclusive', reason: 'target-unavailable' }),
]
const findings = [
  ...missing,
  found('auth/scope/F', 'auth', { verdict: 'pass' }),
  found('chat/turn/H', 'chat-errors', { verdict: 'pass' }),
]

function gateWith(expectedNotExercised: readonly ExpectedNotExercised[], judged = findings): Answers {
  const known = judged.map(({ check, subject, scenario, area }) => ({
    check,
    names: [check, subject, scenario, area],
    offered: true,
  }))
  return answersOf({
    findings: judged,
    planned: judged.map(({ check }) => check),
    known,
    mustClauses: [],
    narrowed: false,
    isShard: false,
    stuck: [],
    policy: { ...emptyPolicy, expectedNotExercised },
    counted: { 'IDEM-REPLAY-HEADER': 'must' },
    today: '2030-01-01',
  })
}

test('with the entries of its report, the gate accepts what has no result', () => {
  const before = gateWith([])
  expect([before.exitCode, before.gate.missing]).toEqual([3, missing.slice(0, -1).map(({ check }) => check)])

  const entries = entriesToAccept(runOf(findings, before))
  const written = parse(entries.join('\n')) as ExpectedNotExercised[]
  const patterns = ['billing', 'auth/plan', 'auth/scope/E']
  expect(written.map(({ pattern }) => pattern)).toEqual(patterns)
  expect(written[0]?.reason).toBe('no key has "x"')

  expect(gateWith(written).gate.because).toEqual([
    expect.stringMatching(/lost.*run again when the target answers$/),
  ])
  const after = gateWith([...written, { pattern: 'auth/lost/G', reason: 'lost' }])
  expect(after).toMatchObject({ exitCode: 0, gate: { passed: true, stalePolicy: [] } })
  expect(after.gate).not.toHaveProperty('missing')
  expect(entriesToAccept(runOf(findings, after))).toEqual([])
})

test('nothing is said to accept where no policy can', () => {
  const answers = gateWith(
    [],
    [
      found('a/b/C', 'auth', { reason: 'state-mismatch', detail: 'not so' }),
      found('client-a/b/D', 'library-chat', { verdict: 'inconclusive', fingerprint: '0123456789ab' }),
      ...findings.slice(-1),
    ],
  )
  expect(answers.exitCode).toBe(3)
  expect(entriesToAccept(runOf(answers.findings, answers))).toEqual([])
})

test('a summary shows the first entries, and how to get all of them', () => {
  const many = Array.from({ length: 30 }, (_, at) =>
    found(`auth/s${at}/C`, 'auth', { reason: 'fixture-missing' }),
  )
  const judged = [...many, ...findings.slice(-2), found('auth/t/P', 'auth', { verdict: 'pass' })]
  const run = runOf(judged, gateWith([], judged))
  expect(renderText(run, { colour: false, width: 80 })).toMatch(
    /add to\s+`expectedNotExercised` of the policy:\n {2}- \{ pattern: auth\/s0, reason: "fixture-missing" \}\n[^]*\n10 more: `touchstone baseline`/,
  )
  expect(markdown.render(run)).toMatch(
    /policy:\n\n```yaml\n- \{ pattern: auth\/s0, reason: "fixture-missing" \}\n[^]*\n```\n\n10 more: `touchstone baseline`/,
  )
})
