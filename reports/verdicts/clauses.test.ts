import { describe, expect, it, test } from 'vitest'
import { everyVerdict, finding, runOf } from '../testing/run.testkit.ts'
import {
  clauseRows,
  completeness,
  coverageOf,
  coverageWords,
  leftOut,
  leftOutWords,
  percentPassed,
  rowsOf,
  testedWords,
} from './clauses.ts'
import { countsLine, outcomes } from './verdicts.ts'

describe('rows of a run', () => {
  it('gives a planned check without a verdict an error of its own', () => {
    const run = runOf(everyVerdict())
    const cut = { ...run, record: { ...run.record, findings: run.record.findings.slice(1) } }
    const lost = run.record.plan.checks[0]?.check

    expect(rowsOf(cut).find(({ check }) => check === lost)).toMatchObject({
      verdict: 'error',
      area: 'idempotency',
    })
    expect(completeness(cut)).toMatchObject({ planned: 8, judged: 7, whole: false })
  })

  it('is not whole when a check was judged twice, or was never planned', () => {
    const run = runOf([finding()])
    const twice = { ...run, record: { ...run.record, findings: [finding(), finding()] } }
    const stray = { ...run, record: { ...run.record, findings: [finding(), finding({ check: 'auth/x/Y' })] } }

    expect(completeness(twice)).toMatchObject({ judged: 0, repeated: [finding().check], whole: false })
    expect(completeness(stray)).toMatchObject({ judged: 1, unplanned: ['auth/x/Y'], whole: false })
  })

  it('counts the MUST clauses a partial run planned no check for, and what plans more', () => {
    const { record, journal } = runOf([finding()])
    const partial = { record: { ...record, conformance: 'partial' as const }, journal }
    const smoke = {
      record: { ...partial.record, run: { ...record.run, profile: 'smoke' as const } },
      journal,
    }
    const missing = leftOut(partial)

    expect(missing).toContain('SSE-UTF8')
    expect(missing).not.toContain(finding().subject)
    expect(leftOutWords(smoke)).toBe(
      `${missing.length} MUST clauses have no check in this run; the standard profile plans more`,
    )
    expect(leftOutWords({ record: { ...record, conformance: 'conformant' }, journal })).toBe('')
  })
})

describe('the closing line', () => {
  it('counts every finding in exactly one of its numbers', () => {
    expect(outcomes(everyVerdict())).toEqual({ passed: 1, failed: 2, warned: 1, skipped: 4 })
    expect(countsLine(everyVerdict())).toBe(
      '1 passed, 2 failed, 1 skipped, 1 warned, 1 inconclusive, 1 not applicable, 1 observed',
    )
  })
})

const rows = clauseRows(
  runOf(
    [
      finding(),
      finding({ subject: 'IDEM-RACE-KEYS', verdict: 'fail' }),
      finding({ subject: 'IDEM-RACE-KEYS' }),
      finding({ subject: 'IDEM-REPLAY-STATUS', verdict: 'warn' }),
      finding({ subject: 'IDEM-RACE-ONE-RUN', verdict: 'inconclusive' }),
      finding({ subject: 'IDEM-POLL-ONE-RUN', verdict: 'not-applicable' }),
    ],
    { uncovered: [{ clause: 'AUTH-KEY-ONCE', why: 'keys are created elsewhere' }] },
  ),
)

test('each MUST clause is counted once, by its worst check, and all of them are the denominator', () => {
  const coverage = coverageOf(rows)
  const { counts, all } = coverage
  expect(counts).toEqual({
    passed: 1,
    failed: 1,
    warned: 1,
    'not applicable': 1,
    untestable: 1,
    'not tested': all - 5,
  })
  expect(testedWords(rows)).toBe(`3 of ${all} MUST clauses tested`)
  expect(testedWords(rows.filter(({ why }) => why))).toBe('0 of 1 MUST clauses tested (not AUTH-KEY-ONCE)')
  const { target } = runOf([]).record
  expect(coverageWords(coverage, target)).toBe(
    `1 of ${all} MUST clauses passed (0 %), 1 failed, 1 warned, ${all - 5} not tested, 1 not applicable here, 1 untestable`,
  )
  expect(coverageWords(coverage, { ...target, kind: 'traffic' })).toBe(
    `1 of ${all} MUST clauses seen without violation (0 %), 1 violated, 1 warned, ${all - 5} not seen, 1 not applicable here`,
  )
})

test.for([
  [346, 347, 99],
  [347, 347, 100],
  [0, 0, 0],
])('%i of %i is %i percent: only all are 100', ([passed = 0, all = 0, percent]) => {
  const none = { failed: 0, warned: 0, 'not tested': 0, 'not applicable': 0, untestable: 0 }
  expect(percentPassed({ counts: { passed, ...none }, all })).toBe(percent)
})
