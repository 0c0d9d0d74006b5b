import { expect, test } from 'vitest'
import type { RunRecord, Verdict } from '../../reports/bundle/record.ts'
import { historyPage, pastRun } from '../../reports/history.ts'
import { finding, runOf } from '../../reports/testing/run.testkit.ts'
import { run } from '../process.testkit.ts'

const { record: base } = runOf([])

interface Past {
  version: string
  day: number
  verdict: Verdict
  over?: Partial<RunRecord>
}

/** Of IDEM-REPLAY-HEADER, in a run of this day of November. */
function past({ version, day, verdict, over = {} }: Past) {
  const endedAt = `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`
  const target = { ...base.target, name: 'acme <b>', kind: 'staging', version } as const
  const evidence = verdict === 'not-exercised' ? [] : [1]
  const findings = [finding({ verdict, evidence, ...(evidence.length === 0 && { reason: 'interrupted' }) })]
  return pastRun(`runs/${day}`, runOf(findings, { target, run: { ...base.run, endedAt }, ...over }))
}

const plain = (page: string): string =>
  page.replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replaceAll(/\s+/g, ' ')
const pageOf = (runs: readonly Past[]): string => plain(historyPage(runs.map(past)))

test.for<[string, readonly Past[], string]>([
  [
    'that passed before',
    [
      { version: '2', day: 2, verdict: 'fail' },
      { version: '1', day: 1, verdict: 'pass' },
      { version: '3', day: 3, verdict: 'fail' },
    ],
    '2 (2026-11-02 12:00:00 UTC) 1 (2026-11-01 12:00:00 UTC) 3 (2026-11-03 12:00:00 UTC)',
  ],
  [
    'that was not tested since',
    [
      { version: '1', day: 1, verdict: 'fail' },
      { version: '2', day: 2, verdict: 'not-exercised' },
    ],
    '1 (2026-11-01 12:00:00 UTC) no run here 1 (2026-11-01 12:00:00 UTC)',
  ],
  [
    'that passed in between',
    [
      { version: '1', day: 1, verdict: 'fail' },
      { version: '2', day: 2, verdict: 'pass' },
      { version: '3', day: 3, verdict: 'fail' },
    ],
    '3 (2026-11-03 12:00:00 UTC) 2 (2026-11-02 12:00:00 UTC) 3 (2026-11-03 12:00:00 UTC)',
  ],
  [
    'no more',
    [
      { version: '1', day: 1, verdict: 'fail' },
      { version: '2', day: 2, verdict: 'pass' },
    ],
    'No MUST clause fails.',
  ],
])('a clause fails %s', ([, runs, words]) => {
  expect(pageOf(runs)).toContain(words)
})

test('a version is as its newest whole run has it, and each area in a cell', () => {
  const smoke = { run: { ...base.run, profile: 'smoke', endedAt: '2026-11-09T12:00:00.000Z' } } as const
  const page = pageOf([
    { version: '1', day: 1, verdict: 'pass' },
    { version: '2', day: 2, verdict: 'fail' },
    { version: '2', day: 9, verdict: 'pass', over: smoke },
  ])

  expect(page).toMatch(/area 1 2 .*idempotency – 1 of \d+ ✗ 1 failed, 0 of \d+ /)
})

test.for<[string, readonly string[], number, string]>([
  ['two runs', ['test/golden-run', 'test/golden-run'], 0, '2 runs of 1 target'],
  ['another format beside it', ['test/golden-run', '--format', 'junit'], 2, 'is a page of its own'],
  ['no run', ['test'], 2, 'cannot be read'],
])('report --format history of %s', async ([, argv, code, words]) => {
  const { out, err, ...rest } = await run(['report', '--format', 'history', ...argv])

  expect(rest).toEqual({ code })
  expect(plain(out) + err).toContain(words)
})

test('other formats are of one run', async () => {
  expect(await run(['report', 'test/golden-run', 'test/golden-run'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--format history'),
  })
})
