/** Each row is traffic that breaks a rule, or looks as if it did. Times are a second apart. */
import { expect, test } from 'vitest'
import { jsonAnswer, reply, replayHeader } from '../assertions/exchange.testkit.ts'
import { attempt } from '../assertions/inbound.testkit.ts'
import { verdictOf } from '../scenario/scenario.testkit.ts'
import type { SignatureFact } from '../../bundle/exchange.ts'
import type { Exchange, Header } from '../wire/exchange.ts'
import { trafficScenarios } from './rules.ts'

const key = 'client-0123456789abcdef-0001'
const other = 'client-0123456789abcdef-0002'
const conversation = '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f10'

interface Row {
  message?: string
  of?: string
  in?: string | null
  press?: object
  status?: number
  body?: object
  headers?: readonly Header[]
  as?: readonly Header[]
  path?: string
  method?: string
  lost?: true
  at?: number
  who?: string | null
}

const bearer: Header = ['authorization', 'Bearer sk-0123456789']

function turn(
  {
    message = 'a',
    of = key,
    in: within = conversation,
    press,
    status,
    body,
    headers,
    as,
    path,
    method = 'POST',
    lost,
    at,
    who = 'main',
  }: Row,
  i: number,
): Exchange {
  const request = {
    message,
    idempotency_key: of,
    ...(within && { conversation_id: within }),
    ...(press && { interaction: press }),
  }
  const made = jsonAnswer(body ?? { ...reply, conversation_id: conversation }, {
    ...(status && { status }),
    ...(lost && { failure: 'reset' as const }),
    headers: [['content-type', 'application/json'], ...(headers ?? [])],
    request,
    requestHeaders: (as ?? [bearer]).filter((one) => who !== null || one !== bearer),
  })
  const sentAt = at ?? i * 1_000
  const sent = { ...made.request, method, path: path ?? made.request.path, principal: who }
  return { ...made, id: i + 1, request: sent, sentAt, endedAt: sentAt + 10, ...(lost && { response: null }) }
}

const ruleOf = (clause: string) =>
  Object.values(trafficScenarios).find(({ judge }) => Object.hasOwn(judge, clause))

const refused = (error: string, more: object = {}): Row => ({ status: 409, body: { error, ...more } })
const invalid = (error: string): Row => ({ status: 400, body: { error } })
const conflict = refused('IDEMPOTENCY_CONFLICT')
const uncertain: Row = { ...refused('OUTCOME_UNCERTAIN'), in: null }
const anew: Row = { of: other, in: null }
const limited: Row = {
  status: 429,
  body: { error: 'x', retry_after_seconds: 5, limit: 60, remaining: 0 },
}
const limitedInText: Row = { ...limited, body: { ...limited.body, retry_after_seconds: '5' } }
const button = { type: 'workflow_button', runId: 'r1', nodeId: 'n1', payload: 'yes' }
const offering = { ...reply, conversation_id: conversation, presentation: { buttons: [button] } }
const unreadable = { ...offering, presentation: { buttons: [{ ...button, nodeId: undefined }] } }
const begun: Row = { of: other, in: null, body: offering }
const stale: Row = { ...refused('WORKFLOW_INTERACTION_STALE'), press: button }
const origin: Header = ['origin', 'https://a.example']
const sameOrigin: Header = ['sec-fetch-site', 'same-origin']
const page: readonly Header[] = [bearer, origin, ['sec-fetch-site', 'cross-site']]
const asksFor = (names: string): Row => ({
  method: 'OPTIONS',
  as: [origin, ['access-control-request-headers', names]],
})
const many = (seconds: number, who = 'main' as string | null): readonly Row[] =>
  Array.from({ length: 121 }, (_, at) => ({ of: `${key}-${at}`, at: (at * seconds * 1_000) / 121, who }))

