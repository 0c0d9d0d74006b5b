import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  jsonAnswer,
  done,
  frames,
  reply,
  streamAnswer,
  token,
  replayHeader,
} from '../../../assertions/exchange.testkit.ts'
import { chargedOnce, eachCharged, meter } from './history-charge.ts'
import { keepsHistory } from './history-clauses.ts'
import { historiesOf } from './history.ts'

const context = { dialect: {} as never, notes: {} }
const asked = { message: 'hello', idempotency_key: 'k' }

function at(from: number, to: number, exchange: Exchange): Exchange {
  return { ...exchange, sentAt: from, endedAt: to }
}

const ran = jsonAnswer(reply, { request: asked })
const other = { ...reply, conversation_id: '7a1c0000-7f0e-4b7c-9a3e-0d9b7c1c4f11' }
const marked = [
  ['content-type', 'application/json'],
  [replayHeader, 'true'],
] as const
const replayed = jsonAnswer(reply, { request: asked, headers: marked })
const waits = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409, request: asked })

const outcomesOf = (...exchanges: readonly Exchange[]) =>
  historiesOf(exchanges)
    .flat()
    .map(({ outcome }) => outcome)

describe('the outcome of a request', () => {
  const refused = (error: string, status = 409) => jsonAnswer({ error }, { status })
  const streamed = (...events: readonly object[]) => streamAnswer(frames(...events))
  const cut = (...events: readonly object[]) => streamAnswer(frames(...events), { failure: 'aborted' })
  const error = { type: 'error', error: 'no' }

  test.for<readonly [string, Exchange, string]>([
    ['a reply', ran, 'ran'],
    ['a replay', replayed, 'replayed'],
    ['REQUEST_IN_PROGRESS', waits, 'in-progress'],
    ['two codes at once', refused('REQUEST_IN_PROGRESS or IDEMPOTENCY_CONFLICT'), 'refused'],
    ['a rate limit', refused('slow down', 429), 'refused'],
    ['a server error', refused('REQUEST_IN_PROGRESS', 500), 'lost'],
    ['no response', { ...ran, response: null, failure: { kind: 'reset', message: 'gone' } }, 'lost'],
    ['a partial stream', cut(token('Hel')), 'begun'],
    ['a partial stream with only an error', cut(error), 'lost'],
    ['a partial stream with an error', cut(token('Hel'), error), 'begun'],
    ['a stream that failed', streamed(token('Hel'), error), 'lost'],
    ['a whole stream', streamed(token('Hello there'), done), 'ran'],
    ['a refusal that names no state', refused('INVALID_BODY', 400), 'refused'],
    ['a code beside one that names no state', refused('X_Y IDEMPOTENCY_CONFLICT', 400), 'conflict'],
    ['a redirection', jsonAnswer({}, { status: 399 }), 'lost'],
    ['a replay accepted in another way', jsonAnswer(reply, { status: 202, headers: marked }), 'replayed'],
    ['REQUEST_IN_PROGRESS for the second sending', { ...waits, resent: true }, 'lost'],
  ])('is read from %s', ([, exchange, outcome]) => {
    expect(outcomesOf(exchange)).toEqual([outcome])
  })

  test('is a replay if the reply was returned before, even without the replay header', () => {
    expect(outcomesOf(ran, at(5, 6, jsonAnswer(reply, { request: asked })))).toEqual(['ran', 'replayed'])
  })
})

describe('a request of a history', () => {
  const requestOf = (request: unknown, requestHeaders: readonly (readonly [string, string])[] = []) =>
    historiesOf([at(3, 7, jsonAnswer(reply, { request, requestHeaders }))]).flat()[0]

  test('has its times and its reply', () => {
    const { response, conversation_id: conversation } = reply
    expect(requestOf(asked)).toMatchObject({
      from: 3,
      to: 7,
      message: '"hello"',
      stream: false,
      response,
      conversation,
    })
    const begun = streamAnswer(frames(token('H')), { failure: 'reset' })
    const unended = historiesOf([jsonAnswer({}, { status: 500 }), begun]).flat()
    expect(unended.map(({ to }) => to)).toEqual([Infinity, Infinity])
    const odd = jsonAnswer({ response: 7, conversation_id: null })
    expect(historiesOf([odd]).flat()[0]).toMatchObject({ message: '', response: null, conversation: null })
  })

  test.for([
    [asked, [['Idempotency-Key', 'k']], 'body'],
    [{}, [['Idempotency-Key', 'k']], 'idempotency-key'],
    [
      {},
      [
        ['Accept', 'k'],
        ['X-IDEMPOTENCY-Key', 'k'],
      ],
      'x-idempotency-key',
    ],
    [
      {},
      [
        ['Idempotency-Key-Id', 'k'],
        ['My-Idempotency-Key', 'k'],
      ],
      'none',
    ],
    [7, [], 'none'],
  ] as const)('where its key stands: %j with %j', ([request, headers, carrier]) => {
    expect(requestOf(request, headers)?.carrier).toBe(carrier)
  })

  test.for([
    [{ message: 'a' }, { message: 'a', stream: false }, true],
    [{ message: 'a' }, { message: 'a', stream: true }, false],
    [{ message: 'a' }, { message: 'b' }, false],
    [{ message: 'a' }, { message: 'a', conversation_id: 'c' }, false],
    [{ message: 'a', idempotency_key: 'k' }, { message: 'a' }, true],
  ] as const)('whether %j is %j', ([one, two, same]) => {
    expect(requestOf(one)?.content === requestOf(two)?.content).toBe(same)
    expect(requestOf(two)?.stream).toBe('stream' in two && two.stream)
  })
})

