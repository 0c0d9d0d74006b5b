import { expect, test } from 'vitest'
import { jsonAnswer, reply } from './exchange.double.ts'
import { conflict, neverTwice, noSecondRun, notTheReplyOf, ran, replayed, way } from './once.ts'
import { replayHeader } from './reply.ts'

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
  ['a second turn', another, 'broken', 'broken'],
  ['a conflict', refused(409, 'IDEMPOTENCY_CONFLICT'), 'broken', 'pass'],
  ['a refusal as invalid', refused(400), 'broken', 'pass'],
  ['a key that lags', refused(409, 'REQUEST_IN_PROGRESS'), 'inconclusive', 'pass'],
  ['a server error', refused(500), 'broken', 'inconclusive'],
  ['no credits left', refused(402), 'inconclusive', 'inconclusive'],
] as const)('%s, to the identical request and to a similar one', ([, answer, identical, similar]) => {
  expect(replayed(first, answer).is).toBe(identical)
  expect(noSecondRun(first, answer).is).toBe(similar)
})

test('in a conversation that was named, the same words are another turn once credits went down', () => {
  const named = jsonAnswer(reply, inConversation)
  const spent = jsonAnswer({ ...reply, credits_remaining: 40 }, inConversation)
  expect(noSecondRun(named, spent).is).toBe('broken')
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
  expect(neverTwice(first, another).is).toBe('broken')
})

test('somebody else gets a reply of their own, or none', () => {
  expect(notTheReplyOf(first, another).is).toBe('pass')
  expect(notTheReplyOf(first, refused(404)).is).toBe('pass')
  expect(notTheReplyOf(first, again).is).toBe('broken')
})

test('which way a target took is told in words that do not change', () => {
  expect([first, again, refused(409, 'IDEMPOTENCY_CONFLICT'), refused(429)].map(way)).toEqual([
    'ran',
    'replayed',
    'refused with 409 IDEMPOTENCY_CONFLICT',
    null,
  ])
})
