import { expect, test } from 'vitest'
import { ctrf } from './ctrf.ts'
import { everyVerdict, exchange, finding, runOf } from '../testing/run.testkit.ts'

interface Document {
  results: {
    summary: Record<string, unknown>
    tests: readonly Record<string, unknown>[]
  }
}
const read = (...input: Parameters<typeof runOf>): Document =>
  JSON.parse(String(ctrf.render(runOf(...input)))) as Document

test('every check is one test, with its own verdict beside the word that others know', () => {
  const { tests, summary } = read(everyVerdict()).results
  expect(tests.map(({ rawStatus, status }) => `${rawStatus as string} ${status as string}`)).toEqual([
    'pass passed',
    'fail failed',
    'warn other',
    'error failed',
    'inconclusive skipped',
    'not-exercised skipped',
    'not-applicable skipped',
    'observed skipped',
  ])
  expect(summary).toMatchObject({ tests: 8, passed: 1, failed: 2, skipped: 4, pending: 0, other: 1 })
  expect(summary['extra']).toMatchObject({ conformance: 'nonconformant', gate: { passed: false } })
})

test('what is no plain pass says why', () => {
  const { tests } = read(everyVerdict()).results
  expect(tests.filter(({ message }) => message === undefined).map(({ rawStatus }) => rawStatus)).toEqual([
    'pass',
  ])
  expect(tests[1]).toMatchObject({
    message: 'expected header x-service-idempotent-replay: true, got no such header',
    labels: { clause: 'IDEM-REPLAY-HEADER', level: 'must' },
  })
})

test('a check has the time of its scenario, in whole milliseconds since 1970', () => {
  const journal = [
    exchange(1, { scenario: 'a/b', sentAt: 10.4, endedAt: 12 }),
    exchange(2, { scenario: 'a/b', sentAt: 20, endedAt: 34.6 }),
  ]
  const [reported, other] = read([finding({ scenario: 'a/b' }), finding({ scenario: 'c' })], {}, journal)
    .results.tests
  const began = Date.UTC(2026, 10, 1, 12)
  expect(reported).toMatchObject({ duration: 24, start: began + 10, stop: began + 35 })
  expect(other).toMatchObject({ duration: 0, start: began, stop: began })
})