test.for<[clause: string, what: string, verdict: string, ...rows: Row[]]>([
  ['LIB-KEY-REQUIRED', 'a turn refused for want of a key', 'fail', {}, invalid('IDEMPOTENCY_KEY_REQUIRED')],
  ['LIB-KEY-REQUIRED', 'a turn refused for something else', 'pass', invalid('INVALID_BODY')],
  ['LIB-SENT-AGAIN', 'another message with a completed key', 'fail', {}, { message: 'b', ...conflict }],
  ['LIB-SENT-AGAIN', 'a conflict by the service alone', 'pass', refused('REQUEST_IN_PROGRESS'), conflict],
  ['LIB-SENT-AGAIN', 'a completed key again', 'pass', {}, { headers: [[replayHeader, 'true']] }],
  ['LIB-SENT-AGAIN', 'a new key after a lost answer', 'warn', { lost: true }, { of: other }],
  ['LIB-SENT-AGAIN', 'a new key for another message', 'pass', { lost: true }, { of: other, message: 'b' }],
  ['LIB-UNCERTAIN', 'the same message with a new key', 'fail', refused('OUTCOME_UNCERTAIN'), { of: other }],
  ['LIB-UNCERTAIN', 'the same key again', 'pass', refused('OUTCOME_UNCERTAIN'), refused('OUTCOME_UNCERTAIN')],
  ['LIB-UNCERTAIN', 'the same first message with a new key', 'warn', uncertain, anew],
  ['LIB-UNCERTAIN', 'it two minutes later', 'pass', uncertain, { ...anew, at: 120_000 }],
  ['LIB-UNCERTAIN', 'another first message', 'pass', uncertain, { ...anew, message: 'b' }],
  ['LIB-SENT-AGAIN', 'a new key after a 503', 'warn', { status: 503, body: {}, in: null }, anew],
  ['LIB-SENT-AGAIN', 'a new key after a 402', 'pass', { status: 402, body: {} }, { of: other }],
  ['LIB-IN-PROGRESS', 'another message with it', 'fail', refused('REQUEST_IN_PROGRESS'), { message: 'b' }],
  ['LIB-IN-PROGRESS', 'the same request', 'pass', refused('REQUEST_IN_PROGRESS'), {}],
  ['LIB-IN-PROGRESS', 'nothing more', 'never seen', refused('REQUEST_IN_PROGRESS')],
  ['LIB-RATE-WAIT', 'the refused request at once', 'fail', limited, { at: 100 }],
  ['LIB-RATE-WAIT', 'the refused request before its time', 'warn', limited, {}],
  ['LIB-RATE-WAIT', 'a wait where the time is a text', 'pass', limitedInText, {}],
  ['LIB-RATE-WAIT', 'another request meanwhile', 'never seen', limited, { of: other, message: 'b' }],
  ['LIB-RATE-WAIT', 'the refused request in time', 'pass', limited, { at: 4_500 }],
  ['LIB-INTERACTION', 'a button that was offered', 'pass', begun, { press: button }],
  ['LIB-INTERACTION', 'a button that was none', 'fail', begun, { press: { ...button, payload: 'no' } }],
  ['LIB-INTERACTION', 'unknown members', 'never seen', { ...begun, body: unreadable }, { press: button }],
  ['LIB-INTERACTION', 'a conversation that began before', 'never seen', { press: button }],
  ['LIB-STALE', 'a superseded button again', 'fail', begun, stale, { ...stale, of: `${key}2` }],
  ['LIB-STALE', 'a superseded button once', 'pass', begun, stale],
  ['LIB-KEY-SERVER-SIDE', 'a key in a URL', 'warn', {}, { path: '/api/v1/chat/agent?key=sk-0123456789' }],
  ['LIB-KEY-SERVER-SIDE', 'it redacted', 'warn', { path: '/api/v1/chat/a?k=[[key:main:7d5dc838]]' }],
  ['LIB-KEY-SERVER-SIDE', 'a page that asks first', 'fail', asksFor('authorization'), { as: page }],
  ['LIB-KEY-SERVER-SIDE', 'a page, or a proxy of its headers', 'warn', asksFor('content-type'), { as: page }],
  ['LIB-KEY-SERVER-SIDE', 'a page that asks its own server', 'pass', { as: [bearer, origin, sameOrigin] }],
  ['LIB-KEY-SERVER-SIDE', 'what came by a proxy', 'pass', { as: [...page, ['via', '1.1 proxy']] }],
  ['LIB-KEY-SERVER-SIDE', 'what a server sends', 'pass', { as: [bearer, ['sec-fetch-mode', 'cors']] }],
  ['RATE-UPPER', 'more turns in a minute than any window allows', 'fail', ...many(50)],
  ['RATE-UPPER', 'as many in more than a minute', 'pass', ...many(70)],
  ['RATE-UPPER', 'as many of keys that are not shown', 'never seen', ...many(50, null)],
  [
    'RATE-UPPER',
    'as many for a clock that is moved',
    'pass',
    ...many(50).map((row, at): Row => ({ ...row, headers: [['x-ratelimit-reset', `${at * 10}`]] })),
  ],
  ['IDEM-REPLAY-HEADER', 'a key that is sent again after an hour', 'never seen', {}, { at: 3_600_000 }],
  ['IDEM-REPLAY-HEADER', 'a short key again', 'never seen', { of: 'header-1' }, { of: 'header-1' }],
])('%s: %s: %s', ([clause, , verdict, ...rows]) => {
  expect(verdictOf(ruleOf(clause), clause, rows.map(turn))).toBe(verdict)
})

