import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import {
  carriesRateHeaders,
  limitedAtLast,
  neverLimited,
  noneThrough,
  rateHeadersOf,
  recovers,
  retryAfterSeconds,
  saysAmount,
  saysRetry,
  saysSpent,
} from './rate.ts'

const turn = jsonAnswer(reply)
const limited = jsonAnswer({ error: 'slow', retry_after_seconds: 7 }, { status: 429 })
const refused = jsonAnswer({ error: 'no' }, { status: 409 })
const burst = (count: number, overMs: number): readonly Exchange[] =>
  Array.from({ length: count }, (_, i) => ({ ...turn, sentAt: (i * overMs) / count, endedAt: overMs }))

test.for([
  ['one of them is limited', [...burst(60, 1000), limited], 'pass'],
  ['121 run within a minute', burst(121, 59_000), 'fail'],
  ['120 run within a minute', burst(120, 59_000), 'inconclusive'],
  ['121 take more than a minute', burst(121, 60_000), 'inconclusive'],
  ['all are limited', [limited, limited], 'inconclusive'],
  ['all are refused', Array.from({ length: 125 }, () => refused), 'inconclusive'],
] as const)('of many requests at once: %s', ([, requests, expected]) => {
  expect(limitedAtLast(requests).is).toBe(expected)
})

test('a steady key is never limited', () => {
  expect(neverLimited([turn, turn]).is).toBe('pass')
  expect(neverLimited([turn, limited, turn]).is).toBe('fail')
  expect(neverLimited([{ ...turn, resent: true }, limited]).is).toBe('inconclusive')
  expect(neverLimited([refused, refused]).is).not.toBe('pass')
})

test('a key recovers when it is accepted; another refusal decides nothing', () => {
  expect([turn, limited, refused].map((one) => recovers(one).is)).toEqual(['pass', 'fail', 'inconclusive'])
  expect([turn, limited].map(retryAfterSeconds)).toEqual([null, 7])
})

test('rate-limit headers are those declared, or any that is recognised', () => {
  const json = ['content-type', 'application/json'] as const
  const headed = jsonAnswer(reply, { headers: [json, ['X-RateLimit-Limit', '60']] })
  expect(carriesRateHeaders(headed, {}).is).toBe('pass')
  expect(carriesRateHeaders(turn, {}).is).toBe('inconclusive')
  expect(carriesRateHeaders(headed, { rateHeaders: ['x-ratelimit-limit'] }).is).toBe('pass')
  expect(carriesRateHeaders(headed, { rateHeaders: ['X-RateLimit-Reset'] }).is).toBe('fail')
})

test.for([
  [0, 0],
  [-1, null],
  ['7', 7],
  ['soon', null],
  [undefined, null],
] as const)('a 429 that asks to wait %j seconds asks for %j', ([retry_after_seconds, expected]) => {
  expect(retryAfterSeconds(jsonAnswer({ retry_after_seconds }, { status: 429 }))).toBe(expected)
  expect(retryAfterSeconds(jsonAnswer({ retry_after_seconds }))).toBeNull()
})

test('a 429 without an object asks for nothing', () => {
  expect(retryAfterSeconds(jsonAnswer([], { status: 429 }))).toBeNull()
})

test.for<readonly [string, readonly Exchange[], string]>([
  ['none is accepted', [limited], 'no request of this key was accepted'],
  ['few run', burst(3, 4_000), '3 turns ran in 4 s, too few or too slowly'],
  [
    'some are refused or cut',
    [
      ...burst(120, 4_000),
      { ...refused, endedAt: 90_000 },
      { ...jsonAnswer(reply, { failure: 'reset' }), endedAt: 90_000 },
    ],
    '120 turns ran in 4 s, too few or too slowly',
  ],
  [
    'they come late',
    burst(121, 60_000).map((one) => ({ ...one, sentAt: one.sentAt + 5_000, endedAt: 65_000 })),
    '121 turns ran in 60 s, too few or too slowly',
  ],
])('a limit is not judged if %s', ([, requests, because]) => {
  expect(limitedAtLast(requests)).toEqual({ is: 'inconclusive', because })
})

