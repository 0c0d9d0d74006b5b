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
import type { AnyScenario, Judgement } from '../scenario/scenario.ts'
import { ScenarioEnded } from '../scenario/ending.ts'
import type { Exchange, Json } from '../wire/exchange.ts'
import { charges } from './charges.ts'
import { chatRefusals, conversations, keys, lastLook, streams } from './chat.ts'
import { lastly } from './last.ts'
import { receipts, tasks } from './operations.ts'
import { repeats, turnRefusals, turns } from './turns.ts'
import { webhooks } from './webhooks.ts'

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
      principal: as,
      path: path ?? request.path,
      method: get ? 'GET' : remove ? 'DELETE' : 'POST',
    }
    const scenario = last ? lastLook : exchange.scenario
    return { ...exchange, scenario, id: at + 1, request: sent, sentAt: at * 10, endedAt: at * 10 + 1 }
  })

function verdictOf(rule: AnyScenario, clause: string, all: readonly Exchange[]): string {
  const judge = rule.judge as unknown as Readonly<
    Record<string, (named: object, context: object) => Judgement>
  >
  try {
    return judge[clause]?.({ all }, { dialect: {}, notes: {} }).is ?? 'no judge'
  } catch (thrown) {
    if (thrown instanceof ScenarioEnded) return 'never seen'
    throw thrown
  }
}

const left = (credits_remaining: number) => ({ ...reply, credits_remaining })
const task = { path: '/api/v1/tasks/t1', get: true } as const
const hook = { path: '/api/agents/a/webhooks' } as const
const created: Row = {
  ...hook,
  request: { name: 'one' },
  body: { id: 'w1', secret_key: 'whsec_1' },
}
const executed = { path: '/api/v1/operation-executions/one.thing' } as const
const json: readonly [string, string][] = [['Content-Type', 'application/json']]
const stored = { ...reply, response: '', customer_message: { ai_reply: 'paused' } }
const inOne = (id: string) => ({ ...reply, conversation_id: id })