const numbered = (at: number): string => `${conversation.slice(0, -1)}${at}`
const ran = (at: number, credits_remaining: number): Row => ({
  of: `${key}-${at}`,
  in: null,
  body: { ...reply, conversation_id: numbered(at), credits_remaining },
})
const denied = (status: number): Row => ({ ...invalid('x'), status })
const again = [[replayHeader, 'true']] as const
const task: Row = { method: 'GET', path: '/api/v1/tasks/1', body: { state: 'running' } }

test.for<[what: string, found: readonly string[], ...rows: Row[]]>([
  ['a 401 between two turns', ['REQ-ROUTE'], ran(1, 9), { ...ran(2, 9), ...denied(401) }, ran(3, 8)],
  ['a 403 between two turns', [], ran(1, 9), { ...ran(2, 9), ...denied(403) }, ran(3, 8)],
  ['a wait that is too short', ['LIB-RATE-WAIT'], limited, { at: 100 }],
  [
    'a replay that costs',
    ['IDEM-REPLAY-FREE'],
    ran(1, 9),
    ran(2, 8),
    { ...ran(2, 8), headers: again },
    ran(3, 5),
  ],
  ['another message under a key', ['IDEM-CONFLICT-STATUS'], ran(1, 9), { ...ran(1, 8), message: 'bb' }],
  ['a turn that runs twice', ['IDEM-REPLAY-HEADER'], ran(1, 9), ran(1, 8)],
  [
    'it after a 429',
    ['IDEM-REPLAY-HEADER'],
    { ...ran(1, 9), ...limited },
    { ...ran(1, 9), at: 6_000 },
    { ...ran(1, 8), at: 7_000 },
  ],
  ['a turn that ran after a 408', [], { ...ran(1, 9), ...denied(408) }, ran(1, 9), ran(1, 8)],
  ['a task that is gone', ['TASK-READ'], task, { ...task, status: 404 }],
  ['a turn elsewhere', ['CONV-CONTINUE'], ran(1, 9), { ...ran(2, 8), in: numbered(1) }],
  ['a new key', ['LIB-UNCERTAIN'], refused('OUTCOME_UNCERTAIN'), { of: other }],
  ['a new key after one not shown', [], refused('OUTCOME_UNCERTAIN'), { who: null }, { of: other }],
  ['a conflict by the service alone', [], { lost: true }, conflict],
  ['a new key after a 503', ['LIB-SENT-AGAIN'], { status: 503, body: {} }, { of: other }],
  ['a stale button again', ['LIB-STALE'], begun, stale, { ...stale, of: `${key}2` }],
  ['a page with its key', ['LIB-KEY-SERVER-SIDE'], asksFor('authorization,content-type'), { as: page }],
])('%s shows what it does where the keys are shown, and nothing else', ([, found, ...rows]) => {
  const verdictsOf = (who: string | null) => {
    const all = rows.map((row, i) => turn({ who, ...row }, i))
    return Object.values(trafficScenarios).flatMap((rule) =>
      Object.keys(rule.judge).map((clause) => [clause, verdictOf(rule, clause, all)] as const),
    )
  }
  const isFound = (verdict: string): boolean => /fail|warn/.test(verdict)
  const shown = verdictsOf('main').flatMap(([clause, verdict]) => (isFound(verdict) ? clause : []))
  const hidden = verdictsOf(null).filter((one) => isFound(one[1]) || found.includes(one[0]))
  expect(shown).toEqual(found)
  // The first read of a task passes, whoever sent it.
  expect(hidden).toEqual(found.map((one) => [one, one === 'TASK-READ' ? 'pass' : 'never seen']))
})

