import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'
import { htmlPage } from './page.ts'
import { markdown, renderText } from './summary.ts'

const plain = { colour: false, width: 80, folder: 'touchstone-report' }

describe('the summary for a terminal', () => {
  it('prints both answers first, and the counts and the verdict last', () => {
    const lines = renderText(runOf(everyVerdict()), plain).trimEnd().split('\n')

    expect(lines[0]).toMatch(/^✗ nonconformant /)
    expect(lines[1]).toBe('✗ gate failed  Exit code 1.')
    expect(lines).toContain('– 1 check not applicable: because no presentation was sent')
    expect(lines.slice(-2)).toEqual([
      '1 passed, 2 failed, 1 skipped, 1 warned, 1 inconclusive, 1 not applicable, 1 observed',
      '✗ nonconformant · gate failed (exit 1): 2 failures · report: touchstone-report/report.html',
    ])
  })

  it('shows of a failure what was asked, what came and how to ask again', () => {
    const text = renderText(runOf(everyVerdict()), plain)

    expect(text).toContain('✗ IDEM-REPLAY-HEADER  MUST')
    expect(text).toContain('  expected  header x-service-idempotent-replay: true')
    expect(text).toContain('  actual    no such header')
    expect(text).toContain('curl -sS -i -N -X POST https://staging.example/api/v1/chat/agent-1')
    expect(text).not.toContain('sk-very-secret')
  })

  it('prints how to start the simulator again, whose address is gone after the run', () => {
    const target = {
      name: 'simulator',
      kind: 'simulator',
      baseUrl: 'http://127.0.0.1:41507',
      arguments: ['simulator', '--fault', 'replay-unmarked'],
    } as const
    const { record, journal } = runOf(everyVerdict())
    const text = renderText({ record: { ...record, target }, journal }, plain)

    expect(text).toContain('start     npx touchstone simulate --port 4010 --fault replay-unmarked\n')
    expect(text).toContain('curl -sS -i -N -X POST "${BASE_URL:-http://127.0.0.1:4010}"/api/v1/chat/agent-1')
    expect(text.split('41507')).toHaveLength(2)
  })

  it('prints the command that runs a client again', () => {
    const target = { name: 'app', kind: 'client', baseUrl: '' } as const
    const run = runOf([finding({ verdict: 'fail', check: 'client-chat/turn/LIB-CHAT' })], { target })

    expect(renderText(run, plain)).toContain(
      "reproduce  npx touchstone client --only 'client-chat/turn/LIB-CHAT' --seed 42 -- COMMAND",
    )
  })

  it('says of a client that crashed that it did, and of no ability to leave out', () => {
    const detail = 'step `turn`: no request sent; the client ended with 1: TypeError: no'
    const crashed = finding({ verdict: 'not-exercised', reason: 'client-never-acted', detail })
    const text = renderText(runOf([crashed]), plain)
    expect([text.includes('ended with an error before it sent'), text.includes('--can')]).toEqual([
      true,
      false,
    ])
  })

  it('says once what many scenarios have in common, and names them', () => {
    const unclear = { verdict: 'inconclusive', detail: 'it reports nothing' } as const
    const scenarios = ['client-cuts/after', 'client-cuts/before', 'client-cuts/within']
    const text = renderText(runOf(scenarios.map((scenario) => finding({ ...unclear, scenario }))), plain)

    expect(text.match(/it reports nothing/g)).toHaveLength(1)
    expect(text).toContain(`  in ${scenarios.join(' ')}`)
  })

  it('shows of a delivery what came in and what we answered, and no command for it', () => {
    const came = { ...exchange(1, {}), inbound: { place: '/run/a/1', targetAt: 5 } }
    const text = renderText(runOf([finding({ verdict: 'fail' })], {}, [came]), plain)

    expect(text).toMatch(/received\s+← replied 200/)
    expect(text).not.toContain('curl')
  })

  it('prints lines to paste once in a group, indented', () => {
    const missing = { verdict: 'not-exercised', reason: 'fixture-missing' } as const
    const details = ['read', 'write'].map(
      (what) => `no ${what} is declared; declare one:\nfixtures:\n  operations:\n    ${what}: {}`,
    )
    const text = renderText(runOf(details.map((detail) => finding({ ...missing, detail }))), plain)

    expect(text).toContain(
      [
        '  - no read is declared; declare one:',
        '    fixtures:',
        '      operations:',
        '        read: {}',
        '  - no write is declared; declare one',
        '',
      ].join('\n'),
    )
    expect(text).not.toContain(String.raw`\n`)
  })

  it('says the same with colour as without', () => {
    const run = runOf(everyVerdict())
    const coloured = renderText(run, { ...plain, colour: true })

    expect(coloured).toContain('\u001b[31m✗ nonconformant')
    expect(stripVTControlCharacters(coloured)).toBe(renderText(run, plain))
  })

  it('stays within the width, but for commands to paste', () => {
    const words = 'a rather long explanation of what was seen '.repeat(8)
    const run = runOf([finding({ verdict: 'fail', expected: words, got: 'x'.repeat(3000), detail: words })])
    const wide = renderText(run, { ...plain, width: 60 })
      .split('\n')
      .filter((line) => line.length > 60 && !/curl|reproduce/.test(line))

    // The head and the table are laid out, not wrapped.
    expect(wide.filter((line) => line.startsWith('  '))).toEqual([])
  })
})

