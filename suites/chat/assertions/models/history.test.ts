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
import { chargedOnce, eachCharged, meter, keepsHistory } from './history-clauses.ts'
import { historiesOf } from './history-rules.ts'

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
    ['no response', { ...ran, response: null, failure: { kind: 'reset', message: 'gone' } }, 'lost'],
    ['a partial stream', cut(token('Hel')), 'begun'],
    ['a partial stream with an error', cut(token('Hel'), error), 'begun'],
    ['a stream that failed', streamed(token('Hel'), error), 'lost'],
    ['a whole stream', streamed(token('Hello there'), done), 'ran'],
    ['a refusal that names no state', refused('INVALID_BODY', 400), 'refused'],
    ['REQUEST_IN_PROGRESS for the second sending', { ...waits, resent: true }, 'lost'],
  ])('is read from %s', ([, exchange, outcome]) => {
    expect(outcomesOf(exchange)).toEqual([outcome])
  })
})

describe('a clause of a history', () => {
  const headers = {
    requestHeaders: [['Idempotency-Key', 'k']] as const,
    request: { message: 'hello' },
  }
  const ofL = { ...asked, idempotency_key: 'l' }
  const again = (made: Parameters<typeof jsonAnswer>[1] = {}) =>
    jsonAnswer(other, { request: asked, ...made })

  test.for<readonly [Parameters<typeof keepsHistory>[0], string, readonly Exchange[], string]>([
    ['IDEM-RACE-ONE-RUN', 'one waited', [ran, waits], 'pass'],
    ['IDEM-RACE-ONE-RUN', 'both ran', [ran, at(0, 2, again())], 'second-run'],
    ['IDEM-RACE-CARRIERS', 'both carriers ran', [ran, at(0, 2, again(headers))], 'second-run'],
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

  test.for<readonly [string, readonly Exchange[], string]>([
    ['the last one is missing', around(36).slice(0, -1), notAround],
    [
      'something was replayed',
      [...around(36), replayed],
      'other checks judge whether replays and conflicts are charged',
    ],
  ])('say nothing where %s', ([, course, because]) => {
    expect(chargedOnce(course, context)).toMatchObject({ because })
    expect(eachCharged(course, context)).toMatchObject({ because })
  })

  test('say nothing where they did not add up before', () => {
    const wrong = [turn(meter, 40, 'a'), turn(meter, 38, 'b'), ...race, turn(meter, 35, 'c')]
    expect(chargedOnce(wrong, context).is).toBe('inconclusive')
  })
})

test.for([
  [asked, ['Idempotency-Key', 'k'], 'body'],
  [{}, ['Idempotency-Key', 'k'], 'idempotency-key'],
  [{}, ['X-IDEMPOTENCY-Key', 'k'], 'x-idempotency-key'],
  [{}, ['My-Idempotency-Key', 'k'], 'none'],
] as const)('where the key of a request stands: %j with %j', ([request, header, carrier]) => {
  const [one] = historiesOf([jsonAnswer(reply, { request, requestHeaders: [header] })]).flat()
  expect(one?.carrier).toBe(carrier)
})