const sample = { eventType: 'leads.submit', timestamp: '2030-01-02T03:04:05.678Z', payload: { a: 1 } }
const later = { ...sample, timestamp: '2030-01-02T03:05:05.678Z' }
const repeat = (more: Parameters<typeof attempt>[0] = {}) => attempt({ id: 'whd_1', at: 1_000, ...more })
const first = repeat({ at: 0, body: sample })
const signed = (is: SignatureFact['is'], place = '/place') => ({
  ...attempt({ place }),
  signatures: [{ secret: 'given 1', is }],
})

let hooks = 0
const hooked = (place: string, custom_headers: Readonly<Record<string, string>>): Exchange => {
  const made = jsonAnswer(
    { id: `wh_${++hooks}`, secret_key: 'whsec_1' },
    {
      status: 201,
      request: { endpoint_url: `https://shop.example${place}`, custom_headers },
    },
  )
  return { ...made, id: hooks, request: { ...made.request, path: '/api/agents/a/webhooks' } }
}
const crossed = [hooked('/odd', { 'User-Agent': 'mine' }), hooked('/place', {})] as const
const bare = (place: string) => attempt({ place, without: ['User-Agent'] })

test.for<[clause: string, what: string, verdict: string, ...all: Exchange[]]>([
  ['DLV-USER-AGENT', 'a custom header of its name', 'never seen', ...crossed, bare('/odd'), bare('/unknown')],
  ['DLV-USER-AGENT', 'a custom header elsewhere', 'fail', ...crossed, bare('/place')],
  ['ATT-SAME-ID', 'a repeat with another time', 'pass', first, repeat({ body: later })],
  [
    'ATT-SAME-ID',
    'a repeat with another payload',
    'fail',
    first,
    repeat({ body: { ...sample, payload: {} } }),
  ],
  ['SIGN-VALUE', 'a wrong signature where one was right', 'fail', signed('right'), signed('unexplained')],
  ['SIGN-VALUE', 'a secret that fits nothing', 'never seen', signed('unexplained')],
  ['SIGN-VALUE', 'a mistake with the secret', 'fail', signed('a digest over the body with a line feed')],
  ['SIGN-VALUE', 'a secret of another place', 'pass', signed('right'), signed('unexplained', '/other')],
  ['RECV-QUICK', 'an answer after a second', 'pass', attempt({ took: 1_000 })],
  ['RECV-QUICK', 'an answer after sixteen seconds', 'fail', attempt({ took: 16_000 })],
  ['RECV-DUPLICATE-2XX', 'a repeat that is refused', 'fail', first, repeat({ status: 409 })],
  ['RECV-DUPLICATE-2XX', 'a repeat of a refused one', 'never seen', repeat({ at: 0, status: 500 }), repeat()],
])('%s: %s: %s', ([clause, , verdict, ...all]) => {
  expect(verdictOf(ruleOf(clause), clause, all)).toBe(verdict)
})

test.for<[clause: string, because: string, ...all: Exchange[]]>([
  [
    'IDEM-REPLAY-HEADER',
    '2 requests under keys of fewer than 24 characters, which others may have used before (`header-1`)',
    ...[{ of: 'header-1' }, { of: 'header-1' }, { of: 'header-2' }].map(turn),
  ],
  ['SIGN-VALUE', '2 signed deliveries, none', signed('unexplained'), signed('unexplained', '/other')],
  ['SIGN-VALUE', 'the run has no signed deliveries that this rule can judge', attempt()],
])('%s is not judged: %s', ([clause, because, ...all]) => {
  const judges = ruleOf(clause)?.judge as unknown as Readonly<
    Record<string, (named: object, context: object) => unknown>
  >
  expect(() => judges[clause]?.({ all }, { dialect: {}, notes: {} })).toThrow(because)
})
