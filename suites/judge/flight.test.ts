import { expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.ts'
import { jsonAnswer, reply } from './exchange.double.ts'
import { otherInFlight, refusedInFlight, sameInFlight } from './flight.ts'
import { replayHeader } from './reply.ts'

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
  ['refused as a conflict', at(error('IDEMPOTENCY_CONFLICT'), 40, 42), 'pass', 'broken', 'pass'],
  [
    'refused with another status',
    at(error('REQUEST_IN_PROGRESS', 425), 40, 42),
    'broken',
    'broken',
    'broken',
  ],
  ['run as a second turn', at(turn, 40, 300), 'broken', 'broken', 'broken'],
  ['held back until it can be replayed', at(replay, 40, 301), 'broken', 'broken', 'broken'],
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
