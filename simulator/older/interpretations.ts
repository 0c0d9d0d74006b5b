/** What the rules say of the older variant, under each interpretation of its gaps; the first interpretation is the default. */
import type { serviceGaps } from '../../spec/gaps/service.ts'
import type { Interpretations } from '../../spec/index.ts'
import { isObject } from '../json.ts'
import { olderMembers } from './body.ts'
import type { OlderRules } from './rules.ts'

type OlderGap = Extract<keyof typeof serviceGaps, `GAP-OLDER-${string}`>
type Table = { readonly [G in OlderGap]: { readonly [R in Interpretations[G]]: Partial<OlderRules> } }

export const olderInterpretations: Table = {
  'GAP-OLDER-SERVED': { no: { servesOlder: false }, yes: { servesOlder: true } },
  'GAP-OLDER-EVENTS': {
    named: {
      olderEvent: (type, part) =>
        type === 'done' && isObject(part) ? { type, ...part } : { type, [type]: part },
    },
    content: { olderEvent: (type, content) => ({ type, content }) },
  },
  'GAP-OLDER-KEY': { none: { olderTakesKeys: false }, taken: { olderTakesKeys: true } },
  'GAP-OLDER-RETRY-AFTER': {
    limited: { olderRetryAfter: (seconds) => (seconds === null ? {} : { retry_after: seconds }) },
    always: { olderRetryAfter: (seconds) => ({ retry_after: seconds }) },
  },
}

/** What the rules say where nothing is left open; only a fault changes these. */
export const olderBase = {
  olderMembers,
  olderKeyFits: (apiKey, agent) => apiKey.agent === agent.id,
  olderExceeded: ({ retryAfterMs }) => retryAfterMs > 0,
  olderRateHeaders: ({ limit, remaining, resetAt }) => [
    ['X-RateLimit-Limit', `${limit}`],
    ['X-RateLimit-Remaining', `${remaining}`],
    ['X-RateLimit-Reset', `${Math.ceil(resetAt / 1000)}`],
  ],
} satisfies Partial<OlderRules>
