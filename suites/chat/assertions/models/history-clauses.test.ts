import { expect, test } from 'vitest'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  frames,
  jsonAnswer,
  reply,
  streamAnswer,
  token,
  replayHeader,
} from '../../../assertions/exchange.testkit.ts'
import { keepsHistory, historyJudges, type HistoryClause } from './history-clauses.ts'

const context = { dialect: {} as never, notes: {} }
const json = ['content-type', 'application/json'] as const
const other = { ...reply, conversation_id: '7a1c0000-7f0e-4b7c-9a3e-0d9b7c1c4f11' }

interface Asked {
  message?: string
  stream?: boolean
  /** In a header instead of the body. */
  carrier?: string
  key?: string
}
const made = ({ message = 'hello', stream, carrier, key = 'k' }: Asked) => ({
  request: {
    message,
    ...(stream === undefined ? {} : { stream }),
    ...(carrier === undefined ? { idempotency_key: key } : {}),
  },
  requestHeaders: carrier === undefined ? [] : ([[carrier, key]] as const),
})
const at = (exchange: Exchange, from = 0, to = 4): Exchange => ({ ...exchange, sentAt: from, endedAt: to })
const ran = (asked: Asked = {}, body: object = reply) => at(jsonAnswer(body, made(asked)))
const again = (asked: Asked = {}, body: object = reply) =>
  at(jsonAnswer(body, { ...made(asked), headers: [json, [replayHeader, 'true']] }), 5, 6)
const refused = (error: string, asked: Asked = {}) =>
  at(jsonAnswer({ error }, { status: 409, ...made(asked) }), 1, 2)
const waits = (asked?: Asked) => refused('REQUEST_IN_PROGRESS', asked)
const conflict = (asked?: Asked) => refused('IDEMPOTENCY_CONFLICT', asked)
const limited = (asked?: Asked) => refused('slow down', asked)
const lost = (asked: Asked = {}) => at(jsonAnswer({ error: 'no' }, { status: 500, ...made(asked) }), 1, 2)
const begun = (asked: Asked = {}) =>
  at(streamAnswer(frames(token('Hel')), { failure: 'aborted', ...made(asked) }), 1, 2)
const streamed = { stream: true } as const
const rival = { message: 'bye' } as const
const inHeader = { carrier: 'Idempotency-Key' } as const
const later = (exchange: Exchange, from = 5, to = 6): Exchange => at(exchange, from, to)

const nothing = 'no two requests of this kind overlapped'
const missing = 'of requests of this kind a response is missing'

/** `pass`, the reason why nothing is judged, or the names of the violations. */
function summary(clause: HistoryClause, exchanges: readonly Exchange[]): string {
  const judgement = keepsHistory(clause)(exchanges, context)
  if (judgement.is === 'fail') return judgement.got.split(':')[0] ?? ''
  return 'because' in judgement ? judgement.because : judgement.is
}

