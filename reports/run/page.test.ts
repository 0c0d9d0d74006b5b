/** The page of a run without a browser: its first screen, what it leads to, and its size. */
import { createHash } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import type { Finding, RunRecord, Verdict } from '../../bundle/record.ts'
import { compare } from '../diff/compare.ts'
import type { Beside } from '../formats/exporter.ts'
import { runOfMany } from '../testing/many-checks.testkit.ts'
import { elements } from '../testing/page.testkit.ts'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'
import { clauseRows, coverageOf } from '../verdicts/clauses.ts'
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
  ['failures with the errors of ours', {}, 'Failed checks 2 including 1 error of Touchstone, and 1 warning'],
  [
    'a plan that was not kept',
    { plan: { ...plan, checks: [...plan.checks, { ...plan.checks[0]!, check: 'a/b/LOST' }] } },
    'The results do not match the plan. planned without a result: a/b/LOST.',
  ],
  [
    'the next waiver to expire',
    {},
    'Waivers 2 next expires 2026-11-08, 7 days left',
    [
      { ...failure, waived: waived('a', '2026-12-01') },
      { ...failure, check: 'x', waived: waived('b', '2026-11-08') },
    ],
  ],
  ['who signed', { signing: { keyid: 'ab12'.repeat(16) } }, 'Signature key ab12ab12 check it with'],
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
    'who started it',
    { run: { ...run, origin: { ci: 'GitHub Actions', job: 'gate', actor: 'octocat', branch: 'main' } } },
    'Started by octocat GitHub Actions; gate; main',
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
    'Since the last run 1 worse',
    finding({ verdict: 'fail', expected: 'a', got: 'b' }),
  ],
  [
    'something that is not judged any more',
    'Since the last run 1 not tested now',
    finding({ verdict: 'inconclusive' }),
  ],
  ['that nothing got worse', 'Since the last run nothing worse', finding()],
])('says %s since the last run', ([, says, now]) => {
  const check = 'idempotency/one/IDEM-REPLAY-HEADER'
  const after = [{ ...now, check }]
  const changes = compare(runOf([{ ...finding(), check }]), runOf(after))
  expect(firstScreen(after, {}, { files: new Set(), changes })).toContain(says)
  expect(firstScreen(after)).toContain('Since the last run not compared')
})

const render = (...input: Parameters<typeof runOf>): string => String(htmlPage.render(runOf(...input)))
const simulator = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const

describe('report.html', () => {
  it('closes every element it opens and has every clause that was asked for once', () => {
    const page = render(everyVerdict())

    expect(elements(page)?.filter((name) => name === 'article')).toHaveLength(6)
    expect(page.match(/<tr [^>]*id="IDEM-REPLAY-HEADER">/g)).toHaveLength(1)
    expect(page).toContain('untestable</span>: no scenario yet')
  })

  it('loads nothing: no script, no address that a browser would fetch, and a policy that forbids both', () => {
    const page = render(everyVerdict(), { target: simulator })
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')

    expect(page).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${digest}&#39;;`)
    expect(page).not.toMatch(
      /<(script|link|img|iframe|object|base|form|use|image)\b|\s(src|style|on\w+)=|url\(|@import/i,
    )
    // Addresses lead to places in the page alone.
    expect(page).not.toMatch(/href="(?!#)/)
  })

  it('leads nowhere that is not there, and names no place twice', () => {
    const page = render([
      ...everyVerdict(),
      finding({ verdict: 'fail', subject: 'OLD-SEND', area: 'older-variant', provisional: true }),
    ])
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    const led = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)

    expect(ids).toEqual([...new Set(ids)])
    expect(led.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('shows a stream line by line, and cuts a long body', () => {
    const stream = 'data: {"type":"token","token":"Hi"}\n\ndata: {"type":"done"}\n\n'
    const long = exchange(1, { sent: 'x'.repeat(100_000), came: stream })
    const page = render([finding({ verdict: 'fail' })], {}, [long])

    expect(page).toContain('\ndata: {&quot;type&quot;:&quot;done&quot;}\n')
    expect(page).toContain('… (96000 more characters)')
    expect(page).not.toContain('x'.repeat(4_001))
  })

  it('marks the exchange that shows a failure, and has each in full once', () => {
    const broken = finding({ verdict: 'fail', evidence: [2, 1] })
    const page = render([broken, finding({ verdict: 'pass', evidence: [1, 2] })], {}, [
      exchange(1),
      exchange(2),
    ])

    expect(page.match(/← evidence/g)).toHaveLength(1)
    expect(page.match(/<details id="exchange-\d"/g)).toEqual([
      '<details id="exchange-1"',
      '<details id="exchange-2"',
    ])
    expect(page).toContain('<a href="#exchange-2">2</a>')
  })

  it('lists failures before the counts, and folds away the checks that a gate names', () => {
    const names = Array.from({ length: 20 }, (_, at) => `idempotency/${at}/IDEM-RUN-ONCE`).join(', ')
    const because = [`20 MUST clauses failed: ${names}`]
    const page = render(everyVerdict(), { gate: { passed: false, because, stalePolicy: [] } })

    expect(page.indexOf('id="failures"')).toBeLessThan(page.indexOf('id="counts"'))
    expect(page).toContain(`<summary>20 MUST clauses failed</summary>${names}`)
  })
})

const checks = 800
const mostBytes = 1_000_000
const mostHostileBytes = 1_500_000

const plain = (check: number): string => `status 200 in check ${check}`
/** Each byte becomes six. */
const hostile = (check: number): string => `${check}${'\u0000"<'.repeat(400)}`

test.for<[string, Verdict, typeof plain]>([
  ['that passed', 'pass', plain],
  ['that failed, each in its own way', 'fail', plain],
  ['that failed with bytes which take most room', 'fail', hostile],
  ['that were seen where the contract is silent, with such bytes', 'observed', hostile],
])(`${checks} checks %s fit`, ([, verdict, text]) => {
  const page = String(htmlPage.render(runOfMany(checks, verdict, text)))

  expect(Buffer.byteLength(page)).toBeLessThan(text === plain ? mostBytes : mostHostileBytes)
  expect(elements(page)).not.toBeNull()
  expect(page).toContain('<details id="exchange-1">')
  // None is left out, however short it is reported.
  for (const check of [0, checks / 2, checks - 1]) expect(page).toContain(`/s${check}/`)
})
