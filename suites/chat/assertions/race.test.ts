import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import {
  answer,
  frames,
  jsonAnswer,
  reply,
  streamAnswer,
  token,
  replayHeader,
} from '../../assertions/exchange.testkit.ts'
import { pass } from '../../scenario/expect.ts'
import { requestsOverlap } from '../../operations/assertions/overlapping.ts'
import {
  atMostOneRun,
  byKey,
  eachKey,
  keyOfRequest,
  oneRun,
  otherMessageConflicts,
  otherMessageRefused,
  othersWaitOrReplay,
  overlap,
  progressOnlyWhileRunning,
  repliesApart,
  replayAfterReply,
  replaysEqual,
  showsRun,
} from './race.ts'

const ran = jsonAnswer(reply)
const replayed = jsonAnswer(reply, { headers: [...(ran.response?.headers ?? []), [replayHeader, 'true']] })
const waits = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409 })
const refused = jsonAnswer({ error: 'no' }, { status: 401 })
const tooLate = { ...waits, sentAt: 5, endedAt: 6 }

test.for([
  ['is said while the turn runs', [ran, waits, replayed], 'pass'],
  ['is said after the reply', [ran, tooLate], 'fail'],
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
    ['two ran', [ran, ranToo, waits], 'fail'],
    ['all were refused', [waits, waits], 'fail'],
    ['all were marked as replays', [replayed, replayed], 'fail'],
    ['none met another', [ran, later(replayed)], 'inconclusive'],
    ['only the rate answered the others', [ran, limited, limited], 'inconclusive'],
    ['one was cut', [ran, waits, cut], 'inconclusive'],
    ['one was a server error', [ran, waits, failed], 'inconclusive'],
    ['all got an empty object', [empty, empty], 'fail'],
    ['all were not found', [refused, refused], 'inconclusive'],
  ] as const)('exactly one runs: %s', ([, exchanges, expected]) => {
    expect(oneRun(exchanges).is).toBe(expected)
  })

  test.for([
    ['waited', waits, 'pass'],
    ['was a replay', replayed, 'pass'],
    ['was a conflict with nothing', conflict, 'fail'],
    ['was refused in another way', refused, 'fail'],
  ] as const)('the other one %s', ([, loser, expected]) => {
    expect(othersWaitOrReplay([ran, loser]).is).toBe(expected)
  })

  test.for([
    ['a replay', later(replayed), 'pass'],
    ['still in progress', later(waits), 'fail'],
    ['a turn of its own', later(ranToo), 'fail'],
    ['limited', later(limited), 'inconclusive'],
    ['sent before the answer had ended', waits, 'inconclusive'],
  ] as const)('the one after the reply is %s', ([, again, expected]) => {
    expect(replayAfterReply([ran, again]).is).toBe(expected)
  })

  test('a replay that says something else is broken for what it changes only', () => {
    const changed = jsonAnswer({ ...reply, response: 'Hello' }, marked)
    expect(replaysEqual([ran, changed], 'response').is).toBe('fail')
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
    ['is replayed', says(later(replayed), 'other'), 'fail'],
    ['runs too', says(ranToo, 'other'), 'fail'],
    ['is refused with another status afterwards', says(later(refused), 'other'), 'fail'],
  ] as const)('the one that lost %s', ([, lost, expected]) => {
    expect(otherMessageRefused([won, lost]).is).toBe(expected)
  })

  test.for([
    ['is a conflict', later(conflict), 'pass'],
    ['is said to be in progress', later(waits), 'fail'],
    ['was only returned while the turn ran', conflict, 'inconclusive'],
  ] as const)('once the turn has ended the other %s', ([, lost, expected]) => {
    expect(otherMessageConflicts([won, says(lost, 'other')]).is).toBe(expected)
  })
})

describe('of several keys', () => {
  test('none gets the reply of another', () => {
    expect(repliesApart([[ran, replayed], [ranToo]]).is).toBe('pass')
    expect(repliesApart([[ran], [jsonAnswer(reply)]]).is).toBe('fail')
    expect(repliesApart([[ran], [ranToo, replayed]]).is).toBe('fail')
    expect(repliesApart([[ran], [waits]]).is).toBe('inconclusive')
  })

  test('a key is known wherever it is carried', () => {
    const inBody = jsonAnswer(reply, { request: { idempotency_key: 'k' } })
    const inHeader = jsonAnswer(reply, { requestHeaders: [['x-IDEMPOTENCY-key', 'k']] })
    const another = jsonAnswer(reply, { requestHeaders: [['Idempotency-Key', 'l']] })
    expect(byKey([inBody, another, inHeader])).toEqual([[inBody, inHeader], [another]])
  })
})

