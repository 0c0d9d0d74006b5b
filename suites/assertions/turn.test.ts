import { describe, expect, it } from 'vitest'
import { fail, inconclusive, pass } from '../scenario/expect.ts'
import { answer, done, frames, jsonAnswer, reply, streamAnswer, token } from './exchange.testkit.ts'
import {
  accepts,
  asJson,
  asked,
  confirmed,
  conversationOf,
  outcome,
  recorded,
  refusedBeside,
  replied,
} from './turn.ts'

const good = jsonAnswer(reply)
const bad = (status: number, error = 'no') => jsonAnswer({ error }, { status })

describe('a request', () => {
  it.each([
    ['with a reply is accepted', good, 'pass'],
    ['with a streamed reply is accepted', streamAnswer(frames(token('Hello'), done)), 'pass'],
    ['that was refused is not', bad(400), 'fail'],
    ['with 200 and no reply decides nothing', jsonAnswer({}), 'inconclusive'],
    ['that met a rate limit decides nothing', bad(429), 'inconclusive'],
  ])('%s', (_, exchange, expected) => {
    expect(accepts(exchange).is).toBe(expected)
  })

  it('counts as refused only beside one that was accepted', () => {
    expect(refusedBeside(good, bad(400), 400).is).toBe('pass')
    expect(refusedBeside(bad(400), bad(400), 400).is).toBe('inconclusive')
    expect(refusedBeside(jsonAnswer({}), bad(400), 400).is).toBe('inconclusive')
  })

  it('is refused with the status and the code that are wanted, or the clause fails', () => {
    expect(refusedBeside(good, good, 400).is).toBe('fail')
    expect(refusedBeside(good, bad(422), 400).is).toBe('fail')
    expect(refusedBeside(good, bad(409, 'IDEMPOTENCY_CONFLICT'), 409, 'IDEMPOTENCY_CONFLICT').is).toBe('pass')
    expect(refusedBeside(good, bad(409, 'no'), 409, 'IDEMPOTENCY_CONFLICT').is).toBe('fail')
  })

  it('is read back from its bytes', () => {
    expect(asked(jsonAnswer(reply, { request: { stream: true } }))).toEqual({ stream: true })
    expect(asked(jsonAnswer(reply, { request: [1] }))).toBeNull()
  })
})

describe('a reply as JSON', () => {
  it('is judged by what it is, not by its content type', () => {
    expect(asJson(answer(JSON.stringify(reply), { headers: [['content-type', 'text/plain']] })).is).toBe(
      'pass',
    )
    expect(asJson(streamAnswer(frames(done))).is).toBe('fail')
    expect(asJson(jsonAnswer([reply])).is).toBe('fail')
  })
})

describe('a judgement beside its control', () => {
  it('counts if the control holds, and fails whatever the control says', () => {
    expect(confirmed(pass, pass).is).toBe('pass')
    expect(confirmed(pass, fail('a', 'b')).is).toBe('inconclusive')
    expect(confirmed(fail('a', 'b'), inconclusive('c')).is).toBe('fail')
  })
})

describe('what is only recorded', () => {
  it.each([
    ['accepted, answered as JSON', good],
    ['accepted, answered as a stream', streamAnswer(frames(done))],
    ['refused with 400 INVALID_BODY', bad(400, 'INVALID_BODY: no')],
    ['no answer', { ...good, response: null }],
    ['no whole answer (reset)', jsonAnswer(reply, { failure: 'reset' })],
  ])('%s', (words, exchange) => {
    expect(outcome(exchange)).toBe(words)
  })

  it('is recorded beside a reply only', () => {
    expect(recorded(good, ['so', bad(400)], ['or so', good])).toEqual({
      is: 'observed',
      value: 'so: refused with 400; or so: accepted, answered as JSON',
    })
    expect(recorded(bad(404), ['so', good]).is).toBe('inconclusive')
  })
})

describe('a reply', () => {
  it.each([
    ['with a text', { response: 'a' }, 'pass'],
    ['with a conversation', { conversation_id: 'c' }, 'pass'],
    ['with neither', { response: 1, conversation_id: null }, 'fail'],
  ])('%s is recognised, or not', (_, body, expected) => {
    expect(replied(jsonAnswer(body)).is).toBe(expected)
  })

  it('says what it lacks', () => {
    expect(replied(jsonAnswer({}))).toMatchObject({
      expected: 'a `response` or a `conversation_id`',
      got: '{}',
    })
  })

  it('names its conversation, if that is a text', () => {
    expect(conversationOf(good)).toBe(reply.conversation_id)
    expect(conversationOf(jsonAnswer({ ...reply, conversation_id: 7 }))).toBeNull()
    expect(conversationOf(bad(404))).toBeNull()
  })
})

describe('a request body', () => {
  it('that is no UTF-8 or no JSON asks for nothing', () => {
    const sent = (body: Uint8Array) => asked({ ...good, request: { ...good.request, body } })
    expect(sent(Buffer.from('{"message":"\xff"}', 'latin1'))).toBeNull()
    expect(sent(Buffer.from('{'))).toBeNull()
  })
})