test.for<readonly [HistoryClause, string, readonly Exchange[], string]>([
  ['IDEM-RACE-ONE-RUN', 'the other waited', [ran(), waits()], 'pass'],
  ['IDEM-RACE-ONE-RUN', 'the other waited as a stream', [ran(streamed), waits(streamed)], nothing],
  ['IDEM-RACE-STREAM', 'the other waited as a stream', [ran(streamed), waits(streamed)], 'pass'],
  ['IDEM-RACE-STREAM', 'the other waited', [ran(), waits()], nothing],
  ['IDEM-RACE-ONE-RUN', 'the other came later', [ran(), again()], nothing],
  ['IDEM-RACE-ONE-RUN', 'the other came as it ended', [ran(), at(again(), 4, 5)], nothing],
  ['IDEM-RACE-ONE-RUN', 'the other ended as it came', [at(ran(), 2, 4), waits()], nothing],
  ['IDEM-RACE-ONE-RUN', 'the other was limited', [ran(), limited()], nothing],
  ['IDEM-RACE-ONE-RUN', 'the other was lost', [ran(), lost()], missing],
  ['IDEM-RACE-ONE-RUN', 'the other was cut', [lost(), begun(), limited()], missing],
  ['IDEM-RACE-ONE-RUN', 'one was lost after the other', [ran(), later(lost(), 7, 8)], nothing],
  ['IDEM-RACE-ONE-RUN', 'a lost one was of another message', [ran(), lost(rival)], nothing],
  ['IDEM-RACE-ONE-RUN', 'it never ran', [waits(), waits()], 'no-run'],
  ['IDEM-RACE-STREAM', 'it never ran as a stream', [waits(streamed), waits(streamed)], 'no-run'],
  ['IDEM-RACE-STREAM', 'it never ran', [waits(), waits()], nothing],
  ['IDEM-RACE-STREAM', 'both ran as streams', [ran(streamed), ran(streamed, other)], 'second-run'],
  ['IDEM-RACE-ONE-RUN', 'both ran as streams', [ran(streamed), ran(streamed, other)], nothing],
  ['IDEM-ABORT-ONE-RUN', 'the second ran after the first was cut', [begun(), ran({}, other)], 'second-run'],
  ['IDEM-RACE-ONE-RUN', 'the second ran after the first was cut', [begun(), ran({}, other)], nothing],
  ['IDEM-RACE-ONE-RUN', 'both ran by a header', [ran(inHeader), ran(inHeader, other)], nothing],
  ['IDEM-RACE-CARRIERS', 'both ran by a header', [ran(inHeader), ran(inHeader, other)], 'second-run'],
  ['IDEM-RACE-CARRIERS', 'the other waited by a header', [ran(), waits(inHeader)], 'pass'],
  ['IDEM-RACE-CARRIERS', 'the other waited by the body', [ran(), waits()], nothing],
  ['IDEM-RACE-CARRIERS', 'a rival waited by a header', [ran(), waits({ ...inHeader, ...rival })], nothing],
  ['IDEM-RACE-OTHERS', 'the other waited by a header', [ran(), waits(inHeader)], nothing],
  ['IDEM-RACE-OTHERS', 'the other waited', [ran(), waits()], 'pass'],
  ['IDEM-RACE-OTHERS', 'the other was a conflict', [ran(), conflict()], 'conflict-without-rival'],
  ['IDEM-RACE-OTHERS', 'the other was a conflict beside one that was cut', [begun(), conflict()], nothing],
  [
    'IDEM-RACE-OTHERS',
    'the other was uncertain',
    [ran(), refused('OUTCOME_UNCERTAIN')],
    'uncertain-without-loss',
  ],
  ['IDEM-OTHER-MODE', 'both modes ran', [ran(), ran(streamed, other)], 'second-run'],
  [
    'IDEM-OTHER-MODE',
    'both modes ran by two carriers',
    [ran(), ran({ ...streamed, ...inHeader }, other)],
    nothing,
  ],
  ['IDEM-OTHER-MODE', 'the other mode waited', [ran(), waits(streamed)], 'pass'],
  ['IDEM-OTHER-MODE', 'the same mode waited', [ran(), waits()], nothing],
  ['IDEM-OTHER-MODE', 'a rival waited in another mode', [ran(), waits({ ...rival, ...streamed })], nothing],
  ['IDEM-CONFLICT-STATUS', 'the rival waited', [ran(), waits(rival)], 'pass'],
  ['IDEM-CONFLICT-STATUS', 'its own message waited', [ran(), waits()], nothing],
  ['IDEM-CONFLICT-STATUS', 'the rival ran', [ran(), ran(rival, other)], 'rival-served'],
  [
    'IDEM-CONFLICT-STATUS',
    'the rival was replayed by a header',
    [ran(), again({ ...rival, ...inHeader })],
    'rival-served',
  ],
  [
    'IDEM-CONFLICT-STATUS',
    'the rival ran in another mode',
    [ran(), ran({ ...rival, ...streamed }, other)],
    nothing,
  ],
  [
    'IDEM-CONFLICT-STATUS',
    'the rival ran by a header',
    [ran(), ran({ ...rival, ...inHeader }, other)],
    nothing,
  ],
  [
    'IDEM-CONFLICT-STATUS',
    'a rival ran beside two, one of them alike',
    [ran(streamed), ran({}, { ...reply, response: 'else' }), later(ran(rival, other), 1, 5)],
    'rival-served',
  ],
  [
    'IDEM-CONFLICT-UNCHANGED',
    'it was a conflict with itself',
    [ran(), later(conflict())],
    'conflict-after-own-reply',
  ],
  ['IDEM-CONFLICT-UNCHANGED', 'it was replayed after a conflict', [ran(), conflict(rival), again()], 'pass'],
  [
    'IDEM-CONFLICT-UNCHANGED',
    'it was replayed before it',
    [ran(), again(), later(conflict(rival), 7, 8)],
    nothing,
  ],
  [
    'IDEM-CONFLICT-UNCHANGED',
    'it was replayed as it ended',
    [ran(), at(conflict(rival), 1, 5), again()],
    nothing,
  ],
  ['IDEM-CONFLICT-UNCHANGED', 'it was lost beside a conflict', [ran(), conflict(rival), lost()], missing],
  ['IDEM-CONFLICT-UNCHANGED', 'it waited beside a conflict', [ran(), conflict(rival), waits()], nothing],
  ['IDEM-ABORT-ONE-RUN', 'nobody went away', [ran(), waits()], nothing],
  ['IDEM-ABORT-ONE-RUN', 'one went away and one waited', [begun(), waits()], 'pass'],
  ['IDEM-ABORT-ONE-RUN', 'one went away and a rival waited', [begun(), waits(rival)], nothing],
  ['IDEM-ABORT-ONE-RUN', 'one went away and one was limited', [begun(), limited()], nothing],
  ['IDEM-ABORT-ONE-RUN', 'one went away and one was lost', [begun(), lost()], missing],
  ['IDEM-IN-FLIGHT-OVERLAP', 'one waited while it ran', [ran(), waits()], 'pass'],
  ['IDEM-IN-FLIGHT-OVERLAP', 'one waited before it ran', [lost(), waits(), later(ran())], missing],
  ['IDEM-IN-FLIGHT-OVERLAP', 'one waited beside a limited one', [limited(), waits()], nothing],
  ['IDEM-IN-FLIGHT-OVERLAP', 'one waited for nobody', [later(ran()), waits()], 'in-progress-without-run'],
  [
    'IDEM-IN-FLIGHT-OVERLAP',
    'the rival waits for ever',
    [ran(), later(waits(rival))],
    'in-progress-after-reply',
  ],
  ['IDEM-REPLAY-AT-ONCE', 'the rival waits for ever', [ran(), later(waits(rival))], nothing],
  [
    'IDEM-REPLAY-AT-ONCE',
    'one of two waits for ever',
    [ran(), again(streamed), later(waits(), 7, 8)],
    'in-progress-after-reply',
  ],
  ['IDEM-REPLAY-AT-ONCE', 'it was replayed', [ran(), again()], 'pass'],
  ['IDEM-REPLAY-AT-ONCE', 'it was replayed as it ended', [ran(), at(again(), 4, 5)], nothing],
  ['IDEM-REPLAY-AT-ONCE', 'one was lost', [ran(), lost()], missing],
  ['IDEM-REPLAY-AT-ONCE', 'a rival was lost', [ran(), lost(rival)], nothing],
  ['IDEM-REPLAY-AT-ONCE', 'the other mode ran again', [ran(), later(ran(streamed, other))], nothing],
  [
    'IDEM-OTHER-MODE',
    'the other mode ran again',
    [ran(), later(ran(streamed, other))],
    'original-after-reply',
  ],
  [
    'IDEM-REPLAY-AT-ONCE',
    'it was uncertain',
    [ran(), later(refused('OUTCOME_UNCERTAIN'))],
    'uncertain-after-reply',
  ],
  ['IDEM-REPLAY-RESPONSE', 'a replay was equal', [ran(), again()], 'pass'],
  ['IDEM-REPLAY-RESPONSE', 'a streamed replay was equal', [ran(), again(streamed)], nothing],
  [
    'IDEM-REPLAY-RESPONSE',
    'a replay said something else',
    [ran(), again({}, { ...reply, response: 'no' })],
    'different-response',
  ],
  ['IDEM-REPLAY-RESPONSE', 'one was lost', [ran(), lost()], missing],
  ['IDEM-REPLAY-RESPONSE', 'a streamed one was lost', [ran(), lost(streamed)], nothing],
  ['IDEM-REPLAY-RESPONSE', 'two messages were lost', [lost(), lost(rival)], nothing],
  ['IDEM-REPLAY-CONVERSATION', 'a replay was equal', [ran(), again()], 'pass'],
  ['IDEM-STREAM-REPLAY-RESPONSE', 'a streamed replay was equal', [ran(), again(streamed)], 'pass'],
  ['IDEM-STREAM-REPLAY-RESPONSE', 'a replay was equal', [ran(), again()], nothing],
  [
    'IDEM-STREAM-REPLAY-RESPONSE',
    'a streamed replay said something else',
    [ran(), again(streamed, { ...reply, response: 'no' })],
    'different-response',
  ],
  ['IDEM-STREAM-REPLAY-CONVERSATION', 'a streamed replay was equal', [ran(), again(streamed)], 'pass'],
  [
    'IDEM-STREAM-REPLAY-CONVERSATION',
    'a streamed replay went astray',
    [ran(), again(streamed, other)],
    'different-conversation',
  ],
  ['IDEM-RACE-KEYS', 'there were two', [ran(), again(), ran({ key: 'l' }, other)], 'pass'],
  ['IDEM-RACE-KEYS', 'none of two was replayed', [ran(), ran({ key: 'l' }, other)], 'there was only one key'],
  ['IDEM-RACE-KEYS', 'there was one', [ran(), again()], 'there was only one key'],
  [
    'IDEM-RACE-KEYS',
    'the one that was replayed was not seen to run',
    [lost(), again(), ran({ key: 'l' }, other), ran({ key: 'm' }, { ...other, response: 'm' })],
    'there was only one key',
  ],
])('%s: %s', ([clause, , exchanges, expected]) => {
  expect(summary(clause, exchanges)).toBe(expected)
})

