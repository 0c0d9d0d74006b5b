import { describe, expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.ts'
import { jsonAnswer, reply } from './exchange.double.ts'
import {
  byKey,
  conflictsExplained,
  oneRun,
  otherMessageRefused,
  othersWaitOrReplay,
  progressOnlyWhileRunning,
  repliesApart,
  replayAfterReply,
  replaysEqual,
} from './race.ts'
import { replayHeader } from './reply.ts'

const ran = jsonAnswer(reply)
const replayed = jsonAnswer(reply, { headers: [...(ran.response?.headers ?? []), [replayHeader, 'true']] })
const waits = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409 })
const refused = jsonAnswer({ error: 'no' }, { status: 401 })
const tooLate = { ...waits, sentAt: 5, endedAt: 6 }

test.for([
  ['is said while the turn runs', [ran, waits, replayed], 'pass'],
  ['is said after the reply', [ran, tooLate], 'broken'],
  ['need not be said by a turn that was over at once', [ran, replayed], 'not-applicable'],
  ['is not shown by requests that were refused', [ran, refused], 'inconclusive'],
] as const)('in progress %s', ([, exchanges, expected]) => {
  expect(progressOnlyWhileRunning(exchanges).is).toBe(expected)
})

const other = {
  ...reply,
  response: 'Another answer',
  conversation_id: '7a1c0000-7f0e-4b7c-9a3e-0d9b7c1c4f11',
}
const marked = { headers: [...(ran.response?.headers ?? []), [replayHeader, 'true']] as const }
const ranToo = jsonAnswer(other)
const conflict = jsonAnswer({ error: 'IDEMPOTENCY_CONFLICT' }, { status: 409 })
const limited = jsonAnswer({ error: 'slow down' }, { status: 429 })
const failed = jsonAnswer({ error: 'no' }, { status: 500 })
const cut: Exchange = { ...ran, response: null, failure: { kind: 'reset', message: 'gone' } }
const empty = jsonAnswer({})
const later = (exchange: Exchange): Exchange => ({ ...exchange, sentAt: 5, endedAt: 6 })

describe('of identical requests', () => {
  test.for([
    ['one ran and the others waited', [ran, waits, waits], 'pass'],
    ['one ran and the others were replays', [waits, ran, replayed], 'pass'],
    ['one ran and a replay lost its mark', [ran, { ...ran, id: 900 }], 'pass'],
    ['two ran', [ran, ranToo, waits], 'broken'],
    ['all were refused', [waits, waits], 'broken'],
    ['all were marked as replays', [replayed, replayed], 'broken'],
    ['none met another', [ran, later(replayed)], 'inconclusive'],
    ['only the rate answered the others', [ran, limited, limited], 'inconclusive'],
    ['one was cut', [ran, waits, cut], 'inconclusive'],
    ['one was a server error', [ran, waits, failed], 'inconclusive'],
    ['all got an empty object', [empty, empty], 'broken'],
    ['all were not found', [refused, refused], 'inconclusive'],
  ] as const)('exactly one runs: %s', ([, exchanges, expected]) => {
    expect(oneRun(exchanges).is).toBe(expected)
  })

  test.for([
    ['waited', waits, 'pass'],
    ['was a replay', replayed, 'pass'],
    ['was a conflict with nothing', conflict, 'broken'],
    ['was refused in another way', refused, 'broken'],
  ] as const)('the other one %s', ([, loser, expected]) => {
    expect(othersWaitOrReplay([ran, loser]).is).toBe(expected)
  })

  test.for([
    ['a replay', later(replayed), 'pass'],
    ['still in progress', later(waits), 'broken'],
    ['a turn of its own', later(ranToo), 'broken'],
    ['limited', later(limited), 'inconclusive'],
    ['sent before the answer had ended', waits, 'inconclusive'],
  ] as const)('the one after the reply is %s', ([, again, expected]) => {
    expect(replayAfterReply([ran, again]).is).toBe(expected)
  })

  test('a replay that says something else is broken for what it changes only', () => {
    const changed = jsonAnswer({ ...reply, response: 'Hello' }, marked)
    expect(replaysEqual([ran, changed], 'response').is).toBe('broken')
    expect(replaysEqual([ran, changed], 'conversation_id').is).toBe('pass')
    expect(replaysEqual([ran, waits], 'response').is).toBe('inconclusive')
  })
})

describe('of two messages with one key', () => {
  const says = (exchange: Exchange, message: string): Exchange => {
    const body = new TextEncoder().encode(JSON.stringify({ message, idempotency_key: 'k' }))
    return { ...exchange, request: { ...exchange.request, body } }
  }
  const won = says(ran, 'one')

  test.for([
    ['is a conflict', says(later(conflict), 'other'), 'pass'],
    ['waits while the first one runs', says(waits, 'other'), 'pass'],
    ['is replayed', says(later(replayed), 'other'), 'broken'],
    ['runs too', says(ranToo, 'other'), 'broken'],
    ['is refused with another status afterwards', says(later(refused), 'other'), 'broken'],
  ] as const)('the one that lost %s', ([, lost, expected]) => {
    expect(otherMessageRefused([won, lost]).is).toBe(expected)
  })

  test('a conflict is explained by another message only, and only by one sent before', () => {
    expect(conflictsExplained([won, says(conflict, 'other')]).is).toBe('pass')
    expect(conflictsExplained([won, says(conflict, 'one')]).is).toBe('broken')
    expect(conflictsExplained([says(conflict, 'one'), later(says(ran, 'other'))]).is).toBe('broken')
  })
})

describe('of several keys', () => {
  test('none gets the reply of another', () => {
    expect(repliesApart([[ran, replayed], [ranToo]]).is).toBe('pass')
    expect(repliesApart([[ran], [jsonAnswer(reply)]]).is).toBe('broken')
    expect(repliesApart([[ran], [ranToo, replayed]]).is).toBe('broken')
    expect(repliesApart([[ran], [waits]]).is).toBe('inconclusive')
  })

  test('a key is known wherever it is carried', () => {
    const inBody = jsonAnswer(reply, { request: { idempotency_key: 'k' } })
    const inHeader = jsonAnswer(reply, { requestHeaders: [['x-IDEMPOTENCY-key', 'k']] })
    const another = jsonAnswer(reply, { requestHeaders: [['Idempotency-Key', 'l']] })
    expect(byKey([inBody, another, inHeader])).toEqual([[inBody, inHeader], [another]])
  })
})