test.for<[what: string, rule: AnyScenario, clause: string, rows: readonly Row[], verdict: string]>([
  [
    'a replay with another text',
    keys,
    'IDEM-REPLAY-RESPONSE',
    [{ request: turn('a') }, { request: turn('a'), headers: again, body: { ...reply, response: 'B' } }],
    'fail',
  ],
  [
    'a replay with other credits',
    keys,
    'IDEM-REPLAY-RESPONSE',
    [{ request: turn('a') }, { request: turn('a'), headers: again, body: left(7) }],
    'pass',
  ],
  [
    'a key that was forgotten',
    keys,
    'IDEM-REPLAY-RESPONSE',
    [{ request: turn('a') }, { request: turn('a'), body: inOne(uuid(5)) }],
    'inconclusive',
  ],
  [
    'a replay that is not found',
    keys,
    'IDEM-REPLAY-STATUS',
    [{ request: turn('a') }, { request: turn('a'), status: 404, body: { error: 'x' } }],
    'fail',
  ],
  [
    'a limit instead of a replay',
    keys,
    'IDEM-REPLAY-STATUS',
    [{ request: turn('a') }, { request: turn('a'), status: 429, body: { error: 'x' } }],
    'never seen',
  ],
  [
    'another message with the key',
    keys,
    'IDEM-CONFLICT-STATUS',
    [{ request: turn('one') }, { request: turn('two'), body: inOne(uuid(5)) }],
    'fail',
  ],
  [
    'the same words in another case',
    keys,
    'IDEM-CONFLICT-STATUS',
    [{ request: turn('one') }, { request: turn('One ') }],
    'never seen',
  ],
  [
    'a first turn that is marked',
    keys,
    'IDEM-FRESH-UNMARKED',
    [{ request: turn('a'), headers: again }],
    'fail',
  ],
  [
    'a marked turn whose key stood beside another',
    keys,
    'IDEM-FRESH-UNMARKED',
    [
      { request: turn('a', other), requestHeaders: [['Idempotency-Key', key]] },
      { request: turn('a'), headers: again },
    ],
    'never seen',
  ],
  [
    'a marked turn with a key of one character',
    keys,
    'IDEM-FRESH-UNMARKED',
    [{ request: turn('a', 'k'), headers: again }],
    'never seen',
  ],
  [
    'a turn in the conversation of another',
    conversations,
    'CONV-CONTINUE',
    [
      { request: turn('a') },
      { request: turn('b', other, { conversation_id: reply.conversation_id }), body: inOne(uuid(5)) },
    ],
    'fail',
  ],
  [
    'one conversation for two',
    conversations,
    'CONV-NEW',
    [{ request: turn('a') }, { request: turn('b', other) }],
    'fail',
  ],
  [
    'a page of a gateway',
    chatRefusals,
    'ERR-FLAT',
    [{ request: turn('a'), status: 413, body: '<html>' }],
    'never seen',
  ],
  [
    'a nested error',
    chatRefusals,
    'ERR-FLAT',
    [{ request: turn('b', other) }, { request: turn('a'), status: 404, body: { error: { code: 'x' } } }],
    'fail',
  ],
  [
    'refusals where nothing is accepted',
    chatRefusals,
    'ERR-FLAT',
    [{ request: turn('a'), status: 404, body: { error: 'x' } }],
    'inconclusive',
  ],
  [
    'a stream that we left',
    streams,
    'SSE-FINAL-BLANK',
    [{ request: turn('a', key, { stream: true }), body: frames(done).trimEnd(), failure: 'aborted' }],
    'never seen',
  ],
  [
    'a stream without its last blank line',
    streams,
    'SSE-FINAL-BLANK',
    [{ request: turn('a', key, { stream: true }), body: frames(done).trimEnd() }],
    'fail',
  ],
  [
    'a bare done after an error',
    streams,
    'SSE-DONE-RESPONSE',
    [
      {
        request: turn('a', key, { stream: true }),
        body: frames({ type: 'error', message: 'x' }, { type: 'done' }),
      },
    ],
    'inconclusive',
  ],
  [
    'a valid key that is called invalid for once',
    turnRefusals,
    'REQ-ROUTE',
    [
      { request: turn('a') },
      { request: turn('b', other), status: 401, body: { error: 'x' } },
      { request: turn('c', `${key}1`) },
    ],
    'fail',
  ],
  [
    'a key that is invalid from now on',
    turnRefusals,
    'REQ-ROUTE',
    [{ request: turn('a') }, { request: turn('b', other), status: 401, body: { error: 'x' } }],
    'never seen',
  ],
  [
    'a done with nothing but a response after an error',
    streams,
    'SSE-DONE-CONVERSATION',
    [{ body: frames({ type: 'error', error: 'x' }, { type: 'done', response: '' }) }],
    'fail',
  ],
  [
    'a bare done after an error',
    streams,
    'SSE-DONE-CONVERSATION',
    [{ body: frames({ type: 'error', error: 'x' }, { type: 'done' }) }],
    'inconclusive',
  ],
  [
    'a replay that is charged',
    charges,
    'IDEM-REPLAY-FREE',
    [
      { request: turn('a', `${key}1`), body: left(50) },
      { request: turn('b'), body: left(49) },
      { request: turn('b'), headers: again, body: left(48) },
      { request: turn('c', other), body: left(47) },
    ],
    'fail',
  ],
  [
    'a replay that is free',
    charges,
    'IDEM-REPLAY-FREE',
    [
      { request: turn('a', `${key}1`), body: left(50) },
      { request: turn('b'), body: left(49) },
      { request: turn('b'), headers: again, body: left(49) },
      { request: turn('c', other), body: left(48) },
    ],
    'pass',
  ],
  [
    'every balance wrong',
    charges,
    'IDEM-REPLAY-FREE',
    [
      { request: turn('a', `${key}1`), body: left(50) },
      { request: turn('b'), body: left(40) },
      { request: turn('b'), headers: again, body: left(40) },
      { request: turn('c', other), body: left(30) },
    ],
    'inconclusive',
  ],
  [
    'a final task that runs again',
    tasks,
    'TASK-FINAL',
    [
      { ...task, body: { state: 'completed' } },
      { ...task, body: { state: 'running' } },
    ],
    'fail',
  ],
  [
    'a task that is gone at once',
    tasks,
    'TASK-READ',
    [
      { ...task, body: { state: 'running' } },
      { ...task, status: 404, body: { error: 'x' } },
    ],
    'fail',
  ],
  [
    'a task that another key may not read',
    tasks,
    'TASK-READ',
    [
      { ...task, body: { state: 'running' } },
      { ...task, as: 'b', status: 404, body: { error: 'x' } },
    ],
    'pass',
  ],
  [
    'a webhook that is listed under another name',
    webhooks,
    'HOOK-LIST-AS-SENT',
    [created, { ...hook, get: true, body: { webhooks: [{ id: 'w1', name: 'two' }] } }],
    'fail',
  ],
  [
    'a webhook that one list has and the next has not',
    webhooks,
    'HOOK-LIST-AS-SENT',
    [
      created,
      { ...hook, get: true, body: { webhooks: [{ id: 'w1', name: 'one' }] } },
      { ...hook, get: true, body: { webhooks: [] } },
    ],
    'fail',
  ],
  [
    'a webhook that no list has yet',
    webhooks,
    'HOOK-LIST-AS-SENT',
    [created, { ...hook, get: true, body: { webhooks: [] } }],
    'never seen',
  ],
  [
    'a removal that one more list does not show',
    webhooks,
    'HOOK-LIST-AS-SENT',
    [
      created,
      { ...hook, get: true, body: { webhooks: [{ id: 'w1', name: 'one' }] } },
      { path: `${hook.path}/w1`, remove: true, status: 200, body: {} },
      { ...hook, get: true, body: { webhooks: [{ id: 'w1', name: 'one' }] } },
      { ...hook, get: true, body: { webhooks: [] } },
    ],
    'pass',
  ],
  [
    'an uncertain key that runs at the end, and was not seen to run before',
    lastly,
    'IDEM-UNCERTAIN-STAYS',
    [
      { request: turn('a'), status: 409, body: { error: 'OUTCOME_UNCERTAIN' } },
      { request: turn('a'), body: inOne(uuid(1)), last: true },
    ],
    'warn',
  ],
  [
    'an uncertain key that runs at the end a second time',
    lastly,
    'IDEM-UNCERTAIN-STAYS',
    [
      { request: turn('a'), body: inOne(uuid(0)) },
      { request: turn('a'), status: 409, body: { error: 'OUTCOME_UNCERTAIN' } },
      { request: turn('a'), body: inOne(uuid(1)), last: true },
    ],
    'fail',
  ],
  [
    'a refusal that looks like a receipt without its status',
    receipts,
    'RCPT-STATUS',
    [{ ...executed, status: 404, body: { status: 404, error: 'no such operation' } }],
    'never seen',
  ],
  [
    'a receipt whose status is a number',
    receipts,
    'RCPT-STATUS',
    [{ ...executed, body: { status: 1 } }],
    'fail',
  ],
  [
    'a key that is forgotten at the end of a run',
    lastly,
    'IDEM-REPLAY-AGAIN',
    [
      { request: turn('a'), body: inOne(uuid(0)) },
      { request: turn('a'), body: inOne(uuid(1)), last: true },
    ],
    'warn',
  ],
  [
    'a key that is forgotten at the end of a run, as a replay',
    keys,
    'IDEM-REPLAY-HEADER',
    [
      { request: turn('a'), body: inOne(uuid(0)) },
      { request: turn('a'), body: inOne(uuid(1)), last: true },
    ],
    'never seen',
  ],
  [
    'a key that runs again in the middle of a run',
    keys,
    'IDEM-REPLAY-HEADER',
    [
      { request: turn('a'), body: inOne(uuid(0)) },
      { request: turn('a'), body: inOne(uuid(1)) },
    ],
    'fail',
  ],
  [
    'a stream that nobody asked for',
    turns,
    'REQ-STREAM-DEFAULT',
    [{ request: turn('a'), body: frames(done) }],
    'fail',
  ],
  [
    'a reply as JSON in place of a stream',
    turns,
    'SSE-CONTENT-TYPE',
    [{ request: turn('a', key, { stream: true }) }],
    'fail',
  ],
  [
    'a message that is stored as JSON in place of a stream',
    turns,
    'SSE-CONTENT-TYPE',
    [{ request: turn('a', key, { stream: true }), body: stored }],
    'never seen',
  ],
  [
    'a stored message with a text',
    turns,
    'PAUSE-RESPONSE-EMPTY',
    [{ request: turn('a'), body: { ...stored, response: 'Hello.' } }],
    'fail',
  ],
  [
    'a stored message without its mark',
    turns,
    'PAUSE-AI-REPLY',
    [{ request: turn('a'), body: { ...stored, customer_message: {} } }],
    'fail',
  ],
  [
    'a refund',
    turns,
    'CRED-NOT-NEGATIVE',
    [{ request: turn('a'), body: { ...reply, credits_used: -1 } }],
    'fail',
  ],
  [
    'a status that the table does not have',
    turnRefusals,
    'ERR-KNOWN-STATUS',
    [
      { request: turn('a') },
      { request: turn('b', other), requestHeaders: json, status: 410, body: { error: 'x' } },
    ],
    'fail',
  ],
  [
    'a long header that is refused',
    turnRefusals,
    'ERR-KNOWN-STATUS',
    [
      { request: turn('a') },
      {
        request: { message: 'b' },
        requestHeaders: [...json, ['Idempotency-Key', 'k'.repeat(256)]],
        status: 431,
        body: { error: 'x' },
      },
    ],
    'never seen',
  ],
  [
    'a refusal as the only event of a stream',
    turnRefusals,
    'SSE-REFUSAL-JSON',
    [
      { request: turn('a') },
      {
        request: turn('b', other, { stream: true }),
        body: frames({ type: 'error', error: 'AI_REPLY_PAUSED' }),
      },
    ],
    'fail',
  ],
  [
    'a stream that fails later',
    turnRefusals,
    'SSE-REFUSAL-JSON',
    [
      { request: turn('a') },
      {
        request: turn('b', other, { stream: true }),
        body: frames({ type: 'token', token: 'x' }, { type: 'error', error: 'AI_REPLY_PAUSED' }),
      },
    ],
    'never seen',
  ],
  [
    'a key of a finished turn that is in progress',
    repeats,
    'IDEM-REPLAY-AT-ONCE',
    [{ request: turn('a') }, { request: turn('a'), status: 409, body: { error: 'REQUEST_IN_PROGRESS' } }],
    'fail',
  ],
  [
    'a key that runs again in another conversation',
    repeats,
    'IDEM-OTHER-CONVERSATION',
    [
      { request: turn('a') },
      { request: turn('a'), headers: again },
      { request: turn('a', key, { conversation_id: uuid(5) }), body: inOne(uuid(5)) },
    ],
    'fail',
  ],
  [
    'a key that is never kept, in another conversation',
    repeats,
    'IDEM-OTHER-CONVERSATION',
    [{ request: turn('a') }, { request: turn('a', key, { conversation_id: uuid(5) }), body: inOne(uuid(5)) }],
    'inconclusive',
  ],
  [
    'an aborted turn that runs twice',
    repeats,
    'IDEM-ABORT-ONE-RUN',
    [
      { request: turn('a'), failure: 'aborted' },
      { request: turn('a'), body: inOne(uuid(5)) },
      { request: turn('a'), body: inOne(uuid(6)) },
    ],
    'fail',
  ],
  [
    'an aborted turn that runs again after an error that was answered',
    repeats,
    'IDEM-ABORT-ONE-RUN',
    [
      { request: turn('a'), failure: 'aborted' },
      { request: turn('a'), status: 500, body: { error: 'x' } },
      { request: turn('a'), body: inOne(uuid(6)) },
    ],
    'never seen',
  ],
  [
    'an uncertain key that runs again, as was seen before',
    lastly,
    'IDEM-UNCERTAIN-STAYS',
    [
      { request: turn('a'), body: inOne(uuid(0)) },
      { request: turn('a'), status: 409, body: { error: 'OUTCOME_UNCERTAIN' } },
      { request: turn('a'), body: inOne(uuid(1)) },
    ],
    'fail',
  ],
])('%s', ([, rule, clause, rows, verdict]) => {
  expect(verdictOf(rule, clause, run(...rows))).toBe(verdict)
})
