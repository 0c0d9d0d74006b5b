import { describe, expect, test } from 'vitest'
import type { Exchange, FailureKind } from '../wire/exchange.ts'
import { answer } from '../assertions/exchange.testkit.ts'
import {
  accepted,
  answered401,
  delivered,
  idLeft,
  notAccepted,
  numberIn,
  overlapping,
  preferablyAccepted,
  preferablyNotAccepted,
  processedTimes,
  processedToo,
  quick,
  resting,
  stillAccepts,
  unanswered,
} from './answers.ts'
import { each } from './each.ts'

const said = (status: number): Exchange => answer('', { name: `${status}`, status })
const lost = (kind: FailureKind): Exchange => ({
  ...said(0),
  response: null,
  failure: { kind, message: kind },
})

/** What is said of one answer: as to a genuine delivery, to a forged one, and whether it is 401. */
const answers: readonly (readonly [string, Exchange, string, string, string])[] = [
  ['200', said(200), 'pass', 'fail', 'not-applicable'],
  ['204', said(204), 'pass', 'fail', 'not-applicable'],
  ['302', said(302), 'fail', 'pass', 'fail'],
  ['400', said(400), 'fail', 'pass', 'fail'],
  ['401', said(401), 'fail', 'pass', 'pass'],
  ['429', said(429), 'inconclusive', 'inconclusive', 'inconclusive'],
  ['500', said(500), 'fail', 'warn', 'fail'],
  ['503', said(503), 'inconclusive', 'inconclusive', 'inconclusive'],
  ['a dropped connection', lost('reset'), 'inconclusive', 'warn', 'fail'],
  ['nobody', lost('refused'), 'inconclusive', 'inconclusive', 'inconclusive'],
  ['nobody after a kept connection', { ...lost('refused'), resent: true }, 'inconclusive', 'warn', 'fail'],
  ['no answer in time', lost('timeout'), 'inconclusive', 'inconclusive', 'inconclusive'],
]

test.for(answers)('an answer of %s', ([, exchange, genuine, forged, is401]) => {
  expect([accepted(exchange).is, notAccepted(exchange).is, answered401(exchange).is]).toEqual([
    genuine,
    forged,
    is401,
  ])
})

test('a receiver that is gone after forged deliveries fails, one that was started again does not', () => {
  expect(stillAccepts([lost('refused'), lost('refused')]).is).toBe('fail')
  expect(stillAccepts([lost('reset'), said(200)]).is).toBe('pass')
  expect(stillAccepts([lost('timeout'), lost('timeout')]).is).toBe('inconclusive')
  expect(stillAccepts([]).is).toBe('inconclusive')
})

const after = (seconds: number): Exchange => {
  const one = said(200)
  return { ...one, endedAt: one.sentAt + seconds * 1000 }
}

test.for([
  [after(1), 'pass'],
  [after(9.9), 'pass'],
  [after(10.1), 'fail'],
  [lost('timeout'), 'fail'],
  [lost('reset'), 'inconclusive'],
] as const)('an answer is quick within ten seconds', ([exchange, is]) => {
  expect(quick(exchange).is).toBe(is)
})

const delivery = (id: string): Exchange => answer('', { requestHeaders: [['X-Service-Delivery-Id', id]] })
const probe = (id: string, body: string): Exchange => {
  const response = answer(body)
  return { ...response, request: { ...response.request, path: `/effects/${id}` } }
}

describe('an effect', () => {
  test.for([
    ['the last answer counts', ['0', '1'], 'pass'],
    ['more than one', ['2'], 'fail'],
    ['none in time', ['0'], 'inconclusive'],
    ['no number', ['one'], 'inconclusive'],
    ['a number with more around it', ['{"count":1}'], 'inconclusive'],
    ['nobody was asked', [], 'inconclusive'],
  ] as const)('once: %s', ([, bodies, is]) => {
    const probes = [...bodies.map((body) => probe('whd_1', body)), probe('whd_2', '7')]
    expect(processedTimes(1, delivery('whd_1'), probes).is).toBe(is)
  })

  test('of a forged delivery fails, and an id that is used up by one is a warning', () => {
    expect(processedTimes(0, delivery('whd_1'), [probe('whd_1', '1')]).is).toBe('fail')
    expect(idLeft(delivery('whd_1'), [probe('whd_1', '0')]).is).toBe('warn')
    expect(idLeft(delivery('whd_1'), [probe('whd_1', '1')]).is).toBe('pass')
  })
})