it('a run that was killed counts only what it had come to itself, in every report', () => {
  const left = finding({ verdict: 'not-exercised', reason: 'interrupted', scenario: 'late', evidence: [] })
  const { run } = runOf([]).record
  const killed = runOf([finding(), left], { run: { ...run, lifecycle: 'crashed' } })
  const words = '1 check ran, 1 not tested (interrupted), 0 failed; 0 of 348 MUST clauses tested'
  expect(renderText(killed, { ...plain, width: 120 })).toContain(`– ${words}`)
  expect(markdown.render(killed)).toContain(words)
})

describe('the summary for a CI job', () => {
  it('has both answers first and the counts last, and says at once that it is of a simulator', () => {
    const target = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const
    const lines = String(markdown.render(runOf(everyVerdict(), { target })))
      .trimEnd()
      .split('\n')
    expect(lines[0]).toBe('## ✗ nonconformant: simulator')
    expect(lines).toContain('✗ **gate failed** Exit code 1.')
    expect(lines).toContain('> **Simulator run.** It says nothing about the live service.')
    expect(lines).toContain(
      '– 6 checks ran, 1 not tested (opt in required), 1 not applicable, 2 failed, 1 warned, 1 inconclusive; 1 of 348 MUST clauses tested',
    )
    expect(lines.at(-1)).toBe(
      '1 passed, 2 failed, 1 skipped, 1 warned, 1 inconclusive, 1 not applicable, 1 observed',
    )
  })

  it('lists waivers with owner, reason and days left, the first to expire first', () => {
    const waived = { as: 'known-failure', owner: 'me', reason: 'why', expires: '2026-12-24' } as const
    const text = markdown.render(
      runOf([
        finding({ verdict: 'fail', waived: { ...waived, expires: '2027-01-01' } }),
        finding({ verdict: 'fail', scenario: 'other', waived }),
      ]),
    )
    expect(text).toMatch(
      /### Waivers \(2\)\n[^]*me \| why \| none \| 2026-12-24, \*\*53 days left\*\*.*\n.*61 days/,
    )
  })
})

describe('a report of what others sent', () => {
  const recorded = exchange(1, { name: 'POST /api/v1/chat/agent-1' })
  const run = runOf(
    everyVerdict()
      .filter(({ verdict }) => !['warn', 'error', 'inconclusive', 'observed'].includes(verdict))
      .map((one) => ({
        ...one,
        scenario: 'traffic/keys',
        check: `traffic/keys/${one.verdict}`,
        ...(one.verdict === 'not-exercised' && { reason: 'never-seen' as const }),
      })),
    { target: { name: 'tests.har', kind: 'traffic', baseUrl: 'https://staging.example' } },
    [recorded],
  )

  it.each([
    [
      'terminal',
      renderText(run, plain),
      ['no violation', '✗ violations seen · gate failed (exit 1): 1 violation'],
    ],
    ['Markdown', String(markdown.render(run)), ['share seen without violation']],
    ['page', String(htmlPage.render(run)), ['nothing seen violates it']],
  ])('says in the %s what was violated, seen without violation and not seen', (_, text, more) => {
    const words = ['1 seen without violation, 1 violated, 1 not seen, 1 not applicable', ...more]
    for (const one of [...words, 'Violations', 'Not seen', 'record more']) expect(text).toContain(one)
    expect(text).not.toMatch(
      /seed|standard profile|A larger profile|not tested|skipped|Not tested|Failures|POST \S+: POST/,
    )
  })
})
