import { describe, expect, it, test } from 'vitest'
import type { Finding, Waiver } from '../../bundle/record.ts'
import { junit } from '../formats/junit.ts'
import { htmlPage } from '../run/page.ts'
import { renderText } from '../run/summary.ts'
import { finding, runOf } from '../testing/run.testkit.ts'
import { apartTitle, countsLine, marksOf, standingOf } from './verdicts.ts'

const owned = { owner: 'ada', reason: 'ticket 7', expires: '2027-01-01' }
const known: Waiver = { as: 'known-failure', ...owned }
const flaky: Waiver = { as: 'flaky', ...owned, issue: 'https://tracker.example/7' }

const rows: readonly (readonly [Partial<Finding>, marks: string, standing: string | undefined])[] = [
  [{}, '', undefined],
  [{ attempts: { failed: 1, of: 2 } }, 'flaky: failed 1 of 2', 'flaky: failed 1 of 2'],
  [{ waived: known }, 'waived', 'waived until 2027-01-01 by ada (ticket 7)'],
  [
    { waived: flaky },
    'waived as flaky',
    'waived as flaky until 2027-01-01 by ada (ticket 7, see https://tracker.example/7)',
  ],
  [{ provisional: true }, 'provisional', 'provisional, the clause is not in the set that counts'],
]

describe('a failure that is', () => {
  it.each(rows)('%j is reported as such wherever it shows', (marks, words, standing) => {
    const failure = finding({ verdict: 'fail', expected: 'a', got: 'b', ...marks })
    const text = renderText(runOf([failure]), { colour: false, width: 120 })
    const xml = String(junit.render(runOf([failure])))

    expect(marksOf(failure).join()).toBe(words)
    expect(standingOf(failure)).toBe(standing)
    const isSpared = 'waived' in marks || 'provisional' in marks
    expect(countsLine([failure])).toBe(
      isSpared
        ? `0 passed, 0 failed, 0 skipped, 1 ${words.startsWith('provisional') ? 'provisional' : 'waived'}`
        : '0 passed, 1 failed, 0 skipped',
    )
    expect(text).toContain(`✗ IDEM-REPLAY-HEADER  MUST${standing ? `, ${standing}` : ''}\n`)
    expect(xml).toContain(
      `<${isSpared ? 'skipped' : 'failure'} message="${standing ? `${standing}: ` : ''}expected a, got b"`,
    )
  })
})

it.each([
  ['must', 'warn', 'MUST, edge case: warning only\n'],
  ['must', 'fail', 'MUST\n'],
  ['should', 'warn', 'SHOULD\n'],
] as const)('a %s clause with %s is shown with what that means', (level, verdict, words) => {
  const text = renderText(runOf([finding({ level, verdict, expected: 'a', got: 'b' })]), {
    colour: false,
    width: 120,
  })
  expect(text).toContain(`IDEM-REPLAY-HEADER  ${words}`)
})

it('an inconclusive check names the failure that is why, in text, JUnit and HTML', () => {
  const open = finding({ verdict: 'inconclusive', detail: 'no replay', follows: 'a/b/RES-JSON' })
  const words = 'follows from RES-JSON (failed)'
  expect(renderText(runOf([open]), { colour: false, width: 120 })).toContain(`no replay; ${words}`)
  expect(String(junit.render(runOf([open])))).toContain(words)
  expect(String(htmlPage.render(runOf([open])))).toContain(words)
})

it('an error of ours in a provisional check is shown and fails nothing', () => {
  const error = finding({ verdict: 'error', detail: 'oops', provisional: true })
  const xml = String(junit.render(runOf([error])))

  expect(countsLine([error])).toBe('0 passed, 0 failed, 0 skipped, 1 provisional')
  expect(xml).toContain('errors="0"')
  expect(xml).toContain('<skipped message="error: oops"')
})

const older = finding({
  verdict: 'fail',
  subject: 'OLD-SEND',
  area: 'older-variant',
  provisional: true,
  expected: 'status 200',
  got: 'status 201',
})
const run = runOf([finding({ verdict: 'pass' }), older])

test('a finding of the older variant stands under its own heading, after everything that counts', () => {
  const text = renderText(run, { colour: false, width: 80 })
  const [counting = '', apart = ''] = text.split(apartTitle)
  expect(counting).not.toContain('OLD-SEND')
  expect(counting).not.toContain('older-variant')
  expect(apart).toContain('✗ OLD-SEND')
  expect(text.trimEnd().split('\n').at(-2)).toBe('1 passed, 0 failed, 0 skipped, 1 provisional')
})

test('it is not called provisional as if it were to count one day', () => {
  expect(standingOf(older)).toMatch(/judged apart/)
  expect(standingOf(finding({ provisional: true }))).toMatch(/not in the set/)
})
