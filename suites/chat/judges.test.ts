import { describe, expect, it } from 'vitest'
import type { ClauseId } from '../../spec/index.ts'
import type { AnyScenario, Context } from '../scenario/scenario.ts'
import type { NamedExchanges } from '../scenario/exchange-names.ts'
import { done, frames, jsonAnswer, reply, streamAnswer } from '../assertions/exchange.testkit.ts'
import { credentials, schemes } from './requests/auth.ts'
import { refusals } from './requests/chat-errors.ts'
import { interleaved } from './turns/conversation.ts'
import { balance, concurrent, exhausted, exhaustedFree } from './turns/credits.ts'
import { shortest } from './idempotency/idempotency-key.ts'
import { failedTurnCharge } from './turns/streaming-events.ts'
import { refusedStream } from './turns/streaming.ts'

function judge(
  scenario: AnyScenario,
  clause: ClauseId,
  planned: object,
  notes: Context['notes'] = {},
): string {
  const judged = scenario.judge[clause]
  if (!judged) throw new Error(`no judge for ${clause}`)
  return judged(planned as NamedExchanges<string>, { dialect: {}, notes }).is
}

const refusal = (status: number, body: object = { error: 'no' }) => jsonAnswer(body, { status })
const left = (credits_remaining: number, credits_used = 1) =>
  jsonAnswer({ ...reply, credits_used, credits_remaining })
const key = 'sk-a-key-of-twenty-four'
const signed = { requestHeaders: [['Authorization', `Bearer ${key}`]] } as const

describe('an API key', () => {
  it.each([
    ['does not come back', jsonAnswer({ error: 'bad key' }, { ...signed, status: 401 }), 'pass'],
    ['comes back in the body', jsonAnswer({ error: `bad key ${key}` }, { ...signed, status: 401 }), 'fail'],
    [
      'comes back in a header',
      jsonAnswer(
        { error: 'no' },
        { ...signed, status: 401, headers: [['www-authenticate', `Bearer realm="${key}"`]] },
      ),
      'fail',
    ],
  ])('%s', (_, unknown, expected) => {
    expect(judge(credentials, 'AUTH-NO-ECHO', { accepted: jsonAnswer(reply, signed), unknown })).toBe(
      expected,
    )
  })

  it('is judged by its prefix only where it works', () => {
    const works = { accepted: jsonAnswer(reply, signed) }
    const fails = { accepted: refusal(401) }
    expect(judge(credentials, 'AUTH-KEY-PREFIX', works, { keyHasPrefix: true })).toBe('pass')
    expect(judge(credentials, 'AUTH-KEY-PREFIX', works, { keyHasPrefix: false })).toBe('fail')
    expect(judge(credentials, 'AUTH-KEY-PREFIX', fails, { keyHasPrefix: true })).toBe('inconclusive')
  })

  it('counts with no other scheme', () => {
    const scenario = { accepted: jsonAnswer(reply), basic: refusal(401) }
    expect(judge(schemes, 'AUTH-SCHEME', { ...scenario, token: refusal(401) })).toBe('pass')
    expect(judge(schemes, 'AUTH-SCHEME', { ...scenario, token: jsonAnswer(reply) })).toBe('fail')
  })
})

it.each<[string, ReturnType<typeof refusal>, string]>([
  ['is accepted', jsonAnswer(reply), 'pass'],
  ['is too short', refusal(400), 'fail'],
  ['was used for another message', refusal(409, { error: 'IDEMPOTENCY_CONFLICT' }), 'inconclusive'],
  ['is in use by another run', refusal(409, { error: 'REQUEST_IN_PROGRESS' }), 'inconclusive'],
  ['was left uncertain by another run', refusal(409, { error: 'OUTCOME_UNCERTAIN' }), 'inconclusive'],
])('a key of one character %s', (_, short, expected) => {
  expect(judge(shortest, 'IDEM-KEY-MIN', { short })).toBe(expected)
})

