import { expect, test } from 'vitest'
import { markdown, mostBytes } from './markdown.ts'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'

const render = (...input: Parameters<typeof runOf>): string => String(markdown.render(runOf(...input)))

test('both answers come first and the counts last', () => {
  const lines = render(everyVerdict()).trimEnd().split('\n')
  expect(lines[0]).toBe('## ✗ nonconformant: staging')
  expect(lines).toContain('**✗ gate failed** (exit code 1):')
  expect(lines).toContain('8 of 8 planned checks have a verdict; they cover 1 of 347 MUST clauses')
  expect(lines.at(-1)).toBe('2 passed, 2 failed, 2 skipped, 1 not applicable, 1 observed')
})

test('a run against the simulator says so before anything else', () => {
  const target = { name: 'simulator', kind: 'simulator', baseUrl: 'http://127.0.0.1:1' } as const
  const [, , banner] = render([finding()], { target }).split('\n')
  expect(banner).toBe('> **Simulator run.** It says nothing about the live service.')
})

test('what a target sent is text, in one line, whatever signs it has', () => {
  const hostile = '<img src=x>\n# title\n[a](javascript:b) `c` **d** @all\u202e'
  const text = render([finding({ verdict: 'fail', got: hostile })])
  const [line] = text.split('\n').filter((one) => one.startsWith('  - actual:'))
  expect(line).toContain('&lt;img src=x\\> ⏎ \\# title')
  expect(line).toContain('\\[a\\]\\(javascript:b\\) `c` \\*\\*d\\*\\* \\@all\\\\u202e')
})

test('a run in which much is broken is cut between lines, and says where the rest is', () => {
  const many = Array.from({ length: 2_000 }, (_, at) =>
    finding({
      verdict: 'fail',
      scenario: `scenario-${at}`,
      expected: `${at} ${'x'.repeat(200)}`,
      got: String(at),
    }),
  )
  const text = render(many)
  expect(Buffer.byteLength(text)).toBeLessThan(mostBytes + 100)
  expect(text).toMatch(/\n\n… \d+ more lines: see report\.html\n$/)
})

test('waivers are listed with owner, reason and days left, the first to expire first', () => {
  const waived = { as: 'known-failure', owner: 'me', reason: 'why', expires: '2026-12-24' } as const
  const text = render([
    finding({ verdict: 'fail', waived: { ...waived, expires: '2027-01-01' } }),
    finding({ verdict: 'fail', scenario: 'other', waived }),
  ])
  expect(text).toMatch(
    /### Waivers \(2\)\n\n- IDEM-REPLAY-HEADER: me: why; expires 2026-12-24, 53 days left\n- .* 2027-01-01, 61 days left/,
  )
})
