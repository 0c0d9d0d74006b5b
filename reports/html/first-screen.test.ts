import { expect, test } from 'vitest'
import type { Finding, RunRecord } from '../bundle/record.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import { coverageOf } from '../verdicts/coverage.ts'
import { compare } from '../diff/compare.ts'
import type { Beside } from '../formats/exporter.ts'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'
import { htmlPage } from './page.ts'

/** The words of the first screen, on one line. */
function firstScreen(
  findings: Parameters<typeof runOf>[0],
  over: Partial<RunRecord> = {},
  beside?: Beside,
): string {
  const page = String(htmlPage.render(runOf(findings, over), beside))
  const header = /<header>([^]*?)<\/header>/.exec(page)?.[1] ?? ''
  return header.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

const { run } = runOf([]).record
const mustClauses = coverageOf(clauseRows(runOf([]))).all
const waived = (owner: string, expires: string) =>
  ({ as: 'known-failure', owner, reason: 'being fixed', expires }) as const
const failure = finding({ verdict: 'fail' })
const { plan } = runOf(everyVerdict()).record

test.for<[what: string, over: Partial<RunRecord>, says: string, findings?: Parameters<typeof runOf>[0]]>([
  [
    'both answers',
    {},
    `Conformance ✗ nonconformant 1 of ${mustClauses} MUST clauses failed. Gate ✗ failed Exit code 1.`,
  ],
  [
    'a gate that passed',
    { gate: { passed: true, because: [], stalePolicy: [] }, exitCode: 0 },
    'Gate ✓ passed Exit code 0.',
  ],
  [
    'failures with the errors of ours',
    {},
    'Failed checks ✗ 2 including 1 error of Touchstone, and 1 warning',
  ],
  ['that nothing failed', {}, 'Failed checks ✓ none', [finding()]],
  ['a plan that was kept', {}, 'Plan ✓ 8 of 8'],
  [
    'a plan that was not kept',
    { plan: { ...plan, checks: [...plan.checks, { ...plan.checks[0]!, check: 'a/b/LOST' }] } },
    'The results do not match the plan. planned without a result: a/b/LOST.',
  ],
  [
    'the next waiver to expire',
    {},
    'Waivers – 2 next expires 2026-11-08, 7 days left',
    [
      { ...failure, waived: waived('a', '2026-12-01') },
      { ...failure, check: 'x', waived: waived('b', '2026-11-08') },
    ],
  ],
  ['that nobody signed', {}, 'Signature · unsigned'],
  ['who signed', { signing: { keyid: 'ab12'.repeat(16) } }, 'Signature · key ab12ab12 check it with'],
  [
    'that it was a simulator',
    { target: { name: 's', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } },
    'Simulator run. It says nothing about the live service.',
  ],
  [
    'that a cap ended the run',
    { run: { ...run, lifecycle: 'interrupted' } },
    'Interrupted. A limit of the run was reached: 1 check not run.',
    [finding({ verdict: 'not-exercised', reason: 'budget-exhausted' })],
  ],
  [
    'that the run was killed',
    { run: { ...run, lifecycle: 'crashed' } },
    'Cut off. The run was killed. What had not run by then was not tested.',
  ],
])('says %s', ([, over, says, findings = everyVerdict()]) => {
  expect(firstScreen(findings, over)).toContain(says)
})

test.for<[string, string, Finding]>([
  [
    'something that got worse',
    'Since the last run ✗ 1 worse',
    finding({ verdict: 'fail', expected: 'a', got: 'b' }),
  ],
  [
    'something that is not judged any more',
    'Since the last run – 1 not tested now',
    finding({ verdict: 'inconclusive' }),
  ],
  ['that nothing got worse', 'Since the last run ✓ nothing worse', finding()],
])('says %s since the last run', ([, says, now]) => {
  const check = 'idempotency/one/IDEM-REPLAY-HEADER'
  const after = [{ ...now, check }]
  const changes = compare(runOf([{ ...finding(), check }]), runOf(after))
  expect(firstScreen(after, {}, { files: new Set(), changes })).toContain(says)
  expect(firstScreen(after)).toContain('Since the last run · not compared')
})

test('says none of it where it is not so', () => {
  expect(firstScreen(everyVerdict())).not.toMatch(/Simulator run|Interrupted|Cut off|do not match/)
})

test('says where the journal of a run ends that was killed', () => {
  const beside = { files: new Set<string>(), ends: 'the run was cut off: it ends after exchange 12.' }
  expect(firstScreen([finding()], { run: { ...run, lifecycle: 'crashed' } }, beside)).toContain(
    'Cut off. The run was cut off: it ends after exchange 12. What',
  )
})

test('counts of a run that was killed only what it had come to itself', () => {
  const left = finding({ verdict: 'not-exercised', reason: 'interrupted' })
  expect(firstScreen([finding(), left], { run: { ...run, lifecycle: 'crashed' } })).toContain('Plan – 1 of 2')
})

test('counts each MUST clause once, as passed, failed, not tested, not applicable or untestable', () => {
  const count = (findings: Parameters<typeof runOf>[0]): number =>
    Number(/MUST clauses not tested – (\d+)/.exec(firstScreen(findings))?.[1])
  const none = count([])

  expect(none).toBeGreaterThan(300)
  for (const verdict of ['pass', 'fail', 'not-applicable'] as const)
    expect(count([finding({ verdict })]), verdict).toBe(none - 1)
  for (const verdict of ['error', 'inconclusive', 'not-exercised'] as const)
    expect(count([finding({ verdict }), finding()]), verdict).toBe(none)
})

test('gives the MUST clauses of the whole in numbers and in words, with the share that passed', () => {
  const screen = firstScreen([finding(), finding({ verdict: 'fail', subject: 'IDEM-RACE-KEYS' })])
  expect(screen).toContain('MUST clauses passed ✓ 1 (0 %)')
  expect(screen).toContain(`1 of ${mustClauses} MUST clauses passed (0 %), 1 failed, ${mustClauses - 2} not`)
  expect(screen).toContain(
    `2 of 2 planned checks have a verdict; they cover 2 of ${mustClauses} MUST clauses`,
  )
})

test.for<[string, Partial<RunRecord['run']>, string]>([
  [
    'a CI job',
    {
      origin: {
        ci: 'GitHub Actions',
        job: 'release / gate',
        url: 'https://ci.example/7',
        actor: 'octocat',
        branch: 'main',
        commit: '5f3c1e2a9b8c7d6e5f4a',
      },
    },
    'Started by · octocat GitHub Actions; release / gate; main, 5f3c1e2a9b8c',
  ],
  ['a person', { origin: { actor: 'ada', host: 'laptop' } }, 'Started by · ada laptop'],
  ['nobody that is recorded', {}, 'Started by · not recorded'],
])('says that the run was started by %s', ([, started, words]) => {
  expect(firstScreen([finding()], { run: { ...run, ...started } })).toContain(words)
})
