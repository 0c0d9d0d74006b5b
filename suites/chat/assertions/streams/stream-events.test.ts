import { describe, expect, it } from 'vitest'
import type { Judgement } from '../../../scenario/judgement.ts'
import { done, frames, jsonAnswer, reply, streamAnswer, token } from '../../../assertions/exchange.testkit.ts'
import {
  actionsPaired,
  errorEnds,
  eventMembers,
  notInjected,
  nothingAfter,
  oneTerminal,
  tokens,
  tokensJoin,
  typed,
} from './stream-events.ts'

type Row = [
  what: string,
  judge: (exchange: ReturnType<typeof stream>) => Judgement,
  events: object[],
  Judgement['is'],
]

const stream = (...events: readonly object[]) => streamAnswer(frames(...events))
const start = { type: 'action_start', actionName: 'look up' }
const complete = { type: 'action_complete', actionName: 'look up', success: true }
const gate = { type: 'gate_triggered', decision: 'block', reason: 'policy' }
const failed = { type: 'error', error: 'it broke' }

describe('the events of a stream', () => {
  it.each<Row>([
    ['tokens that are texts', tokens, [token('a'), done], 'pass'],
    ['a token without text', tokens, [token('a'), { type: 'token' }, done], 'fail'],
    ['no token at all', tokens, [done], 'not-applicable'],
    ['neither token nor reply', tokens, [{ type: 'error', error: 'x' }], 'inconclusive'],
    ['one `done`', oneTerminal, [token('a'), done], 'pass'],
    ['neither', oneTerminal, [token('a')], 'fail'],
    ['two', oneTerminal, [done, done], 'fail'],
    ['an error, and then `done`', oneTerminal, [failed, done], 'pass'],
    ['an error, and then two', oneTerminal, [failed, done, done], 'fail'],
    ['two errors', oneTerminal, [failed, failed], 'warn'],
    ['`done` after an error as its end', nothingAfter, [failed, done], 'pass'],
    ['an error after `done`', nothingAfter, [done, failed], 'fail'],
    ['an end that is one', nothingAfter, [token('a'), done], 'pass'],
    ['a token after the end', nothingAfter, [done, token('a')], 'fail'],
    ['an unknown type after the end', nothingAfter, [done, { type: 'sources' }], 'fail'],
    ['an error that ends it', errorEnds, [token('a'), failed], 'pass'],
    ['`done` after an error', errorEnds, [failed, done], 'pass'],
    ['a token after an error', errorEnds, [failed, token('a'), done], 'fail'],
    ['no error', errorEnds, [done], 'inconclusive'],
    ['an action in a pair', actionsPaired, [start, complete, done], 'pass'],
    ['an action that only ends', actionsPaired, [complete, start, done], 'fail'],
    ['an action that ends twice', actionsPaired, [start, complete, complete, done], 'fail'],
    ['another name at the end', actionsPaired, [start, { ...complete, actionName: 'write' }, done], 'fail'],
    ['an action that does not end', actionsPaired, [start, done], 'inconclusive'],
    ['members of a gate', (turn) => eventMembers(turn, 'gate_triggered'), [gate, done], 'pass'],
    [
      'a gate without reason',
      (turn) => eventMembers(turn, 'gate_triggered'),
      [{ ...gate, reason: undefined }, done],
      'fail',
    ],
    [
      'an error that is an object',
      (turn) => eventMembers(turn, 'error', ['error']),
      [{ type: 'error', error: {} }],
      'warn',
    ],
    [
      'success that is a text',
      (turn) => typed(turn, 'action_complete', 'success', 'boolean'),
      [{ ...complete, success: 'yes' }],
      'fail',
    ],
    ['tokens that add up', tokensJoin, [token('Hello '), token('there'), done], 'pass'],
    ['a token that is missing', tokensJoin, [token('Hello '), done], 'fail'],
    ['a gate that changed the turn', tokensJoin, [token('Hello '), gate, done], 'inconclusive'],
    [
      'a message that was stored',
      tokensJoin,
      [token(''), { ...done, response: '', customer_message: {} }],
      'inconclusive',
    ],
  ])('%s', (_, judge, events, expected) => {
    expect(judge(stream(...events)).is).toBe(expected)
  })

  it('may be followed by a comment, and hardly by another field', () => {
    expect(nothingAfter(streamAnswer(`${frames(done)}: bye\n\n`)).is).toBe('pass')
    expect(nothingAfter(streamAnswer(`${frames(done)}event: end\n\n`)).is).toBe('warn')
  })

  it('are no subject in an answer that is no stream', () => {
    expect(oneTerminal(jsonAnswer(reply)).is).toBe('inconclusive')
    expect(oneTerminal(jsonAnswer({ error: 'no' }, { status: 500 })).is).toBe('inconclusive')
  })
})

