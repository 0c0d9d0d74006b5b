import { expect, test } from 'vitest'
import type { Finding } from '../../bundle/record.ts'
import { findingOf } from '../../bundle/testing/finding.testkit.ts'
import type { Exchange } from '../wire/exchange.ts'
import { testOutcomeOf, type TestOutcome } from './outcome.ts'

const base = findingOf()
const exchange: Exchange = {
  id: 1,
  scenario: 'a/b',
  name: 'one',
  request: {
    method: 'POST',
    path: '/api/v1/chat/agent-1',
    headers: [
      ['Authorization', 'Bearer sk-secret'],
      ['X-Empty', ''],
      ['traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ],
    body: new TextEncoder().encode(`{"message":"it's"}`),
    principal: 'main',
  },
  sentAt: 0,
  endedAt: 1,
  response: null,
  failure: null,
}
const difference = { expected: 'status 200', got: 'status 500', fingerprint: '0123456789ab' }

const rows: readonly (readonly [Partial<Finding>, TestOutcome['is'], string])[] = [
  [{ verdict: 'pass' }, 'passed', ''],
  [{ verdict: 'observed', detail: 'two' }, 'passed', 'observed: two'],
  [{ verdict: 'inconclusive', detail: 'no overlap' }, 'skipped', 'inconclusive: no overlap'],
  [
    { verdict: 'not-exercised', reason: 'state-not-provided', detail: 'not ours' },
    'skipped',
    'not-exercised: state-not-provided: not ours',
  ],
  [{ verdict: 'not-applicable', detail: 'none' }, 'skipped', 'not-applicable: none'],
  [{ verdict: 'error', detail: 'oops' }, 'failed', 'the suite itself erred: oops'],
]

test.for(rows)('a finding is to a runner %j', ([change, is, words]) => {
  const outcome = testOutcomeOf({
    finding: { ...base, ...change },
    exchange,
    baseUrl: 'http://host',
  })
  expect(outcome.is).toBe(is)
  expect('message' in outcome ? outcome.message : (outcome.note ?? '')).toBe(words)
})

test('a failure names the clause, what was expected and got, its trace, and how to send it again without the key', () => {
  const finding: Finding = { ...base, ...difference, verdict: 'fail' }
  const outcome = testOutcomeOf({ finding, exchange, baseUrl: 'http://host' })
  if (outcome.is !== 'failed') throw new Error(`the outcome is ${outcome.is}`)
  const [clause, ...rest] = outcome.message.split('\n')
  expect(clause).toMatch(/^RES-JSON: .+ \(must; .+\)$/)
  expect(rest).toEqual([
    '  expected  status 200',
    '  got       status 500',
    `  log       traceparent 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    String.raw`  sent      curl -sS -i -N -X POST http://host/api/v1/chat/agent-1 -H "Authorization: Bearer $API_KEY" -H 'X-Empty;' -H 'Content-Type:' --data-raw '{"message":"it'\''s"}'`,
    '  known as  a/b/RES-JSON, fingerprint 0123456789ab',
  ])
})

test('a broken should warns and says why', () => {
  const outcome = testOutcomeOf({
    finding: { ...base, ...difference, verdict: 'warn' },
    exchange,
    baseUrl: '',
  })
  expect(outcome).toMatchObject({ is: 'warned', note: expect.stringContaining('RES-JSON: ') as string })
})
