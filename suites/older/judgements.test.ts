import { expect, test } from 'vitest'
import type { Judgement } from '../scenario/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { frames, jsonAnswer, streamAnswer } from '../assertions/exchange.testkit.ts'
import { limitedAbove, nestedError, rateHeadersThere, olderSources, olderStream } from './judgements.ts'

const reply = { response: 'Hello', conversation_id: 'conv_1', message_id: 'msg_1', credits_used: 1 }
const limits = (limit: string, remaining: string, reset: string, more: Record<string, string> = {}) =>
  Object.entries({
    'content-type': 'application/json',
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
    ...more,
  })

const withReply = jsonAnswer(reply)
const bad = (error: unknown): Exchange => jsonAnswer({ error }, { status: 400 })
const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`

const rows: readonly [what: string, is: Judgement['is'], judgement: Judgement][] = [
  [
    'sources in full',
    'pass',
    olderSources(jsonAnswer({ ...reply, sources: [{ type: 'a', title: 'b', relevance: 1 }] })),
  ],
  [
    'sources of a kind of their own',
    'pass',
    olderSources(jsonAnswer({ ...reply, sources: [{ type: 1, title: [], relevance: 'high' }] })),
  ],
  [
    'a source without a title',
    'fail',
    olderSources(jsonAnswer({ ...reply, sources: [{ type: 'a', relevance: 1 }] })),
  ],
  ['no sources', 'fail', olderSources(jsonAnswer(reply))],
  ['an empty list of sources', 'inconclusive', olderSources(jsonAnswer({ ...reply, sources: [] }))],

  [
    'events named in their data',
    'pass',
    olderStream(streamAnswer(frames({ type: 'text' }, { type: 'sources' }, { type: 'done' }))),
  ],
  [
    'events named by a field',
    'pass',
    olderStream(streamAnswer(event('text', 'Hello') + event('done', '{}'))),
  ],
  [
    'a stream without its end',
    'fail',
    olderStream(streamAnswer(frames({ type: 'text' }, { type: 'sources' }))),
  ],
  ['a stream of tokens', 'fail', olderStream(streamAnswer(frames({ type: 'token' }, { type: 'done' })))],
  [
    'one event more than are named',
    'pass',
    olderStream(streamAnswer(frames({ type: 'text' }, { type: 'usage' }, { type: 'done' }))),
  ],
  ['a reply that is no stream', 'fail', olderStream(withReply)],

  ['a nested error', 'pass', nestedError(bad({ code: 'x', message: 'y' }))],
  ['one with null to wait', 'pass', nestedError(bad({ code: 7, message: 'y', retry_after: null }))],
  ['one with a word to wait', 'fail', nestedError(bad({ code: 'x', message: 'y', retry_after: 'soon' }))],
  ['one without a message', 'fail', nestedError(bad({ code: 'x' }))],
  ['a flat error', 'fail', nestedError(bad('x'))],
  ['an error that is none', 'inconclusive', nestedError(withReply)],

  [
    'rate headers',
    'pass',
    rateHeadersThere(jsonAnswer(reply, { headers: limits('60', '59', '1767225660') })),
  ],
  ['a reset from now', 'fail', rateHeadersThere(jsonAnswer(reply, { headers: limits('60', '59', '60') }))],
  [
    'a reset in milliseconds',
    'fail',
    rateHeadersThere(jsonAnswer(reply, { headers: limits('60', '59', '1767225660000') })),
  ],
  [
    'a limit in words',
    'fail',
    rateHeadersThere(jsonAnswer(reply, { headers: limits('60/min', '59', '1767225660') })),
  ],
  ['no rate headers', 'fail', rateHeadersThere(withReply)],
]

test.for(rows)('%s: %s', ([, is, judgement]) => {
  expect(judgement).toMatchObject({ is })
})

const at = (date: string, status = 200): Exchange =>
  jsonAnswer(status === 200 ? reply : { error: {} }, {
    status,
    headers: limits('2', '0', '1767225660', { date }),
  })
const early = 'Thu, 01 Jan 2026 00:00:30 GMT'
const late = 'Thu, 01 Jan 2026 00:01:30 GMT'

test.for([
  ['a 429 above it', [at(early), at(early, 429)], 'pass'],
  ['none, all before the count begins anew', [at(early), at(early)], 'fail'],
  ['none, but too few', [at(early)], 'inconclusive'],
  ['none, but too slowly', [at(early), at(late)], 'inconclusive'],
] as const)('a limit of two is met with %s', ([, flood, is]) => {
  expect(limitedAbove(at(early), flood)).toMatchObject({ is })
})