test('a sender makes three attempts: where none is answered in time, nothing was delivered', () => {
  const late = { ...lost('timeout'), sentAt: 0, endedAt: 15_000 }
  const soon = { ...late, endedAt: 14_000 }
  expect(delivered([late, late, late])).toMatchObject({
    is: 'fail',
    got: 'none within 15.0 s to any of them',
  })
  expect(delivered([late, soon, late]).is).toBe('inconclusive')
  expect(delivered([late, late]).is).toBe('inconclusive')
  expect(delivered([late, said(200)]).is).toBe('pass')
  expect(delivered([late, late, said(401)]).is).toBe('fail')
  expect(delivered([said(500)]).is).toBe('fail')
  expect(delivered([]).is).toBe('inconclusive')
  expect([unanswered(late), unanswered(lost('reset')), unanswered(said(200))]).toEqual([true, false, false])
})

test('an id that is part of another is asked for by itself', () => {
  const probes = [probe('whd_12', '1'), probe('whd_1', '0'), probe('whd_123', '7')]
  expect(processedToo(delivery('whd_12'), probes)).toEqual({ is: 'pass' })
  expect(processedToo(delivery('whd_1'), probes)).toMatchObject({
    is: 'fail',
    got: `0 times, by exchange ${probes[1]?.id}`,
  })
  expect(processedToo(delivery('whd_'), probes).is).toBe('inconclusive')
})

test('copies that came one after the other prove nothing of copies at once', () => {
  const at = (sentAt: number, endedAt: number): Exchange => ({ ...said(200), sentAt, endedAt })
  expect(overlapping([at(0, 5), at(1, 4)]).is).toBe('pass')
  expect(overlapping([at(0, 5), at(6, 9)]).is).toBe('inconclusive')
  expect(overlapping([at(0, 5)]).is).toBe('inconclusive')
  expect(overlapping([]).is).toBe('inconclusive')
})

test('of several the worst counts, and those that are like it are named', () => {
  expect(each([said(401), said(200), said(204), said(202)], notAccepted)).toMatchObject({
    is: 'fail',
    expected: 'a refusal of `200`',
    got: 'status 200; and 2 more of 4 like it: 204, 202',
  })
  expect(each([said(401), said(200)], notAccepted)).toMatchObject({ got: 'status 200' })
  expect(each([], notAccepted).is).toBe('inconclusive')
})

test('a recommendation that a receiver ignores is a warning', () => {
  expect(preferablyAccepted(said(200))).toEqual({ is: 'pass' })
  expect(preferablyAccepted(said(400))).toMatchObject({ is: 'warn', got: 'status 400' })
  expect(preferablyAccepted(said(429)).is).toBe('inconclusive')
  expect(preferablyNotAccepted(said(400))).toEqual({ is: 'pass' })
  expect(preferablyNotAccepted(said(200))).toMatchObject({ is: 'warn', got: 'status 200' })
  expect(preferablyNotAccepted(said(429)).is).toBe('inconclusive')
})

test('a scenario rests on deliveries that were all accepted', () => {
  expect(resting([said(200)], () => accepted(said(400))).is).toBe('fail')
  expect(resting([said(200), said(400)], () => accepted(said(200))).is).toBe('inconclusive')
  expect(resting([], () => accepted(said(200))).is).toBe('inconclusive')
})

test.for([
  ['7', 7],
  [' 12\n', 12],
  ['123456789', 123_456_789],
  ['1234567890', null],
  ['x7', null],
  ['7x', null],
  ['', null],
  ['-1', null],
] as const)('%j is read as how often', ([body, expected]) => {
  expect(numberIn(answer(body))).toBe(expected)
  expect(numberIn(answer(body, { status: 404 }))).toBeNull()
})

test('what an effect is judged by is said by name', () => {
  const one = answer('', {
    name: 'one',
    requestHeaders: [
      ['a', 'whd_0'],
      ['X-Service-Delivery-Id', 'whd_1'],
    ],
  })
  const response = [probe('whd_1', '2')]
  expect(processedTimes(1, one, response)).toMatchObject({
    expected: '`one` processed 1 times',
    got: `2 times, by exchange ${response[0]?.id}`,
  })
  expect(processedTimes(3, one, response)).toMatchObject({ because: '`one` had no effect in time' })
  const silent = { is: 'inconclusive', because: 'the effects of `one` could not be read as a number' }
  expect(processedTimes(1, one, [])).toEqual(silent)
  expect(idLeft(one, [])).toEqual(silent)
  expect(idLeft(one, [probe('whd_1', '0')])).toMatchObject({
    expected: '`one` processed, though a forged one had its id before',
    got: 'not processed',
  })
})

