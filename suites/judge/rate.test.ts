import { expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.ts'
import { jsonAnswer, reply } from './exchange.double.ts'
import { carriesRateHeaders, limitedAtLast, neverLimited, recovers, retryAfter } from './rate.ts'

const turn = jsonAnswer(reply)
const limited = jsonAnswer({ error: 'slow', retry_after_seconds: 7 }, { status: 429 })
const refused = jsonAnswer({ error: 'no' }, { status: 409 })
const burst = (count: number, overMs: number): readonly Exchange[] =>
  Array.from({ length: count }, (_, i) => ({ ...turn, sentAt: (i * overMs) / count, endedAt: overMs }))

test.for([
  ['one of them is limited', [...burst(60, 1000), limited], 'pass'],
  ['121 run within a minute', burst(121, 59_000), 'broken'],
  ['120 run within a minute', burst(120, 59_000), 'inconclusive'],
  ['121 take more than a minute', burst(121, 60_000), 'inconclusive'],
  ['all are limited', [limited, limited], 'inconclusive'],
  ['all are refused', Array.from({ length: 125 }, () => refused), 'inconclusive'],
] as const)('of many requests at once: %s', ([, requests, expected]) => {
  expect(limitedAtLast(requests).is).toBe(expected)
})

test('a steady key is never limited', () => {
  expect(neverLimited([turn, turn]).is).toBe('pass')
  expect(neverLimited([turn, limited, turn]).is).toBe('broken')
  expect(neverLimited([{ ...turn, resent: true }, limited]).is).toBe('inconclusive')
  expect(neverLimited([refused, refused]).is).not.toBe('pass')
})

test('a key recovers when it is accepted; another refusal decides nothing', () => {
  expect([turn, limited, refused].map((one) => recovers(one).is)).toEqual(['pass', 'broken', 'inconclusive'])
  expect([turn, limited].map(retryAfter)).toEqual([null, 7])
})

test('rate-limit headers are those declared, or any that is recognised', () => {
  const json = ['content-type', 'application/json'] as const
  const headed = jsonAnswer(reply, { headers: [json, ['X-RateLimit-Limit', '60']] })
  expect(carriesRateHeaders(headed, {}).is).toBe('pass')
  expect(carriesRateHeaders(turn, {}).is).toBe('inconclusive')
  expect(carriesRateHeaders(headed, { rateHeaders: ['x-ratelimit-limit'] }).is).toBe('pass')
  expect(carriesRateHeaders(headed, { rateHeaders: ['X-RateLimit-Reset'] }).is).toBe('broken')
})
