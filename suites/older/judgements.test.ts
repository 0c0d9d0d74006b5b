import { expect, test } from 'vitest'
import type { Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { jsonAnswer } from '../assertions/exchange.testkit.ts'
import { limitedAbove, nestedError, rateHeadersThere, olderSources, olderStream } from './index.ts'

const reply = { response: 'Hello', conversation_id: 'conv_1', message_id: 'msg_1', credits_used: 1 }
const bad = (error: unknown): Exchange => jsonAnswer({ error }, { status: 400 })
const limits = (limit: string, remaining: string, reset: string, more: Record<string, string> = {}) =>
  Object.entries({
    'content-type': 'application/json',
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
    ...more,
  })
const limited = (...three: Parameters<typeof limits>) => jsonAnswer(reply, { headers: limits(...three) })

/** The places that no fault and no variant has; what they break and keep is in the kill matrix and the golden verdicts. */
test.for<[string, Judgement, Judgement['is']]>([
  ['a source without a title', olderSources(jsonAnswer({ ...reply, sources: [{ type: 'a' }] })), 'fail'],
  ['an empty list of sources', olderSources(jsonAnswer({ ...reply, sources: [] })), 'inconclusive'],
  ['a reply that is no stream', olderStream(jsonAnswer(reply)), 'fail'],
  ['a word for how long to wait', nestedError(bad({ code: 'x', message: 'y', retry_after: 'soon' })), 'fail'],
  ['a reset in milliseconds', rateHeadersThere(limited('60', '59', '1767225660000')), 'fail'],
])('%s', ([, judgement, is]) => {
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