describe('a clause of a history', () => {
  const streamed = { ...asked, stream: true }
  const inHeader = { message: 'hello' }
  const headers = { requestHeaders: [['Idempotency-Key', 'k']] as const, request: inHeader }
  const ofL = { ...asked, idempotency_key: 'l' }
  const again = (made: Parameters<typeof jsonAnswer>[1] = {}) =>
    jsonAnswer(other, { request: asked, ...made })

  test.for<readonly [Parameters<typeof keepsHistory>[0], string, readonly Exchange[], string]>([
    ['IDEM-RACE-ONE-RUN', 'one waited', [ran, waits], 'pass'],
    ['IDEM-RACE-ONE-RUN', 'both ran', [ran, at(0, 2, again())], 'second-run'],
    ['IDEM-OTHER-MODE', 'both modes ran', [ran, at(0, 2, again({ request: streamed }))], 'second-run'],
    ['IDEM-RACE-CARRIERS', 'both carriers ran', [ran, at(0, 2, again(headers))], 'second-run'],
    ['IDEM-REPLAY-AT-ONCE', 'it ran once more', [ran, at(5, 6, again())], 'original-after-reply'],
    ['IDEM-REPLAY-AT-ONCE', 'the key never gets free', [ran, at(5, 6, waits)], 'in-progress-after-reply'],
    ['IDEM-IN-FLIGHT-OVERLAP', 'the key never gets free', [ran, at(5, 6, waits)], 'in-progress-after-reply'],
    [
      'IDEM-REPLAY-CONVERSATION',
      'a replay went astray',
      [ran, at(5, 6, again({ headers: marked }))],
      'different-conversation',
    ],
    [
      'IDEM-RACE-KEYS',
      'a replay is that of another key',
      [
        ran,
        at(5, 6, replayed),
        again({ request: ofL }),
        at(5, 6, jsonAnswer(reply, { request: ofL, headers: marked })),
      ],
      'reply-of-another-key',
    ],
    ['IDEM-ABORT-ONE-RUN', 'nobody went away', [ran, waits], 'not-applicable'],
  ])('%s: %s', ([clause, , exchanges, name]) => {
    const judgement = keepsHistory(clause)(exchanges, context)
    const said = judgement.is === 'fail' ? judgement.got.split(':')[0] : judgement.is
    expect(said).toBe(name)
  })
})

describe('the books around a race', () => {
  const turn = (name: string, left: number, key: string, conversation = key): Exchange =>
    jsonAnswer(
      { ...reply, conversation_id: conversation, credits_remaining: left },
      { name, request: { message: name, idempotency_key: key } },
    )
  const race = [turn('race', 38, 'k'), turn('race', 37, 'l')]
  const around = (left: number) => [
    turn(meter, 40, 'a'),
    turn(meter, 39, 'b'),
    ...race,
    turn(meter, left, 'c'),
  ]

  test.for([
    ['add up', 36, 'pass', 'pass'],
    ['lack a credit that no turn used', 35, 'fail', 'pass'],
    ['have one that a turn used', 37, 'pass', 'fail'],
  ] as const)('%s', ([, left, once, each]) => {
    expect(chargedOnce(around(left), context).is).toBe(once)
    expect(eachCharged(around(left), context).is).toBe(each)
  })

  const notAround = 'the turns around the race did not run'
  const notSeen = 'a turn was not seen to run, or has no number for its credits'
  const ofM = { request: { idempotency_key: 'm' } }
  const noAmount = jsonAnswer({ ...reply, credits_used: null, conversation_id: 'm' }, ofM)
  const noMeter = jsonAnswer({ ...reply, credits_remaining: 'few' }, { name: meter })
  const running = jsonAnswer({ error: 'REQUEST_IN_PROGRESS' }, { status: 409, ...ofM })

  test.for<readonly [string, readonly Exchange[], string]>([
    ['the last one is missing', around(36).slice(0, -1), notAround],
    ['two are missing', [turn(meter, 40, 'a'), ...race], notAround],
    ['all are missing', race, notAround],
    ['one says no amount', [...around(36).slice(0, -1), noMeter], notSeen],
    ['a turn of the race says no amount', [...around(36), noAmount], notSeen],
    ['a key was not seen to run', [...around(36), running], notSeen],
    [
      'something was replayed',
      [...around(36), replayed],
      'other checks judge whether replays and conflicts are charged',
    ],
  ])('say nothing where %s', ([, course, because]) => {
    expect(chargedOnce(course, context)).toMatchObject({ because })
    expect(eachCharged(course, context)).toMatchObject({ because })
  })

  test('are shown by what is missing', () => {
    expect(chargedOnce(around(34.5), context)).toMatchObject({
      expected: 'one turn of each key charged',
      got: '1.5 credits more',
    })
    expect(eachCharged(around(37.5), context)).toMatchObject({
      expected: 'every turn charged',
      got: '1.5 credits too few',
    })
    const single = around(37).filter(({ request }) => !Buffer.from(request.body).includes('"l"'))
    expect(eachCharged(single, context)).toEqual({ is: 'not-applicable', because: 'only one turn ran' })
    expect(chargedOnce(single, context).is).toBe('pass')
  })

  test('say nothing where they did not add up before', () => {
    const wrong = [turn(meter, 40, 'a'), turn(meter, 38, 'b'), ...race, turn(meter, 35, 'c')]
    expect(chargedOnce(wrong, context).is).toBe('inconclusive')
  })
})