test('a copy without a response is not at once with another, nor one that began as another ended', () => {
  const at = (sentAt: number, endedAt: number): Exchange => ({ ...said(200), sentAt, endedAt })
  const unheard = { ...lost('timeout'), sentAt: 9, endedAt: 99 }
  expect(overlapping([at(0, 5), at(1, 4), unheard]).is).toBe('pass')
  expect(overlapping([at(6, 9), at(0, 5), at(1, 4)]).is).toBe('pass')
  expect(overlapping([at(0, 5), unheard])).toEqual({
    is: 'inconclusive',
    because: 'no two copies were in flight at once',
  })
  expect(overlapping([at(0, 5), at(5, 9)]).is).toBe('inconclusive')
})

test('of several that had better be refused, those that are alike are named too', () => {
  expect(each([said(200), said(204)], preferablyNotAccepted)).toMatchObject({
    is: 'warn',
    got: 'status 200; and 1 more of 2 like it: 204',
  })
  expect(each([said(401), said(404)], notAccepted)).toEqual({ is: 'pass' })
  expect(each([said(429), said(503)], notAccepted).is).toBe('inconclusive')
})

describe('what a receiver answered is said in full', () => {
  const name = 'one'
  const gone = (kind: 'reset' | 'refused' | 'timeout'): Exchange => ({
    ...answer('', { name, failure: kind }),
    response: null,
  })
  const late = (seconds: number, one = answer('', { name })): Exchange => ({
    ...one,
    sentAt: 0,
    endedAt: seconds * 1000,
  })
  const dropped = 'the connection dropped without an answer'

  test.for<readonly [(exchange: Exchange) => object, Exchange, object]>([
    [
      accepted,
      answer('', { name, status: 300 }),
      { is: 'fail', expected: 'a status from 200 to 299 for `one`', got: 'status 300' },
    ],
    [accepted, answer('', { name, status: 199 }), { is: 'fail' }],
    [
      notAccepted,
      answer('', { name, status: 500 }),
      { is: 'warn', expected: 'a refusal of `one` that is no server error', got: 'status 500' },
    ],
    [notAccepted, gone('reset'), { is: 'warn', expected: 'a refusal of `one`', got: dropped }],
    [notAccepted, gone('refused'), { is: 'inconclusive' }],
    [notAccepted, { ...gone('refused'), resent: true }, { is: 'warn' }],
    [notAccepted, { ...gone('timeout'), resent: true }, { is: 'inconclusive' }],
    [notAccepted, { ...answer(''), failure: null, response: null }, { is: 'inconclusive' }],
    [
      answered401,
      answer('', { name, status: 403 }),
      { is: 'fail', expected: 'status 401 for `one`', got: 'status 403' },
    ],
    [answered401, answer('', { name }), { is: 'not-applicable', because: '`one` was accepted' }],
    [answered401, gone('reset'), { is: 'fail', expected: 'status 401 for `one`', got: dropped }],
    [(one) => stillAccepts([one, answer('')]), gone('reset'), { is: 'pass' }],
    [
      (one) => stillAccepts([answer(''), one]),
      gone('reset'),
      { expected: 'a receiver that goes on after forged deliveries', got: 'nothing answers any more: reset' },
    ],
    [(one) => stillAccepts([one]), gone('refused'), { got: 'nothing answers any more: refused' }],
    [(one) => stillAccepts([one]), gone('timeout'), { is: 'inconclusive' }],
    [() => stillAccepts([]), gone('timeout'), { because: 'no genuine delivery came after the others' }],
    [quick, late(10), { is: 'pass', note: 'answered in 10.0 s' }],
    [quick, { ...late(10.2), sentAt: 100 }, { expected: 'an answer within ten seconds', got: '10.1 s' }],
    [quick, late(12, gone('timeout')), { expected: 'an answer within ten seconds', got: 'none in 12.0 s' }],
    [quick, late(0, gone('reset')), { is: 'inconclusive' }],
    [
      (one) => processedTimes(1, one, []),
      answer(''),
      { because: 'the effects of `turn` could not be read as a number' },
    ],
  ])('%o of %#', ([judge, exchange, expected]) => {
    expect(judge(exchange)).toMatchObject(expected)
  })
})
