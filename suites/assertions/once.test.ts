import { expect, test } from 'vitest'
import { jsonAnswer, reply, replayHeader } from './exchange.testkit.ts'
import {
  conflict,
  neverTwice,
  noSecondRun,
  notTheReplyOf,
  ran,
  replayed,
  replyOf,
  taken,
  way,
  ways,
} from './once.ts'

const json = ['content-type', 'application/json'] as const
const marked = { headers: [json, [replayHeader, 'true']] as const }
const first = jsonAnswer(reply)
const again = jsonAnswer(reply, marked)
const another = jsonAnswer({ ...reply, conversation_id: '7a1c0000-7f0e-4b7c-9a3e-0d9b7c1c4f11' })
const inConversation = { request: { conversation_id: reply.conversation_id } }
const refused = (status: number, error = 'no') => jsonAnswer({ error }, { status })

test.for([
  ['a replay', again, 'pass', 'pass'],
  ['the very reply without its mark', jsonAnswer(reply), 'pass', 'pass'],
  ['a second turn', another, 'fail', 'fail'],
  ['a conflict', refused(409, 'IDEMPOTENCY_CONFLICT'), 'fail', 'pass'],
  ['a refusal as invalid', refused(400), 'fail', 'pass'],
  ['a key that lags', refused(409, 'REQUEST_IN_PROGRESS'), 'inconclusive', 'pass'],
  ['a server error', refused(500), 'fail', 'inconclusive'],
  ['no credits left', refused(402), 'inconclusive', 'inconclusive'],
] as const)('%s, to the identical request and to a similar one', ([, answer, identical, similar]) => {
  expect(replayed(first, answer).is).toBe(identical)
  expect(noSecondRun(first, answer).is).toBe(similar)
})

test('in a conversation that was named, the same words are another turn once credits went down', () => {
  const named = jsonAnswer(reply, inConversation)
  const spent = jsonAnswer({ ...reply, credits_remaining: 40 }, inConversation)
  expect(noSecondRun(named, spent).is).toBe('fail')
  expect(noSecondRun(named, jsonAnswer(reply, inConversation)).is).toBe('pass')
})

test.for([
  ['404 to everything', refused(404)],
  ['409 to everything', refused(409, 'IDEMPOTENCY_CONFLICT')],
  ['an empty object to everything', jsonAnswer({})],
  ['an empty body to everything', jsonAnswer('')],
] as const)('a server that says %s passes nothing', ([, same]) => {
  for (const judgement of [ran(same), replayed(same, same), noSecondRun(same, same), conflict(same, same)])
    expect(judgement.is).not.toBe('pass')
})

test('a server that marks everything as a replay passes nothing: no turn was seen to run', () => {
  for (const judgement of [ran(again), replayed(again, again), noSecondRun(again, again)])
    expect(judgement.is).not.toBe('pass')
})

test('two different keys may be refused or accepted, but the same bytes never run twice', () => {
  expect(neverTwice(refused(400), refused(400)).is).toBe('pass')
  expect(neverTwice(first, again).is).toBe('pass')
  expect(neverTwice(first, another).is).toBe('fail')
})

test('somebody else gets a reply of their own, or none', () => {
  expect(notTheReplyOf(first, another).is).toBe('pass')
  expect(notTheReplyOf(first, refused(404)).is).toBe('pass')
  expect(notTheReplyOf(first, again).is).toBe('fail')
})

test('the way of a target is reported in stable words', () => {
  expect([first, again, refused(409, 'IDEMPOTENCY_CONFLICT'), refused(429)].map(way)).toEqual([
    'ran',
    'replayed',
    'refused with 409 IDEMPOTENCY_CONFLICT',
    null,
  ])
})

test.for([
  [201, 'inconclusive'],
  [299, 'inconclusive'],
  [300, 'fail'],
  [400, 'fail'],
] as const)('a reply with %i is no turn that was accepted', ([status, expected]) => {
  expect(taken(jsonAnswer(reply, { status })).is).toBe(expected)
})

test('a success of another kind is reported with its status', () => {
  expect(taken(jsonAnswer(reply, { status: 202, name: 'first' }))).toEqual({
    is: 'inconclusive',
    because: '`first` was answered 202',
  })
})

test.for([
  ['named by the first', inConversation, {}],
  ['named by the second', {}, inConversation],
] as const)('a conversation that was %s came of no turn', ([, one, two]) => {
  const spent = jsonAnswer({ ...reply, credits_remaining: 40 }, two)
  expect(noSecondRun(jsonAnswer(reply, one), spent).is).toBe('fail')
})

test('turns that cost nothing are not distinguished by what is left', () => {
  const free = { ...reply, credits_used: 0 }
  expect(noSecondRun(jsonAnswer(free, inConversation), jsonAnswer(free, inConversation)).is).toBe('fail')
  expect(noSecondRun(jsonAnswer(free), jsonAnswer(free)).is).toBe('pass')
})

test.for([
  [reply, `${reply.conversation_id} ${reply.response}`],
  [{ ...reply, response: 7 }, null],
  [{ ...reply, conversation_id: null }, null],
  [{}, null],
] as const)('the reply of %j', ([body, expected]) => {
  expect(replyOf(jsonAnswer(body))).toBe(expected)
})

test('a reply that lacks a part is the same as no other', () => {
  const { response: _, ...silent } = reply
  expect(noSecondRun(jsonAnswer(silent), jsonAnswer(silent)).is).toBe('fail')
})

test.for([
  [302, { is: 'fail', expected: 'a replay or a refusal', got: 'status 302' }],
  [201, { is: 'fail', expected: 'a replay or a refusal', got: 'status 201' }],
  [499, { is: 'pass' }],
  [500, { is: 'inconclusive', because: '`turn` ended in a server error, 500' }],
] as const)('a similar request may not be answered %i, or may', ([status, expected]) => {
  expect(noSecondRun(first, refused(status))).toMatchObject(expected)
})

test('two that were refused are distinguished from two that failed', () => {
  expect(neverTwice(refused(400), refused(500)).is).toBe('inconclusive')
  expect(neverTwice(refused(429), refused(400)).is).toBe('inconclusive')
})

test('which ways were taken is recorded of those that were answered', () => {
  expect(ways(first, { one: again, two: refused(429), three: refused(404) })).toEqual({
    is: 'observed',
    value: 'one: replayed; three: refused with 404',
  })
  expect(ways(first, { two: refused(429) })).toEqual({
    is: 'inconclusive',
    because: 'none of them was answered',
  })
  expect(ways(refused(404), { one: again }).is).toBe('inconclusive')
})

test('a mark alone is no replay', () => {
  expect(replayed(first, jsonAnswer([], marked))).toMatchObject({
    expected: 'the final fields of the original',
    got: '[]',
  })
})

test('a request that is no object names no conversation', () => {
  expect(noSecondRun(first, jsonAnswer(reply, { request: 7 })).is).toBe('pass')
})
