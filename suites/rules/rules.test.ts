/** Each row is one way in which a conforming server may look odd over a whole run, or a broken one even. */
import { expect, test } from 'vitest'
import {
  done,
  frames,
  jsonAnswer,
  reply,
  replayHeader,
  streamAnswer,
} from '../assertions/exchange.testkit.ts'
import { attempt } from '../assertions/inbound.testkit.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import { verdictOf } from '../scenario/scenario.testkit.ts'
import type { Exchange, Json } from '../wire/exchange.ts'
import { charges } from './charges.ts'
import { chatRefusals, keys, lastLook, replies, streams } from './chat.ts'
import { lastly } from './last.ts'
import { receipts, tasks } from './operations.ts'
import { repeats, turnRefusals, turns } from './turns.ts'
import { deliveries, webhooks } from './webhooks.ts'

const key = 'touchstone-0123456789abcdef'
const other = 'touchstone-fedcba9876543210'
const uuid = (at: number): string => `0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f${at + 10}`

type Row = Parameters<typeof jsonAnswer>[1] & {
  body?: Json | string
  as?: string
  path?: string
  get?: true
  remove?: true
  /** Of the last look. */
  last?: true
}
const turn = (message: string, idempotency_key = key, more: object = {}): Row['request'] => ({
  message,
  idempotency_key,
  ...more,
})
const again = [[replayHeader, 'true']] as const

/** One after the other, in one scenario. */
const run = (...rows: readonly Row[]): readonly Exchange[] =>
  rows.map(({ body = reply, as = 'main', path, get, remove, last, ...made }, at) => {
    const exchange =
      typeof body === 'string'
        ? streamAnswer(body, made)
        : jsonAnswer(body, {
            ...made,
            headers: [['content-type', 'application/json'], ...(made.headers ?? [])],
          })
    const { request } = exchange
    const sent = {
      ...request,
      // Each is a span of its own, and identical all the same.
      headers: [
        ...request.headers,
        ['traceparent', `00-${'ab'.repeat(16)}-${'0'.repeat(14)}${at + 10}-01`],
      ] as const,
      principal: as,
      path: path ?? request.path,
      method: get ? 'GET' : remove ? 'DELETE' : 'POST',
    }
    const scenario = last ? lastLook : exchange.scenario
    return { ...exchange, scenario, id: at + 1, request: sent, sentAt: at * 10, endedAt: at * 10 + 1 }
  })

const left = (credits_remaining: number) => ({ ...reply, credits_remaining })
const inOne = (conversation: number) => ({ ...reply, conversation_id: uuid(conversation) })
const stored = { ...reply, response: '', customer_message: { ai_reply: 'paused' } }
const json: readonly [string, string][] = [['Content-Type', 'application/json']]

/** A turn with this message, an identical one that is marked as a replay, and further turns. */
const sent = (message: string, of = key, more: object = {}): Row => ({ request: turn(message, of, more) })
const a = sent('a')
const replayed: Row = { ...a, headers: again }
const b = sent('b', other)
const streamed = sent('a', key, { stream: true })
const elsewhere = sent('a', key, { conversation_id: uuid(5) })
const as = (row: Row, body: Json | string): Row => ({ ...row, body })
/** It ran in the conversation of this number. */
const anew = (conversation: number, row = a): Row => as(row, inOne(conversation))
const refused = (status: number, error: Json = 'x', row = a): Row => ({ ...row, status, body: { error } })
const uncertain = refused(409, 'OUTCOME_UNCERTAIN')
const inProgress = refused(409, 'REQUEST_IN_PROGRESS', sent('b'))
const lastOne = { ...anew(1), last: true } as const

const task = (state: string): Row => ({ path: '/api/v1/tasks/t1', get: true, body: { state } })
const gone: Row = { ...refused(404, 'x', task('')) }
const hooks = '/api/agents/a/webhooks'
const created: Row = { path: hooks, request: { name: 'one' }, body: { id: 'w1', secret_key: 'whsec_1' } }
const listed = (...names: readonly string[]): Row => ({
  path: hooks,
  get: true,
  body: { webhooks: names.map((name) => ({ id: 'w1', name })) },
})
const removed: Row = { path: `${hooks}/w1`, remove: true, body: {} }
const executed: Row = { path: '/api/v1/operation-executions/one.thing' }
const paid = [{ ...sent('a', `${key}1`), body: left(50) }, as(sent('b'), left(49))] as const
const freed = { ...sent('b'), headers: again }

type Case = readonly [what: string, rule: AnyScenario, clause: string, verdict: string, rows: readonly Row[]]

/** What a rule says of these runs, by clause. */
const of = (
  rule: AnyScenario,
  clauses: Readonly<Record<string, Readonly<Record<string, readonly [verdict: string, ...rows: Row[]]>>>>,
): readonly Case[] =>
  Object.entries(clauses).flatMap(([clause, runs]) =>
    Object.entries(runs).map(([what, [verdict, ...rows]]): Case => [what, rule, clause, verdict, rows]),
  )

