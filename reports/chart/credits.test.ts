import { describe, expect, it } from 'vitest'
import type { Exchange } from '../bundle/record.ts'
import { exchange, runOf } from '../testing/run.testkit.ts'
import { costOf, creditSpendingOf } from './credits.ts'

const done = 'data: {"type":"token","credits_used":9}\r\n\r\ndata:{"type":"done","credits_used":2}\n\n'

function answered(came: string, over: Partial<NonNullable<Exchange['response']>> = {}): Exchange {
  const one = exchange(1, { came })
  return one.response ? { ...one, response: { ...one.response, ...over } } : one
}

describe('credits', () => {
  it.each([
    ['a reply', answered('{"credits_used":1.5}'), 1.5],
    ['a free reply', answered('{"credits_used":0}'), 0],
    ['the end of a stream', answered(done), 2],
    ['a stream that broke off after its end', answered(done, { complete: false }), 2],
    ['a stream without an end', answered('data: {"type":"token"}\n\n'), null],
    ['a reply that broke off', answered('{"credits_used":1}', { complete: false }), null],
    [
      'a replay',
      answered('{"credits_used":1}', { headers: [['X-Service-Idempotent-Replay', 'true']] }),
      null,
    ],
    ['no replay', answered('{"credits_used":1}', { headers: [['x-service-idempotent-replay', 'false']] }), 1],
    ['a refusal', answered('{"credits_used":1}', { status: 402 }), null],
    ['a name in escapes', answered('{"credit\\u0073_\\u0075sed":3}'), 3],
    ['words', answered('{"credits_used":"1"}'), null],
    ['less than nothing', answered('{"credits_used":-1}'), null],
    ['more than there is', answered('{"credits_used":1e999}'), null],
    ['no answer', exchange(1, { response: null }), null],
    ['no object', answered('[]'), null],
  ])('of %s are read from what it reports', (_, given, cost) => {
    expect(costOf(given)).toBe(cost)
  })

  it('add up over the run, each when its answer had ended', () => {
    const journal = [10, 500, 1_000].map((endedAt) => ({ ...answered('{"credits_used":2}'), endedAt }))

    const credits = creditSpendingOf(runOf([], {}, journal))
    expect(credits).toMatchObject({ total: 6, answers: 3, dearest: 2, cap: 1_000 })
    expect([0, 2, 119, 120, 239].map((bin) => credits?.bins[bin])).toEqual([0, 2, 2, 4, 6])
  })

  it.each([
    ['no exchange', []],
    ['no answer that reports any', [exchange(1)]],
    ['more than can be counted', [answered('{"credits_used":1e300}')]],
  ])('are not drawn of %s', (_, journal) => {
    expect(creditSpendingOf(runOf([], {}, journal))).toBeNull()
  })
})
