import { describe, expect, test } from 'vitest'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import {
  carriesCustom,
  eachAttempt,
  hasKnownEvent,
  hasNoFlagBeside,
  hasPayload,
  hasTimestamp,
  hasUserAgent,
  idBegins,
  idsApart,
  isJsonTyped,
  isObjectBody,
  isOfAgent,
  isPost,
  namesItsEvent,
  liveIds,
  payloadTexts,
  sampleFlag,
  sampleIds,
} from './delivery.ts'
import { attempt, creation, sample, type MadeAttempt } from '../../assertions/inbound.testkit.ts'

type Row = readonly [
  what: string,
  judge: (one: Exchange) => Judgement,
  made: MadeAttempt,
  is: Judgement['is'],
]

const replaced = (name: string, value: string): MadeAttempt => ({ without: [name], headers: [[name, value]] })
const body = (change: object): MadeAttempt => ({ body: { ...sample, ...change } })
const live = (one: Exchange): Judgement => idBegins(one, 'whd_')
const ofAgent = (one: Exchange): Judgement => isOfAgent(one, creation())

const rows: readonly Row[] = [
  ['a POST', isPost, {}, 'pass'],
  ['a PUT', isPost, { method: 'PUT' }, 'fail'],
  ['application/json', isJsonTyped, {}, 'pass'],
  ['a parameter after it', isJsonTyped, replaced('Content-Type', 'Application/JSON; charset=utf-8'), 'pass'],
  ['text', isJsonTyped, replaced('Content-Type', 'text/plain'), 'fail'],
  ['two content types', isJsonTyped, { headers: [['content-type', 'application/json']] }, 'fail'],
  ['the user agent', hasUserAgent, {}, 'pass'],
  ['a longer user agent', hasUserAgent, replaced('User-Agent', 'Service-Webhooks/1.0 (x)'), 'fail'],
  ['the event of the body', namesItsEvent, {}, 'pass'],
  ['another event', namesItsEvent, { event: 'message.sent' }, 'fail'],
  ['an event beside no JSON', namesItsEvent, { body: 'x' }, 'inconclusive'],
  ['a live id', live, {}, 'pass'],
  ['the prefix alone', live, { id: 'whd_' }, 'fail'],
  ['no id', live, { id: null }, 'fail'],
  ['two ids', live, { headers: [['x-service-delivery-id', 'whd_2']] }, 'fail'],
  ['one JSON object', isObjectBody, {}, 'pass'],
  ['a list', isObjectBody, { body: [sample] }, 'fail'],
  ['two objects', isObjectBody, { body: '{}{}' }, 'fail'],
  ['nothing', isObjectBody, { body: '' }, 'fail'],
  ['a known event', hasKnownEvent, {}, 'pass'],
  ['a retired event', hasKnownEvent, body({ eventType: 'action.executed' }), 'fail'],
  ['a name of every object', hasKnownEvent, body({ eventType: 'toString' }), 'fail'],
  ['its agent', ofAgent, {}, 'pass'],
  ['another agent', ofAgent, body({ chatbotId: 'agent_2' }), 'fail'],
  ['a time in UTC', hasTimestamp, {}, 'pass'],
  ['a time elsewhere', hasTimestamp, body({ timestamp: '2030-01-02T03:04:05+02:00' }), 'fail'],
  ['a number', hasTimestamp, body({ timestamp: 1_893_553_445 }), 'fail'],
  ['a payload', hasPayload, {}, 'pass'],
  ['a payload as text', hasPayload, body({ payload: '{}' }), 'fail'],
  ['a payload that is a list', hasPayload, body({ payload: [] }), 'fail'],
  ['a mark within', hasNoFlagBeside, body({ payload: { _test: true } }), 'pass'],
  ['a mark beside', hasNoFlagBeside, body({ _test: true }), 'fail'],
  ['a mark beside, in another case', hasNoFlagBeside, body({ isTest: false }), 'fail'],
  ['further members', hasNoFlagBeside, body({ version: 1, testimonial: 'x' }), 'pass'],
  ['three texts', (one) => payloadTexts(one, 'customerName'), {}, 'pass'],
  ['a text too few', (one) => payloadTexts(one, 'phone'), {}, 'fail'],
]