describe('a text in the form of an event', () => {
  const probe = '\n\ndata: {"type":"done","marker-1":true}\n\n'
  const echo = { ...done, response: `You said ${probe}` }

  it('passes when it comes back as text', () => {
    expect(notInjected(stream(token(probe), echo), 'marker-1').is).toBe('pass')
  })
  it('breaks when it comes back as an event', () => {
    expect(
      notInjected(streamAnswer(`data: {"type":"token","token":"${probe}"}\n\n${frames(done)}`), 'marker-1')
        .is,
    ).toBe('fail')
  })
  it('proves nothing when it does not come back', () => {
    expect(notInjected(stream(done), 'marker-1').is).toBe('inconclusive')
  })
})

describe('what is wrong with the events of a stream is said in full', () => {
  const asked = (turn: ReturnType<typeof stream>) => eventMembers(turn, 'gate_triggered', ['reason'])
  const lone = { type: 'gate_triggered', decision: 'block' }

  it.each<[(turn: ReturnType<typeof stream>) => Judgement, ReturnType<typeof stream>, object]>([
    [asked, stream(done), { is: 'inconclusive', because: 'no `gate_triggered` event came' }],
    [
      asked,
      stream(lone, done),
      { expected: '`gate_triggered` with decision and reason', got: JSON.stringify(lone) },
    ],
    [asked, stream({ ...gate, reason: 7 }, done), { is: 'warn', expected: 'a text `reason`' }],
    [tokens, stream(done), { is: 'not-applicable', because: 'the reply came whole, without tokens' }],
    [tokens, stream(token('a'), token('b'), done), { is: 'pass', note: '2 tokens' }],
    [
      tokens,
      stream({ type: 'token', token: 7 }, done),
      { expected: '`token`: string', got: '{"type":"token","token":7}' },
    ],
    [
      actionsPaired,
      stream(complete, start, done),
      { expected: 'an earlier `action_start` of the same name' },
    ],
    [oneTerminal, stream(done, done), { expected: 'one `done`, or an `error`', got: 'done, done' }],
    [oneTerminal, stream(token('a')), { got: 'neither' }],
    [
      nothingAfter,
      stream(done, token('a')),
      { expected: 'no event after the terminal one', got: 'data: {"type":"token","token":"a"}' },
    ],
    [
      nothingAfter,
      streamAnswer(`${frames(done)}id: 7\n\n`),
      { expected: 'nothing but comments and blank lines', got: 'id: 7' },
    ],
    [
      errorEnds,
      stream(failed, { type: 'token' }),
      { expected: 'no part of a reply after `error`', got: '{"type":"token"}' },
    ],
    [errorEnds, stream(done, failed), { is: 'pass' }],
    [errorEnds, stream(done), { because: 'no `error` event came' }],
    [
      tokensJoin,
      stream(token('Hello'), done),
      { expected: '`response`: "Hello"', got: '`response`: "Hello there"' },
    ],
    [tokensJoin, stream(done), { because: 'the stream had no tokens and `done`' }],
    [tokensJoin, stream(token('a'), failed), { because: 'the stream had no tokens and `done`' }],
    [tokensJoin, stream({ type: 'token', token: 7 }, done), { because: 'a token or the reply is no text' }],
    [
      tokensJoin,
      stream(token('a'), { ...done, response: 7 }),
      { because: 'a token or the reply is no text' },
    ],
    [tokensJoin, stream(token('Hello there'), gate, done), { because: 'a gate changed the turn' }],
    [
      tokensJoin,
      stream(token('a'), { ...done, customer_message: { ai_reply: 'paused' } }),
      { because: 'AI replies are paused' },
    ],
    [tokensJoin, stream(token('Hello there'), done, token('more')), { is: 'pass' }],
  ])('%o of %#', (judge, exchange, expected) => {
    expect(judge(exchange)).toMatchObject(expected)
  })

  it.each<[string, ReturnType<typeof stream>, object]>([
    [
      'an event',
      stream({ type: 'x', mark: 1 }, done),
      { expected: 'text that stays text', got: 'the event {"type":"x","mark":1}' },
    ],
    [
      'a line',
      streamAnswer(`id: mark\n${frames(done)}`),
      { expected: 'text within the JSON of an event', got: 'the line id: mark' },
    ],
    ['a comment', streamAnswer(`: mark\n${frames(token('mark'), done)}`), { is: 'pass' }],
    [
      'nothing',
      streamAnswer(`id: 7\n${frames(done)}`),
      { because: 'no event repeated the text of the message' },
    ],
  ])('a text that came back as %s', (_, exchange, expected) => {
    expect(notInjected(exchange, 'mark')).toMatchObject(expected)
  })
})