const between = (from: number, to: number, exchange: Exchange = waits): Exchange => ({
  ...exchange,
  sentAt: from,
  endedAt: to,
})

describe('two requests', () => {
  test.for<readonly [string, Exchange, Exchange, boolean]>([
    ['at one time', between(0, 4), between(1, 2), true],
    ['that share a part of it', between(0, 4), between(3, 6), true],
    ['one of which begins as the other ends', between(0, 4), between(4, 6), false],
    ['one after the other', between(0, 4), between(5, 6), false],
    ['one of which was cut before', between(0, 4, cut), between(5, 6), true],
    ['one of which was sent twice before', { ...between(0, 4), resent: true }, between(5, 6), true],
    ['one of which was cut afterwards', between(0, 4), between(5, 6, cut), false],
  ])('%s meet, or do not', ([, one, two, expected]) => {
    expect(overlap(one, two)).toBe(expected)
    expect(overlap(two, one)).toBe(expected)
  })

  test('meet among others', () => {
    const apart = [between(0, 1), between(2, 3), between(4, 5)]
    const alone = { is: 'inconclusive', because: 'no two of the requests were under way at one moment' }
    expect(requestsOverlap(apart)).toEqual(alone)
    expect(requestsOverlap([between(0, 1)])).toEqual(alone)
    expect(requestsOverlap([...apart, between(4, 6)]).is).toBe('pass')
    expect(requestsOverlap([between(4, 6), ...apart]).is).toBe('pass')
  })
})

test.for<readonly [string, Exchange, boolean]>([
  ['a reply', ran, true],
  ['a replay', replayed, false],
  ['an empty object', empty, true],
  ['200 and nothing', answer(''), false],
  ['a reply that was cut', jsonAnswer(reply, { failure: 'reset' }), true],
  ['a whole stream without an end', streamAnswer(frames(token('Hel'))), false],
  [
    'a stream that was cut after it had begun',
    streamAnswer(frames(token('Hel')), { failure: 'reset' }),
    true,
  ],
  ['a stream that was cut after a heartbeat', streamAnswer(': data\n\n', { failure: 'reset' }), false],
  ['a stream that was cut after a name', streamAnswer('event: token\n', { failure: 'reset' }), false],
])('%s shows a turn, or none', ([, exchange, expected]) => {
  expect(showsRun(exchange)).toBe(expected)
})

describe('what is found is said in full', () => {
  const [one, two] = [between(0, 3, { ...ran, id: 1 }), between(1, 4, { ...ranToo, id: 2 })]
  const named = (exchange: Exchange, id: number): Exchange => ({ ...exchange, id, name: 'other' })
  const free = jsonAnswer({ ...reply, credits_used: 0 }, { request: { conversation_id: 'c' } })

  test.for([
    [() => atMostOneRun([two, one]), 'one turn that ran', '2 turns: exchanges 1, 2 are no replays'],
    [() => oneRun([replayed, waits]), 'one turn that ran', 'none: 1 replays and 1 refusals'],
    [() => oneRun([]), 'no turn was seen to run'],
    [() => oneRun([waits, refused]), 'no turn was seen to run'],
    [() => oneRun([waits, limited]), 'no turn was seen to run'],
    [() => oneRun([ran, named(failed, 7)]), 'what became of `other` (exchange 7) is not known'],
    [() => oneRun([ran, later(waits)]), 'no two requests were in flight at once'],
    [
      () => othersWaitOrReplay([ran, conflict]),
      'a replay, or REQUEST_IN_PROGRESS',
      '409 IDEMPOTENCY_CONFLICT',
    ],
    [
      () => othersWaitOrReplay([ran, jsonAnswer({ error: 'A_B C_D' }, { status: 409 })]),
      'a replay, or REQUEST_IN_PROGRESS',
      '409 A_B C_D',
    ],
    [
      () => othersWaitOrReplay([ran, jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 501 })]),
      'a replay, or REQUEST_IN_PROGRESS',
      '501 REQUEST_IN_PROGRESS',
    ],
    [() => othersWaitOrReplay([ran, waits, limited])],
    [() => othersWaitOrReplay([free, waits])],
    [() => replayAfterReply([ran, later(waits)]), 'a replay', '409 REQUEST_IN_PROGRESS'],
    [() => replayAfterReply([ran, named(later(refused), 8)]), '`other` was answered 401'],
    [() => replayAfterReply([ran, later(limited), later(replayed)])],
    [() => replayAfterReply([ran, between(1, 2, replayed)]), 'nothing was sent after the reply had ended'],
    [() => replayAfterReply([waits, later(waits)]), 'nothing was sent after the reply had ended'],
    [
      () => replayAfterReply([between(0, 9, ran), between(0, 2, replayed), between(4, 5, waits)]),
      'a replay',
      '409 REQUEST_IN_PROGRESS',
    ],
    [
      () => replayAfterReply([between(0, 2, { ...ran, failure: cut.failure }), later(waits)]),
      'nothing was sent after the reply had ended',
    ],
    [() => replaysEqual([ran, waits], 'response'), 'there is no reply, or no replay of it'],
    [() => replaysEqual([replayed], 'response'), 'there is no reply, or no replay of it'],
    [() => progressOnlyWhileRunning([ran, replayed]), 'every duplicate was answered from the record'],
    [() => progressOnlyWhileRunning([ran, refused]), 'nothing was refused as in progress'],
    [() => progressOnlyWhileRunning([waits]), 'the turn itself was not seen'],
    [() => progressOnlyWhileRunning([cut, tooLate])],
    [
      () => progressOnlyWhileRunning([one, { ...tooLate, id: 9 }]),
      'REQUEST_IN_PROGRESS only while the turn runs',
      'exchange 9 was refused so while exchange 1 was not under way',
    ],
    [() => otherMessageRefused([waits]), 'no turn was seen to run'],
    [() => otherMessageConflicts([waits]), 'no turn was seen to run'],
    [() => repliesApart([[ran]]), 'there was only one key'],
    [() => repliesApart([[ran], [waits]]), 'a key was not seen to run its turn'],
    [() => repliesApart([[ran], [jsonAnswer(reply)]]), 'the reply of its own key', 'that of another'],
    [() => eachKey([ran], () => pass), 'a key was used only once'],
    [() => eachKey([ran, replayed], (_, ...rest) => (rest.length === 1 ? pass : oneRun([])))],
  ] as const)('finding %#', ([judge, ...words]) => {
    const { is, because, expected, got } = { because: null, expected: null, got: null, ...judge() }
    expect([is === 'pass', ...[because, expected, got].filter(Boolean)]).toEqual([
      words.length === 0,
      ...words,
    ])
  })
})