describe('the form of refusals', () => {
  const scenario = {
    accepted: jsonAnswer(reply),
    badBody: refusal(400),
    noKey: refusal(401),
    noAgent: refusal(404),
  }
  const receipt = { status: 'failed', error: { code: 'CONFLICT', resolution: 'wait' } }
  it.each<[ClauseId, object, string]>([
    ['ERR-FLAT', { error: 'no' }, 'pass'],
    ['ERR-FLAT', receipt, 'fail'],
    ['ERR-FLAT', { message: 'no' }, 'fail'],
    ['ERR-NOT-RECEIPT', { error: 'no', status: 409 }, 'pass'],
    ['ERR-NOT-RECEIPT', { error: 'no', status: 'failed' }, 'warn'],
    ['ERR-NOT-RECEIPT', receipt, 'fail'],
    ['ERR-NOT-RECEIPT', { title: 'Conflict', status: 409 }, 'pass'],
  ])('%s for %o is %s', (clause, body, expected) => {
    expect(judge(refusals, clause, { ...scenario, conflict: refusal(409, body) })).toBe(expected)
  })

  it('is not judged on what was no refusal', () => {
    expect(judge(refusals, 'ERR-FLAT', { ...scenario, conflict: jsonAnswer(reply) })).toBe('inconclusive')
  })

  it('includes a status of the table', () => {
    expect(judge(refusals, 'ERR-KNOWN-STATUS', { ...scenario, conflict: refusal(409) })).toBe('pass')
    expect(judge(refusals, 'ERR-KNOWN-STATUS', { ...scenario, conflict: refusal(422) })).toBe('fail')
  })

  it('is JSON where a stream was asked for', () => {
    const streams = { accepted: streamAnswer(frames(done)), badBody: refusal(400), noKey: refusal(401) }
    const asStream = streamAnswer(frames({ type: 'error', error: 'no such agent' }))
    expect(judge(refusedStream, 'SSE-REFUSAL-JSON', { ...streams, noAgent: refusal(404) })).toBe('pass')
    expect(judge(refusedStream, 'SSE-REFUSAL-JSON', { ...streams, noAgent: asStream })).toBe('fail')
  })
})

describe('the books', () => {
  const refusedEach = {
    keyless: refusal(400),
    badBody: refusal(400),
    noAgent: refusal(404),
    conflict: refusal(409),
  }
  it('show a refusal that was charged', () => {
    expect(judge(balance, 'CRED-REFUSAL-FREE', { second: left(40), ...refusedEach, third: left(39) })).toBe(
      'pass',
    )
    expect(judge(balance, 'CRED-REFUSAL-FREE', { second: left(40), ...refusedEach, third: left(38) })).toBe(
      'fail',
    )
  })

  it('show nothing where a request was not refused', () => {
    const scenario = { second: left(40), ...refusedEach, conflict: left(39), third: left(38) }
    expect(judge(balance, 'CRED-REFUSAL-FREE', scenario)).toBe('inconclusive')
  })

  it.each([
    ['each is charged, whatever they said of one another', [left(39), left(39)], 37, 'pass'],
    ['one is not charged', [left(39), left(38)], 38, 'fail'],
    ['one got no answer', [left(39), jsonAnswer({}, { failure: 'timeout' })], 38, 'inconclusive'],
  ] as const)('add up where turns run at once: %s', (_, turns, after, expected) => {
    const scenario = { before: left(40), turns, after: left(after) }
    expect(judge(concurrent, 'CRED-BALANCE-CONCURRENT', scenario)).toBe(expected)
  })

  it.each([
    ['the turn', [40, 39, 37, 36], 'pass'],
    ['neither', [40, 39, 39, 38], 'pass'],
    ['both', [40, 38, 38, 36], 'fail'],
    ['its retry', [40, 39, 39, 37], 'pass'],
  ] as const)('show whether a failed turn was charged: %s', (_, [before, between, , after], expected) => {
    const failed = streamAnswer(frames({ type: 'error', error: 'it broke' }))
    const scenario = {
      before: left(before),
      failed,
      between: left(between),
      again: failed,
      after: left(after),
    }
    expect(judge(failedTurnCharge, 'SSE-ERROR-ONE-CHARGE', scenario)).toBe(expected)
  })
})

