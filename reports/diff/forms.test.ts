import { describe, expect, it, test } from 'vitest'
import { contractIdentifiers, identifiersOf } from '../../spec/identifiers.ts'
import type { Finding } from '../bundle/record.ts'
import { finding, runOf } from '../testing/run.testkit.ts'
import { compare } from './compare.ts'
import { renderDiff } from './index.ts'
import { mostMarkdownBytes } from './markdown.ts'

const plain = { colour: false, width: 100 }
const broken = (over: Partial<Finding> = {}): Finding =>
  finding({ verdict: 'fail', scenario: 'one', expected: 'status 409', got: 'status 200', ...over })
const passed = (scenario = 'one'): Finding => finding({ verdict: 'pass', scenario })

const regression = compare(runOf([passed()]), runOf([broken()]), {
  files: new Set(['counterexamples/idempotency-one-IDEM-REPLAY-HEADER/replay.json']),
})
const forms = ['text', 'markdown', 'html', 'json'] as const

describe('each form says', () => {
  test.for(forms)('check, verdicts, both sides of the difference, and where to look: %s', (form) => {
    const reported = renderDiff(regression, form, plain).replaceAll('\\', '')
    for (const words of [
      'idempotency/one/IDEM-REPLAY-HEADER',
      'status 409',
      'status 200',
      'regressed',
      'must',
    ])
      expect(reported).toContain(words)
    expect(reported).toContain('counterexamples/idempotency-one-IDEM-REPLAY-HEADER')
    expect(reported).toMatch(/✓ pass → ✗ fail|"before": \{/)
  })

  test.for(forms)('that a run is not whole, and what its difference to the other means: %s', (form) => {
    const smoke = runOf([passed()], { run: { ...runOf([]).record.run, profile: 'smoke' } })
    const comparison = compare(smoke, runOf([passed()]), { ends: { after: 'line 7 is cut' } })
    const reported = renderDiff(comparison, form, plain).replaceAll('\\', '')
    expect(reported).toContain('line 7 is cut')
    expect(reported).toContain('another part of the suite was chosen')
  })

  test.for(['text', 'markdown', 'html'] as const)('in one line that nothing changed: %s', (form) => {
    const same = compare(runOf([passed()]), runOf([passed()]))
    expect(renderDiff(same, form, plain)).toContain('✓ nothing changed')
  })
})

describe('a clause has the identifiers of the service', () => {
  const of = (vendor: string, one: Finding) => {
    const target = { name: 'ours', kind: 'staging', baseUrl: 'https://a.example' } as const
    return runOf([one], { target: { ...target, vendor, identifiers: identifiersOf(vendor) } })
  }

  test.for(forms)('where both runs have the same: %s', (form) => {
    const comparison = compare(of('acme', passed()), of('acme', broken()))
    const reported = renderDiff(comparison, form, plain).replaceAll('\\', '')
    expect(reported).toContain('X-Acme-Idempotent-Replay')
    expect(reported).not.toContain(contractIdentifiers.replayHeader)
  })

  test('and those of the contract where they have not', () => {
    const comparison = compare(of('acme', passed()), of('other', broken()))
    expect(comparison.changes[0]?.about).toContain(contractIdentifiers.replayHeader)
  })
})

test.for(['markdown', 'html'] as const)('a run of the simulator says what it is: %s', (form) => {
  const target = { name: 'ours', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const
  const simulated = runOf([passed()], { target })
  const words = 'Simulator run. It says nothing about the live service.'
  expect(renderDiff(compare(simulated, simulated), form, plain)).toContain(words)
  expect(renderDiff(regression, form, plain)).not.toContain(words)
})

test('the terminal leads with the answer and the counts', () => {
  const [first] = renderDiff(regression, 'text', plain).split('\n')
  expect(first).toBe('✗ something got worse  1 regressed; 0 as before')
})

test('the terminal shows no more of a kind than fits, and says how many there are', () => {
  const many = Array.from({ length: 300 }, (_, at) => `s${at}`)
  const comparison = compare(
    runOf(many.map((scenario) => passed(scenario))),
    runOf(many.map((scenario) => broken({ scenario }))),
  )
  const reported = renderDiff(comparison, 'text', plain)
  expect(reported).toContain('Regressed (300)')
  expect(reported).toContain('and 292 more')
  expect(reported.split('\n').length).toBeLessThan(80)
})

test('Markdown fits a comment, however much changed and whatever a target said', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `s${at}`)
  const comparison = compare(
    runOf(many.map((scenario) => passed(scenario))),
    runOf(many.map((scenario) => broken({ scenario, got: '|`<é'.repeat(500) }))),
  )
  const reported = renderDiff(comparison, 'markdown', plain)
  expect(Buffer.byteLength(reported)).toBeLessThan(mostMarkdownBytes + 200)
  expect(reported).toContain('### ✗ regressed (3000)')
})

describe('what a target said stays text', () => {
  const hostile =
    '</style><script>alert(1)</script>\u001b[2J\u202e\u0000\ud800 [x](http://evil.example) | # `a`\n## b'
  const comparison = compare(
    runOf([passed(), finding({ verdict: 'observed', scenario: 'two', detail: 'before' })]),
    runOf(
      [
        broken({ got: hostile, waived: { as: 'flaky', owner: hostile, reason: hostile, expires: hostile } }),
        finding({ verdict: 'observed', scenario: 'two', detail: hostile }),
      ],
      { target: { name: hostile, kind: 'staging', baseUrl: hostile, version: hostile } },
    ),
    { ends: { after: hostile } },
  )

  test.for(['text', 'markdown', 'html'] as const)(
    'no control, no direction, no half character: %s',
    (form) => {
      const reported = renderDiff(comparison, form, plain)
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      expect(reported).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]|\p{Surrogate}/u)
    },
  )

  it('no element and no other policy on the page', () => {
    const reported = renderDiff(comparison, 'html', plain)
    expect(reported).not.toMatch(/<script|<img|<link|<a |src=|href=|url\(/)
    expect(reported.match(/<\/style>/g)).toHaveLength(1)
    expect(reported).toContain(`content="default-src &#39;none&#39;`)
  })

  it('no link, heading, table cell or markup in Markdown', () => {
    const reported = renderDiff(comparison, 'markdown', plain)
    expect(reported).not.toMatch(/<script|(?<!\\)\[x|^## b/m)
  })
})

test('colours repeat what words and signs say', () => {
  const reported = renderDiff(regression, 'text', { colour: true, width: 100 })
  expect(reported).toContain('\u001b[31m✗ something got worse')
})