test('a replay of another key is reported once, and not as different', () => {
  const foreign = [ran(), ran({ key: 'l' }, other), again({ key: 'l' })]
  expect(summary('IDEM-RACE-KEYS', foreign)).toBe('reply-of-another-key')
  expect(summary('IDEM-REPLAY-CONVERSATION', foreign)).toBe('pass')
})

test('a violation names its exchanges and the outcome of each', () => {
  const [one, two] = [
    { ...ran(), id: 3 },
    { ...later(waits()), id: 4 },
  ]
  const judgement = historyJudges('IDEM-REPLAY-AT-ONCE')['IDEM-REPLAY-AT-ONCE']([one, two], context)
  expect(judgement).toEqual({
    is: 'fail',
    expected: 'a history that some order of events explains',
    got: 'in-progress-after-reply: the key was in progress for a request that was sent after a reply had ended, exchange 4 (in-progress) beside 3 (ran)',
    exchange: 4,
    cited: [
      { exchange: 4, as: 'in-progress' },
      { exchange: 3, as: 'ran' },
    ],
  })
  const alone = keepsHistory('IDEM-IN-FLIGHT-OVERLAP')([{ ...waits(), id: 5 }, later(ran())], context)
  expect(alone).toMatchObject({
    got: 'in-progress-without-run: the key was in progress while no turn can have run, exchange 5 (in-progress)',
  })
})
