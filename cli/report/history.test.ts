import { expect, test } from 'vitest'
import type { RunRecord, Verdict } from '../../bundle/record.ts'
import { historyPage, pastRun } from '../../reports/history.ts'
import { finding, runOf } from '../../reports/testing/run.testkit.ts'
import { run } from '../process.testkit.ts'

const { record: base } = runOf([])

/** Of IDEM-REPLAY-HEADER: the version that was run, on the day of November of the same number, and what came out. */
type Past = readonly [version: number, verdict: Verdict, over?: Partial<RunRecord>]

function past([version, verdict, over = {}]: Past) {
  const endedAt = `2026-11-0${version}T12:00:00.000Z`
  const target = { ...base.target, name: 'acme <b>', kind: 'staging', version: String(version) } as const
  const evidence = verdict === 'not-exercised' ? [] : [1]
  const findings = [finding({ verdict, evidence, ...(evidence.length === 0 && { reason: 'interrupted' }) })]
  return pastRun(`runs/${endedAt}`, runOf(findings, { target, run: { ...base.run, endedAt }, ...over }))
}

const plain = (page: string): string =>
  page.replaceAll(/<style>.*?<\/style>|<[^>]+?(?:data-sign="(.)")?>/gs, ' $1 ').replaceAll(/\s+/g, ' ')
const pageOf = (runs: readonly Past[]): string => plain(historyPage(runs.map(past)))

test.for<[string, readonly Past[], string]>([
  [
    'that passed before',
    [
      [2, 'fail'],
      [1, 'pass'],
      [3, 'fail'],
    ],
    '2 (2026-11-02 12:00:00 UTC) 1 (2026-11-01 12:00:00 UTC) 3 (2026-11-03 12:00:00 UTC)',
  ],
  [
    'that was not tested since',
    [
      [1, 'fail'],
      [2, 'not-exercised'],
    ],
    '1 (2026-11-01 12:00:00 UTC) no run here 1 (2026-11-01 12:00:00 UTC)',
  ],
  [
    'that passed in between',
    [
      [1, 'fail'],
      [2, 'pass'],
      [3, 'fail'],
    ],
    '3 (2026-11-03 12:00:00 UTC) 2 (2026-11-02 12:00:00 UTC) 3 (2026-11-03 12:00:00 UTC)',
  ],
  [
    'no more',
    [
      [1, 'fail'],
      [2, 'pass'],
    ],
    'No MUST clause fails.',
  ],
])('a clause fails %s', ([, runs, words]) => {
  expect(pageOf(runs)).toContain(words)
})

test('a version is as its newest whole run has it, and each area in a cell', () => {
  const smoke = { run: { ...base.run, profile: 'smoke', endedAt: '2026-11-09T12:00:00.000Z' } } as const
  const page = pageOf([
    [1, 'pass'],
    [2, 'fail'],
    [2, 'pass', smoke],
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