const asks = (exchange: Exchange, message: unknown): Exchange => {
  const body = new TextEncoder().encode(JSON.stringify(message))
  return { ...exchange, request: { ...exchange.request, body } }
}
const won = asks(between(0, 4, ran), { message: 'one' })
const rival = { message: 'other' }

describe('a rival message', () => {
  test.for<readonly [string, readonly Exchange[], string]>([
    [
      'is limited while another one is refused',
      [asks(later(limited), rival), asks(later(conflict), rival)],
      'pass',
    ],
    ['is refused in any way as the turn ends', [asks(between(4, 5, refused), rival)], 'pass'],
    ['is refused as a conflict only afterwards', [asks(between(5, 6, refused), rival)], 'fail'],
    ['is a body that is no object', [asks(later(conflict), 7)], 'pass'],
  ])('%s', ([, rivals, expected]) => {
    expect(otherMessageRefused([won, ...rivals]).is).toBe(expected)
  })
})

describe('the refusal of a rival message', () => {
  const late = 'the other message was not sent again after the turn had ended'

  test.for<readonly [string, readonly Exchange[], object]>([
    ['names the conflict afterwards', [asks(later(conflict), rival)], { is: 'pass' }],
    ['names something else afterwards', [asks(later(waits), rival)], { is: 'fail' }],
    ['need not name it before', [asks(waits, rival), asks(later(conflict), rival)], { is: 'pass' }],
    ['was seen before only', [asks(waits, rival)], { is: 'inconclusive', because: late }],
    [
      'was seen as the turn ended',
      [asks(between(4, 5, waits), rival)],
      { is: 'inconclusive', because: late },
    ],
    [
      'is not that of its own message',
      [asks(waits, rival), asks(later(waits), { message: 'one' })],
      { is: 'inconclusive', because: late },
    ],
    [
      'did not come',
      [asks(later(limited), rival)],
      { is: 'inconclusive', because: 'there was nothing to judge' },
    ],
  ])('%s', ([, rivals, expected]) => {
    expect(otherMessageConflicts([won, ...rivals])).toMatchObject(expected)
  })
})

test.for([
  [{ idempotency_key: 'k' }, [['Idempotency-Key', 'l']], 'k'],
  [{ idempotency_key: 7 }, [['X-Idempotency-Key', 'l']], 'l'],
  [7, [['idempotency-key', 'l']], 'l'],
  [{}, [['Idempotency-Key-Id', 'l']], ''],
  [{}, [['My-Idempotency-Key', 'l']], ''],
  [{}, [], ''],
] as const)('the key of %j with %j', ([request, requestHeaders, expected]) => {
  expect(keyOfRequest(jsonAnswer(reply, { request, requestHeaders }))).toBe(expected)
})
