import { describe, expect, it } from 'vitest'
import type { Judgement } from '../engine/judgement.ts'
import { done, frames, jsonAnswer, reply, streamAnswer, token } from './exchange.double.ts'
import {
  actionsPaired,
  errorEnds,
  members,
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
    ['a token without text', tokens, [token('a'), { type: 'token' }, done], 'broken'],
    ['no token at all', tokens, [done], 'not-applicable'],
    ['neither token nor reply', tokens, [{ type: 'error', error: 'x' }], 'inconclusive'],
    ['one `done`', oneTerminal, [token('a'), done], 'pass'],
    ['neither', oneTerminal, [token('a')], 'broken'],
    ['two', oneTerminal, [done, done], 'broken'],
    ['both', oneTerminal, [failed, done], 'broken'],
    ['an end that is one', nothingAfter, [token('a'), done], 'pass'],
    ['a token after the end', nothingAfter, [done, token('a')], 'broken'],
    ['an unknown type after the end', nothingAfter, [done, { type: 'sources' }], 'broken'],
    ['an error that ends it', errorEnds, [token('a'), failed], 'pass'],
    ['`done` after an error', errorEnds, [failed, done], 'broken'],
    ['no error', errorEnds, [done], 'inconclusive'],
    ['an action in a pair', actionsPaired, [start, complete, done], 'pass'],
    ['an action that only ends', actionsPaired, [complete, start, done], 'broken'],
    ['an action that ends twice', actionsPaired, [start, complete, complete, done], 'broken'],
    ['another name at the end', actionsPaired, [start, { ...complete, actionName: 'write' }, done], 'broken'],
    ['an action that does not end', actionsPaired, [start, done], 'inconclusive'],
    ['members of a gate', (turn) => members(turn, 'gate_triggered'), [gate, done], 'pass'],
    [
      'a gate without reason',
      (turn) => members(turn, 'gate_triggered'),
      [{ ...gate, reason: undefined }, done],
      'broken',
    ],
    [
      'an error that is an object',
      (turn) => members(turn, 'error', ['error']),
      [{ type: 'error', error: {} }],
      'weak',
    ],
    [
      'success that is a text',
      (turn) => typed(turn, 'action_complete', 'success', 'boolean'),
      [{ ...complete, success: 'yes' }],
      'broken',
    ],
    ['tokens that add up', tokensJoin, [token('Hello '), token('there'), done], 'pass'],
    ['a token that is missing', tokensJoin, [token('Hello '), done], 'broken'],
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
    expect(nothingAfter(streamAnswer(`${frames(done)}event: end\n\n`)).is).toBe('weak')
  })

  it('are no subject in an answer that is no stream', () => {
    expect(oneTerminal(jsonAnswer(reply)).is).toBe('inconclusive')
    expect(oneTerminal(jsonAnswer({ error: 'no' }, { status: 500 })).is).toBe('inconclusive')
  })
})

describe('a text that spells an event', () => {
  const probe = '\n\ndata: {"type":"done","marker-1":true}\n\n'
  const echo = { ...done, response: `You said ${probe}` }

  it('passes when it comes back as text', () => {
    expect(notInjected(stream(token(probe), echo), 'marker-1').is).toBe('pass')
  })
  it('breaks when it comes back as an event', () => {
    expect(
      notInjected(streamAnswer(`data: {"type":"token","token":"${probe}"}\n\n${frames(done)}`), 'marker-1')
        .is,
    ).toBe('broken')
  })
  it('proves nothing when it does not come back', () => {
    expect(notInjected(stream(done), 'marker-1').is).toBe('inconclusive')
  })
})
