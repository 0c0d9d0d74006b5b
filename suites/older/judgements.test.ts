import { expect, test } from 'vitest'
import type { Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { frames, jsonAnswer, streamAnswer } from '../assertions/exchange.testkit.ts'
import { limitedAbove, nestedError, rateHeadersThere, olderSources, olderStream } from './index.ts'

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

const sources = (list: readonly object[]) => olderSources(jsonAnswer({ ...reply, sources: list }))
const stream = (...types: readonly string[]) =>
  olderStream(streamAnswer(frames(...types.map((type) => ({ type })))))
const rates = (...three: Parameters<typeof limits>) =>
  rateHeadersThere(jsonAnswer(reply, { headers: limits(...three) }))

const judged: Readonly<Partial<Record<Judgement['is'], Readonly<Record<string, Judgement>>>>> = {
  pass: {
    'sources in full': sources([{ type: 'a', title: 'b', relevance: 1 }]),
    'events named in their data': stream('text', 'sources', 'done'),
    'a nested error': nestedError(bad({ code: 'x', message: 'y' })),
    'rate headers': rates('60', '59', '1767225660'),
  },
  fail: {
    'a source without a title': sources([{ type: 'a', relevance: 1 }]),
    'no sources': olderSources(jsonAnswer(reply)),
    'a stream without its end': stream('text', 'sources'),
    'a reply that is no stream': olderStream(withReply),
    'one with a word to wait': nestedError(bad({ code: 'x', message: 'y', retry_after: 'soon' })),
    'one without a message': nestedError(bad({ code: 'x' })),
    'a reset in milliseconds': rates('60', '59', '1767225660000'),
    'no rate headers': rateHeadersThere(withReply),
  },
  inconclusive: {
    'an empty list of sources': sources([]),
  },
}

const rows = Object.entries(judged).flatMap(([is, all]) =>
  Object.entries(all).map(([what, judgement]) => [what, is, judgement] as const),
)
test.for(rows)('%s: %s', ([, is, judgement]) => {
  expect(judgement).toMatchObject({ is })
})

const at = (date: string, status = 200): Exchange =>
  jsonAnswer(status === 200 ? reply : { error: {} }, {
    status,
    headers: limits('2', '0', '1767225660', { date }),
  })
const early = 'Thu, 01 Jan 2026 00:00:30 GMT'

test.for([
  ['a 429 above it', [at(early), at(early, 429)], 'pass'],
  ['none, all before the count begins anew', [at(early), at(early)], 'fail'],
  ['none, but too few', [at(early)], 'inconclusive'],
] as const)('a limit of two is met with %s', ([, flood, is]) => {
  expect(limitedAbove(at(early), flood)).toMatchObject({ is })
})
