import { expect, test } from 'vitest'
import type { AttemptRecord, WebhookDelivery, DeliveryState } from '../delivery/delivery.ts'
import {
  bareList,
  camelNames,
  factsOfAttempts,
  factsOfDelivery,
  logEntry,
  newestFirst,
  snakeNames,
} from './logs.ts'

const at = Date.UTC(2026, 0, 1)

/** Attempts by the status each met; null where none came. */
function delivery(state: DeliveryState, statuses: readonly (number | null)[]): WebhookDelivery {
  const attempts = statuses.map((status, i): AttemptRecord => {
    const outcome = status === null ? 'silent' : status < 300 ? 'delivered' : 'refused'
    return { number: i + 1, at: at + 10 * i, tookMs: 5 + i, status, outcome, reason: '' }
  })
  const webhook = {
    id: 'wh_1',
    agent: 'agent_1',
    name: 'Orders',
    endpointUrl: 'https://hooks.example.org/',
    events: ['leads.submit'],
    description: null,
    customHeaders: [],
    isActive: true,
    secret: 'whsec_0',
    createdAt: at,
  }
  const occurrence = { event: 'leads.submit', agent: 'agent_1', at, payload: {}, test: false }
  return { id: 'whd_1', webhook, occurrence, attempts, state }
}

type Row = [status: number | null, tookMs: number | null, success: boolean, retries: number]

const cases: readonly [DeliveryState, readonly (number | null)[], whole: Row[], each: Row[]][] = [
  ['delivered', [204], [[204, 5, true, 0]], [[204, 5, true, 0]]],
  [
    'delivered',
    [500, null, 200],
    [[200, 7, true, 2]],
    [
      [500, 5, false, 0],
      [null, 6, false, 1],
      [200, 7, true, 2],
    ],
  ],
  [
    'failed',
    [500, 301],
    [[301, 6, false, 1]],
    [
      [500, 5, false, 0],
      [301, 6, false, 1],
    ],
  ],
  ['waiting', [500], [], [[500, 5, false, 0]]],
  ['in-flight', [], [], []],
  ['failed', [], [[null, null, false, 0]], [[null, null, false, 0]]],
]

test.for(cases)(
  'a delivery that is %s after %j is logged with the known facts',
  ([state, statuses, whole, each]) => {
    const summary = (facts: ReturnType<typeof factsOfDelivery>) =>
      facts.map(({ status, tookMs, success, retries }) => [status, tookMs, success, retries])
    expect(summary(factsOfDelivery(delivery(state, statuses)))).toEqual(whole)
    expect(summary(factsOfAttempts(delivery(state, statuses)))).toEqual(each)
  },
)

test('an entry has every fact under its name', () => {
  const [facts] = factsOfDelivery(delivery('delivered', [500, 200]))
  if (!facts) throw new Error('A delivery that ended has facts.')
  expect(logEntry(snakeNames)(facts)).toEqual({
    event_type: 'leads.submit',
    timestamp: '2026-01-01T00:00:00.000Z',
    status_code: 200,
    response_time_ms: 6,
    success: true,
    retry_count: 1,
  })
  expect(Object.keys(logEntry(camelNames)(facts)).join()).toBe(
    'eventType,timestamp,statusCode,responseTimeMs,success,retryCount',
  )
})

test('a log is an object with the newest entry first, or a list with the oldest first', () => {
  const entries = [{ n: 1 }, { n: 2 }]
  expect(newestFirst(entries)).toEqual({ logs: [{ n: 2 }, { n: 1 }] })
  expect(bareList(entries)).toEqual(entries)
})