test('what is missing of a limit is said in full', () => {
  const many = burst(121, 59_000).map((one, id) => ({
    ...one,
    id,
    sentAt: one.sentAt + 5_000,
    endedAt: 64_000,
  }))
  const expected = 'a 429 among more than 120 turns in a minute'
  expect(limitedAtLast(many)).toEqual({ is: 'fail', expected, got: 'none', exchange: 120 })
  expect(neverLimited([limited])).toMatchObject({ expected: 'no 429' })
  expect(neverLimited([{ ...turn, resent: true }, limited])).toMatchObject({
    because: 'a connection was closed, and so a request went out twice',
  })
})

test.for([
  [7, 'pass', 'pass'],
  ['7', 'pass', 'pass'],
  ['0.25', 'pass', 'pass'],
  [-1, 'fail', 'pass'],
  ['60 a minute', 'fail', 'warn'],
  ['', 'fail', 'warn'],
  [null, 'fail', 'fail'],
  [undefined, 'fail', 'fail'],
] as const)('a 429 that says %j: to wait is %s, as an amount it is %s', ([value, retry, amount]) => {
  const limited = jsonAnswer({ retry_after_seconds: value, limit: value, remaining: value }, { status: 429 })
  expect([
    saysRetry(limited).is,
    saysAmount(limited, 'limit').is,
    saysAmount(limited, 'remaining').is,
  ]).toEqual([retry, amount, amount])
})

test.for([
  [60, 0, 'pass'],
  ['60', '59', 'pass'],
  [60, 60, 'fail'],
  [60, 61, 'warn'],
  [null, 60, 'pass'],
  [60, null, 'fail'],
  [0, 0, 'pass'],
] as const)('of a limit of %j that is met, %j remaining is %s', ([limit, remaining, expected]) => {
  expect(saysSpent(jsonAnswer({ limit, remaining }, { status: 429 })).is).toBe(expected)
})

test('a limit that is no object has no member, and neither has what is no limit', () => {
  expect(saysAmount(turn, 'limit').is).toBe('inconclusive')
  const list = jsonAnswer([1], { status: 429 })
  expect(saysAmount(list, 'limit')).toMatchObject({ is: 'fail', got: '[1]' })
})

test('headers of a limit are known by their names', () => {
  const named = [
    'X-RateLimit-Reset',
    'RateLimit',
    'x-rate-limit-a',
    'RATELIMIT',
    'my-ratelimit',
    'ratelimits',
    'date',
  ]
  const one = jsonAnswer(reply, { headers: named.map((name) => [name, '1'] as const) })
  expect(rateHeadersOf(one)).toEqual(['ratelimit', 'x-rate-limit-a', 'x-ratelimit-reset'])
  expect(rateHeadersOf({ ...one, response: null })).toEqual([])
  expect(carriesRateHeaders(turn, { rateHeaders: ['a', 'b'] })).toMatchObject({
    expected: 'headers a, b',
    got: 'no a, b',
  })
  const because = 'no header looks like one; their names are not shown: declare `dialect.rateHeaders`'
  expect(carriesRateHeaders(turn, {})).toMatchObject({ because })
})

test('more than a minute of any kind lets through between two refusals is broken', () => {
  const at = (one: Exchange, id: number, endedAt: number): Exchange => ({
    ...one,
    id,
    sentAt: endedAt,
    endedAt,
  })
  const refusal = jsonAnswer({ retry_after_seconds: 30, limit: 60, remaining: 0 }, { status: 429 })
  const refusals = [at(refusal, 1, 0), at(refusal, 9, 4_000)]
  const through = (...ends: readonly number[]) => ends.map((end, i) => at(turn, 2 + i, end))
  expect(noneThrough(refusals, through(100, 200, 300)).is).toBe('fail')
  expect(noneThrough(refusals, through(1_000, 2_000, 3_000)).is).toBe('pass')
  expect(noneThrough(refusals, through(100)).is).toBe('pass')
  expect(noneThrough(refusals.slice(0, 1), through(100, 200, 300)).is).toBe('pass')
  expect(noneThrough([at(turn, 1, 0), at(refusal, 9, 4_000)], through(100, 200, 300)).is).toBe('pass')
  const soon = jsonAnswer({ retry_after_seconds: 0.1 }, { status: 429 })
  expect(noneThrough([at(soon, 1, 0), at(refusal, 9, 4_000)], through(100, 200, 300)).is).toBe('pass')
})