describe('a refusal for want of credits', () => {
  const empty = (members: object) => refusal(402, { error: 'INSUFFICIENT_CREDITS', ...members })
  it.each<[ClauseId, object, string]>([
    ['CRED-EMPTY-AMOUNTS', { credits_required: 2, credits_remaining: 1 }, 'pass'],
    ['CRED-EMPTY-AMOUNTS', { credits_required: '2' }, 'warn'],
    ['CRED-EMPTY-AMOUNTS', { credits_required: 'two' }, 'fail'],
    ['CRED-EMPTY-AMOUNTS', { credits_required: null }, 'not-applicable'],
    ['CRED-EMPTY-AMOUNTS', {}, 'not-applicable'],
    ['CRED-EMPTY-SHORT', { credits_required: 2, credits_remaining: 1 }, 'pass'],
    ['CRED-EMPTY-SHORT', { credits_required: 2, credits_remaining: 2 }, 'pass'],
    ['CRED-EMPTY-SHORT', { credits_required: '2', credits_remaining: 3 }, 'fail'],
    ['CRED-EMPTY-SHORT', { credits_remaining: 2 }, 'not-applicable'],
    ['CRED-EMPTY-STREAM', {}, 'pass'],
  ])('%s with %o is %s', (clause, members, expected) => {
    const scenario = { plain: empty(members), streamed: empty(members), after: left(40) }
    expect(judge(exhausted, clause, scenario)).toBe(expected)
  })

  it.each([
    [{ credits_remaining: 1 }, { credits_remaining: 1 }, 'pass'],
    [{ credits_remaining: 1 }, { credits_remaining: 0.5 }, 'fail'],
    [{}, {}, 'not-applicable'],
  ])('costs nothing: %o, then %o is %s', (plain, streamed, expected) => {
    const scenario = { plain: empty(plain), streamed: empty(streamed), after: left(40) }
    expect(judge(exhaustedFree, 'CRED-REFUSAL-FREE', scenario)).toBe(expected)
  })

  it('comes with its code, as a stream too', () => {
    const bare = refusal(402, { error: 'too few' })
    const scenario = { plain: empty({}), streamed: bare, after: left(40) }
    expect(judge(exhausted, 'CRED-EMPTY-STREAM', scenario)).toBe('fail')
    expect(judge(exhausted, 'CRED-EMPTY-CODE', { ...scenario, plain: bare })).toBe('fail')
  })
})

describe('conversations that take turns', () => {
  const turn = (asked: object, got: string) =>
    jsonAnswer({ ...reply, conversation_id: got }, { request: { stream: false, ...asked } })
  const streamed = (asked: object, got: string) =>
    streamAnswer(frames({ ...done, conversation_id: got }), { request: { stream: true, ...asked } })
  const begun = [turn({}, 'a'), streamed({}, 'b')]
  it.each<[ClauseId, string, object[], string]>([
    ['CONV-NEW', 'two of their own', [], 'pass'],
    ['CONV-NEW', 'one that came twice', [turn({}, 'a')], 'fail'],
    ['CONV-CONTINUE', 'an answer there', [turn({ conversation_id: 'a' }, 'a')], 'pass'],
    ['CONV-CONTINUE', 'an answer elsewhere', [turn({ conversation_id: 'a' }, 'b')], 'fail'],
    ['CONV-CONTINUE', 'none that goes on', [], 'inconclusive'],
    ['CONV-CONTINUE', 'what is another clause', [turn({ conversation_id: 'b' }, 'a')], 'inconclusive'],
    ['CONV-AFTER-STREAM', 'an answer elsewhere', [turn({ conversation_id: 'b' }, 'a')], 'fail'],
    ['CONV-CONTINUE-STREAM', 'a stream elsewhere', [streamed({ conversation_id: 'b' }, 'a')], 'fail'],
    ['CONV-CONTINUE-STREAM', 'a stream there', [streamed({ conversation_id: 'a' }, 'a')], 'pass'],
  ])('%s: %s', (clause, _, more, expected) => {
    expect(judge(interleaved, clause, { turns: [...begun, ...more] })).toBe(expected)
  })
})
