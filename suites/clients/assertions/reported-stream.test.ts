import { describe, expect, test } from 'vitest'
import { reply } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { acted, sentTurn, streamOf, reporting } from './step-result.testkit.ts'
import type { ClientReport } from '../../../reports/bundle/client-report.ts'
import { reportsEachEvent, reportsStream } from './reported-stream.ts'

type Event = { [member: string]: Json }
const token = (text: string): Event => ({ type: 'token', token: text })
const start: Event = { type: 'action_start', actionName: 'find' }
const end: Event = { type: 'action_complete', actionName: 'find', success: true }
const stranger: Event = { type: 'mood', token: 'x' }
const done: Event = { type: 'done', ...reply }
const camelDone: Event = {
  type: 'done',
  response: reply.response,
  conversationId: reply.conversation_id,
  creditsUsed: 1,
  creditsRemaining: 41,
}

const stream = streamOf(token('Hello '), stranger, start, end, token('there'), done, token('late'))
const events = (...all: readonly Event[]): readonly ClientReport[] =>
  all.map((event) => ({ saw: 'event', event }))
const all = [token('Hello '), start, end, token('there'), done]

describe('of a stream that went out whole', () => {
  const cases: readonly [name: string, reports: readonly ClientReport[], is: string][] = [
    ['everything may be reported', events(...all), 'pass'],
    [
      'what nobody knows may be reported, too',
      events(token('Hello '), stranger, token('there'), done),
      'pass',
    ],
    ['tokens alone may be reported', events(token('Hello '), token('there')), 'pass'],
    ['tokens may be put together and cut anew', events(token('Hel'), token('lo there'), camelDone), 'pass'],
    [
      'tokens may be reported under another name',
      events({ type: 'token', text: 'Hello' }, camelDone),
      'pass',
    ],
    ['its end alone may be reported', events(camelDone), 'pass'],
    ['a reply may be reported in its place', [{ saw: 'reply', reply: { response: reply.response } }], 'pass'],
    ['nothing has to be reported', [], 'inconclusive'],
    ['no token may be missing', events(token('Hello '), done), 'fail'],
    [
      'no token may be reported twice',
      events(token('Hello '), token('Hello '), token('there'), done),
      'fail',
    ],
    ['nothing behind done is reported', events(token('Hello '), token('there'), token('late')), 'fail'],
    ['no character may be another', events(token('Hell\uFFFD '), token('there')), 'fail'],
    ['the order is that of the stream', events(end, start, done), 'fail'],
    ['the reply is that of done', events({ ...done, response: 'Hello' }), 'fail'],
    ['no error may be reported', [...events(...all), { saw: 'error', error: {} }], 'fail'],
  ]
  test.for(cases)('%s', ([, lines, is]) => {
    expect(reportsStream([stream], reporting('step', ...lines), 'step')).toMatchObject({ is })
  })
})

describe('a client that goes away in the middle', () => {
  const left: Exchange = { ...streamOf(token('Hello ')), failure: { kind: 'aborted', message: 'gone' } }

  test('is judged by what shows on the wire', () => {
    expect(reportsStream([left], reporting('step'), 'step')).toMatchObject({ is: 'fail' })
    const timeout = acted({ step: { ended: 'timeout' } })
    expect(reportsStream([left], timeout, 'step')).toMatchObject({ is: 'inconclusive' })
  })

  test('may go once `done` is there', () => {
    const late: Exchange = {
      ...streamOf(token('Hello there'), done),
      failure: { kind: 'aborted', message: 'gone' },
    }
    expect(reportsStream([late], reporting('step', ...events(done)), 'step')).toEqual({ is: 'pass' })
  })

  test('is no subject where no stream went out, and fails where it broke down', () => {
    expect(reportsStream([sentTurn()], reporting('step'), 'step')).toMatchObject({ is: 'inconclusive' })
    const crash = acted({ step: { ended: 'exit', exitCode: 1, reported: events(token('Hello ')) } })
    expect(reportsStream([stream], crash, 'step')).toMatchObject({ is: 'fail' })
  })
})

test('who is bound to stream asks for a stream', () => {
  expect(reportsEachEvent([sentTurn()], reporting('step'), 'step')).toMatchObject({ is: 'fail' })
  expect(reportsEachEvent([], reporting('step'), 'step')).toMatchObject({ is: 'inconclusive' })
})

describe('each event is given', () => {
  const cases: readonly [name: string, reports: readonly Event[], is: string][] = [
    ['as it came', all, 'pass'],
    ['with its members in another case', [...all.slice(0, 4), camelDone], 'pass'],
    ['beside others', [stranger, ...all], 'pass'],
    ['and none is left out', [token('Hello there'), done], 'fail'],
    ['and none is another', [...all.slice(0, 2), { ...end, success: false }, ...all.slice(3)], 'fail'],
    ['where events are reported', [], 'inconclusive'],
  ]
  test.for(cases)('%s', ([, given, is]) => {
    expect(reportsEachEvent([stream], reporting('step', ...events(...given)), 'step')).toMatchObject({ is })
  })
})