test.for<Case>([
  ...of(keys, {
    'IDEM-REPLAY-RESPONSE': {
      'a replay with other credits': ['pass', a, as(replayed, left(7))],
      'a key that was forgotten': ['inconclusive', a, anew(5)],
    },
    'IDEM-REPLAY-STATUS': {
      'a replay that is not found': ['fail', a, refused(404)],
      'a limit instead of a replay': ['never seen', a, refused(429)],
    },
    'IDEM-CONFLICT-CODE': {
      'a key in progress before any replay': ['inconclusive', a, inProgress, replayed],
      'a key in progress after a replay': ['fail', a, replayed, inProgress],
    },
    'IDEM-CONFLICT-STATUS': { 'the same words in another case': ['never seen', sent('one'), sent('One ')] },
    'IDEM-FRESH-UNMARKED': {
      'a marked turn whose key stood beside another': [
        'never seen',
        { ...sent('a', other), requestHeaders: [['Idempotency-Key', key]] },
        replayed,
      ],
      'a marked turn with a key of one character': ['never seen', { ...sent('a', 'k'), headers: again }],
    },
    'IDEM-REPLAY-HEADER': {
      'a key that is forgotten at the end of a run': ['never seen', anew(0), lastOne],
    },
  }),
  ...of(chatRefusals, {
    'ERR-FLAT': {
      'a page of a gateway': ['never seen', { ...a, status: 413, body: '<html>' }],
      'refusals where nothing is accepted': ['inconclusive', refused(404)],
    },
  }),
  ...of(streams, {
    'SSE-FINAL-BLANK': {
      'a stream we left': ['never seen', { ...as(streamed, frames(done).trimEnd()), failure: 'aborted' }],
    },
    'SSE-DONE-RESPONSE': {
      'a bare done after an error': [
        'inconclusive',
        as(streamed, frames({ type: 'error', message: 'x' }, { type: 'done' })),
      ],
    },
    'SSE-DONE-CONVERSATION': {
      'a done with nothing but a response after an error': [
        'fail',
        { body: frames({ type: 'error', error: 'x' }, { type: 'done', response: '' }) },
      ],
      'a bare done': ['inconclusive', { body: frames({ type: 'error', error: 'x' }, { type: 'done' }) }],
    },
  }),
  ...of(turnRefusals, {
    'REQ-ROUTE': {
      'a valid key that is called invalid for once': ['fail', a, refused(401, 'x', b), sent('c', `${key}1`)],
      'a key that is invalid from now on': ['never seen', a, refused(401, 'x', b)],
    },
    'ERR-KNOWN-STATUS': {
      'a long header that is refused': [
        'never seen',
        a,
        {
          ...refused(431),
          request: { message: 'b' },
          requestHeaders: [...json, ['Idempotency-Key', 'k'.repeat(256)]],
        },
      ],
    },
    'SSE-REFUSAL-JSON': {
      'a stream that fails later': [
        'never seen',
        a,
        as(
          sent('b', other, { stream: true }),
          frames({ type: 'token', token: 'x' }, { type: 'error', error: 'AI_REPLY_PAUSED' }),
        ),
      ],
    },
  }),
  ...of(charges, {
    'IDEM-REPLAY-FREE': {
      'a replay that is free': ['pass', ...paid, as(freed, left(49)), as(sent('c', other), left(48))],
      'every balance wrong': [
        'inconclusive',
        paid[0],
        as(sent('b'), left(40)),
        as(freed, left(40)),
        as(sent('c', other), left(30)),
      ],
    },
  }),
  ...of(tasks, {
    'TASK-READ': {
      'a task that another key may not read': ['pass', task('running'), { ...gone, as: 'b' }],
    },
  }),
  ...of(webhooks, {
    'HOOK-LIST-AS-SENT': {
      'a webhook that one list has and the next has not': ['fail', created, listed('one'), listed()],
      'a webhook that no list has yet': ['never seen', created, listed()],
      'a removal that shows late': ['pass', created, listed('one'), removed, listed('one'), listed()],
    },
  }),
  ...of(receipts, {
    'RCPT-STATUS': {
      'a refusal that looks like a receipt without its status': [
        'never seen',
        { ...executed, status: 404, body: { status: 404, error: 'no such operation' } },
      ],
      'a receipt whose status is a number': ['fail', { ...executed, body: { status: 1 } }],
    },
  }),
  ...of(turns, {
    'SSE-CONTENT-TYPE': {
      'a message stored as JSON, not as a stream': ['never seen', as(streamed, stored)],
    },
  }),
  ...of(repeats, {
    'IDEM-OTHER-CONVERSATION': {
      'a key that is never kept, in another conversation': ['inconclusive', a, anew(5, elsewhere)],
    },
    'IDEM-ABORT-ONE-RUN': {
      'an aborted turn that runs again after an error that was answered': [
        'never seen',
        { ...a, failure: 'aborted' },
        refused(500),
        anew(6),
      ],
    },
  }),
  ...of(lastly, {
    'IDEM-UNCERTAIN-STAYS': {
      'an uncertain key that runs at the end, and was not seen to run before': ['warn', uncertain, lastOne],
      'an uncertain key that runs at the end a second time': ['fail', anew(0), uncertain, lastOne],
      'an uncertain key that runs again, as was seen before': ['fail', anew(0), uncertain, anew(1)],
    },
    'IDEM-REPLAY-AGAIN': { 'a key that is forgotten at the end of a run': ['warn', anew(0), lastOne] },
  }),
])('%s', ([, rule, clause, verdict, rows]) => {
  expect(verdictOf(rule, clause, run(...rows))).toBe(verdict)
})

test('what is wrong with a further attempt is shown beside the first', () => {
  const all = [attempt(), attempt({ at: 5, signature: null })]
  expect(deliveries.judge['SIGN-HEADER']?.({ all } as never, { dialect: {}, notes: {} })).toMatchObject({
    cited: [{ as: 'attempt 1, which passes' }, { as: 'attempt 2 of the same delivery' }],
  })
})

test('a reply in Latin-1 is no JSON', () => {
  const replied = run(a, b)
  const bytes = Buffer.from(JSON.stringify({ ...reply, response: 'é' }), 'latin1')
  Object.assign(replied[0]?.response ?? {}, { chunks: [{ at: 1, bytes }] })
  expect(verdictOf(replies, 'RES-JSON', replied)).toBe('fail')
})
