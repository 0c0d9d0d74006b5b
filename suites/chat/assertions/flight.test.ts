import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer, reply, replayHeader } from '../../assertions/exchange.testkit.ts'
import { certainlyInFlight, otherInFlight, refusedInFlight, sameInFlight } from './flight.ts'

const at = (exchange: Exchange, sentAt: number, endedAt: number): Exchange => ({
  ...exchange,
  sentAt,
  endedAt,
})
const error = (code: string, status = 409) => jsonAnswer({ error: code }, { status })
const replay = jsonAnswer(reply, {
  headers: [
    ['content-type', 'application/json'],
    [replayHeader, 'true'],
  ],
})
const slow = at(jsonAnswer(reply), 0, 300)
const quick = at(replay, 310, 312)
const turn = jsonAnswer({ ...reply, conversation_id: '7a1c0000-7f0e-4b7c-9a3e-0d9b7c1c4f11' })

test.for([
  ['refused as in progress', at(error('REQUEST_IN_PROGRESS'), 40, 42), 'pass', 'pass', 'pass'],
  ['refused as a conflict', at(error('IDEMPOTENCY_CONFLICT'), 40, 42), 'pass', 'fail', 'pass'],
  ['refused with another status', at(error('REQUEST_IN_PROGRESS', 425), 40, 42), 'fail', 'fail', 'fail'],
  ['run as a second turn', at(turn, 40, 300), 'fail', 'fail', 'fail'],
  ['held back until it can be replayed', at(replay, 40, 301), 'fail', 'fail', 'fail'],
  [
    'replayed at the very end of the turn',
    at(replay, 290, 302),
    'inconclusive',
    'inconclusive',
    'inconclusive',
  ],
  [
    'refused after the turn',
    at(error('REQUEST_IN_PROGRESS'), 301, 303),
    'inconclusive',
    'inconclusive',
    'inconclusive',
  ],
] as const)('a request during a long turn, %s', ([, duplicate, status, same, other]) => {
  expect(refusedInFlight(slow, duplicate, quick).is).toBe(status)
  expect(sameInFlight(slow, duplicate, quick).is).toBe(same)
  expect(otherInFlight(slow, duplicate, quick).is).toBe(other)
})

test('nothing is judged where the first request is not the one that ran', () => {
  const refused = at(error('REQUEST_IN_PROGRESS'), 0, 2)
  expect(sameInFlight(refused, at(error('REQUEST_IN_PROGRESS'), 1, 2), quick).is).toBe('inconclusive')
})

test.for([
  ['answered in time', 1, 201, 'pass'],
  ['sent as the first one was', 0, 201, 'inconclusive'],
  ['answered at the last moment', 218, 220, 'inconclusive'],
  ['answered just before it', 217, 219, 'pass'],
] as const)('a duplicate that was %s was sent during the turn, or not', ([, sent, ended, expected]) => {
  const [first, replayed] = [at(jsonAnswer(reply), 0, 304), at(replay, 310, 313)]
  expect(certainlyInFlight(first, at(replay, sent, ended), replayed).is).toBe(expected)
})

test.for([
  ['a turn that was too short', 21.6, 11, 'the turn was too short: 12 ms'],
  [
    'a server that held the request before until a long turn ended',
    1053,
    1055,
    'the turn of 1043 ms had ended before this request was sent: the request before it was not answered sooner',
  ],
] as const)('%s is reported with its duration', ([, ended, sent, because]) => {
  const first = at(jsonAnswer(reply), 10, ended)
  expect(certainlyInFlight(first, at(replay, sent, sent + 1), quick)).toEqual({ is: 'inconclusive', because })
})

test('what was answered instead is shown', () => {
  const late = at(error('REQUEST_IN_PROGRESS'), 301, 303)
  expect(refusedInFlight(slow, late, quick)).toMatchObject({ because: 'the two did not meet' })
  expect(refusedInFlight(slow, at(error('no', 400), 40, 42), quick)).toMatchObject({
    expected: '409 while the turn runs',
    got: '400: {"error":"no"}',
  })
  const named = (words: string) => otherInFlight(slow, at(error(words), 40, 42), quick)
  expect(named('A_B')).toMatchObject({
    expected: 'REQUEST_IN_PROGRESS or IDEMPOTENCY_CONFLICT',
    got: '{"error":"A_B"}',
  })
  expect(named('A_B IDEMPOTENCY_CONFLICT').is).toBe('pass')
  expect(refusedInFlight(slow, { ...late, response: null }, quick).is).toBe('inconclusive')
})
