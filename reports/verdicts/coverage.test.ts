import { expect, test } from 'vitest'
import { finding, runOf } from '../testing/run.testkit.ts'
import { clauseRows, coverageOf, coverageWords, percentPassed, testedOf } from './clauses.ts'

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
    passed: 2,
    failed: 1,
    'not applicable': 1,
    untestable: 1,
    'not tested': all - 5,
  })
  expect(testedOf(coverage)).toBe(4)
  expect(coverageWords(coverage)).toBe(
    `2 of ${all} MUST clauses passed (0 %), 1 failed, ${all - 5} not tested, 1 not applicable here, 1 untestable`,
  )
})

test.for([
  [346, 347, 99],
  [347, 347, 100],
  [0, 0, 0],
])('%i of %i is %i percent: only all are 100', ([passed = 0, all = 0, percent]) => {
  const none = { failed: 0, 'not tested': 0, 'not applicable': 0, untestable: 0 }
  expect(percentPassed({ counts: { passed, ...none }, all })).toBe(percent)
})