test.for(rows)('%s', ([, judge, made, expected]) => {
  expect(judge(attempt(made)).is).toBe(expected)
})

describe('custom headers', () => {
  const wanted = { 'X-Mark': 'one two' }
  test.for([
    ['in another casing', { headers: [['x-mark', 'one two']] }, 'pass'],
    [
      'twice',
      {
        headers: [
          ['x-mark', 'one two'],
          ['X-MARK', 'one two'],
        ],
      },
      'pass',
    ],
    ['with another value', { headers: [['X-Mark', 'one']] }, 'fail'],
    ['not at all', {}, 'fail'],
  ] as const)('that come %s', ([, made, expected]) => {
    expect(carriesCustom(attempt(made), wanted).is).toBe(expected)
  })
})

describe('what came', () => {
  test('nothing is judged where nothing came, and neither is a look whether somebody is there', () => {
    expect(eachAttempt([], isPost).is).toBe('inconclusive')
    const probe = attempt({ method: 'GET', id: null, signature: null, without: ['X-Service-Event'] })
    expect(eachAttempt([probe], isPost).is).toBe('inconclusive')
    expect(eachAttempt([probe, attempt()], isPost).is).toBe('pass')
  })

  test('a live delivery among tests is no test with a wrong id', () => {
    const [sampled, happened] = [attempt({ id: 'test_1' }), attempt({ id: 'whd_1' })]
    expect(sampleIds([sampled, happened]).is).toBe('pass')
    expect(sampleIds([happened]).is).toBe('fail')
  })

  test('a sample that nobody asked for is no live delivery with a wrong id', () => {
    const [sampled, happened] = [attempt({ id: 'test_1' }), attempt({ id: 'whd_1' })]
    expect(liveIds([sampled, happened]).is).toBe('pass')
    expect(liveIds([sampled]).is).toBe('fail')
    expect(liveIds([sampled, attempt({ id: 'evt_1' })]).is).toBe('fail')
  })

  test('the mark of tests is only recorded', () => {
    const marked = attempt({ body: { ...sample, payload: { _test: true } } })
    expect(sampleFlag([marked])).toMatchObject({ value: 'all say so' })
    expect(sampleFlag([attempt()])).toMatchObject({ value: 'none says so' })
  })
})

describe('ids of two events at two endpoints', () => {
  const at = (place: string, ...ids: readonly (string | null)[]): readonly Exchange[] =>
    ids.map((id) => attempt({ place, id }))
  test.for([
    ['four', at('/a', 'whd_1', 'whd_2'), at('/b', 'whd_3', 'whd_4'), 'pass'],
    [
      'four, one of which came twice',
      at('/a', 'whd_1', 'whd_2', 'whd_1'),
      at('/b', 'whd_3', 'whd_4'),
      'pass',
    ],
    ['those of the events', at('/a', 'whd_1', 'whd_2'), at('/b', 'whd_1', 'whd_2'), 'fail'],
    ['those of the endpoints', at('/a', 'whd_1', 'whd_1'), at('/b', 'whd_2', 'whd_2'), 'fail'],
    ['three, as one did not come', at('/a', 'whd_1', 'whd_2'), at('/b', 'whd_3'), 'inconclusive'],
    ['missing', at('/a', null, null), at('/b', 'whd_3', 'whd_4'), 'inconclusive'],
    ['unseen at one of them', at('/a', 'whd_1', 'whd_2'), [], 'inconclusive'],
  ] as const)('are %s', ([, one, other, expected]) => {
    expect(idsApart([one, other], 2).is).toBe(expected)
  })
})
