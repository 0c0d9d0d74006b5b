/** Every decision of the older variant that is left open, under each interpretation, or that a fault may get wrong. */
import type { serviceGaps } from '../../spec/gaps/service.ts'
import type { Interpretations } from '../../spec/index.ts'
import type { Json, JsonObject } from '../json.ts'
import type { HeaderLine, StreamEvent } from '../edge/reply.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { RateState } from '../tenant/rate.ts'

export interface OlderRules {
  /** False: its routes are as unknown as any other path. */
  servesOlder: boolean
  olderNeedsMessage: boolean
  /** Lays a part of a reply out as an event: a text, the sources, or the members of `done`. */
  olderEvent(type: 'text' | 'sources' | 'done', part: Json): StreamEvent
  /** What an error says of waiting; null where waiting is of no use. */
  olderRetryAfter(seconds: number | null): JsonObject
  /** Whether a key, which is made for one agent, is good for this one. */
  olderKeyFits(apiKey: ApiKey, agent: Agent): boolean
  olderExceeded(state: RateState): boolean
  olderRateHeaders(state: RateState): readonly HeaderLine[]
}

type OlderGap = Extract<keyof typeof serviceGaps, `GAP-OLDER-${string}`>
type Table = { readonly [G in OlderGap]: { readonly [R in Interpretations[G]]: Partial<OlderRules> } }

/** The first interpretation is the default. */
export const olderInterpretations: Table = {
  'GAP-OLDER-SERVED': { no: { servesOlder: false }, yes: { servesOlder: true } },
  'GAP-OLDER-EVENTS': {
    named: {
      olderEvent: (type, part) => ({ type, ...(type === 'done' ? Object(part) : { [type]: part }) }),
    },
    content: { olderEvent: (type, content) => ({ type, content }) },
  },
  'GAP-OLDER-RETRY-AFTER': {
    limited: { olderRetryAfter: (seconds): JsonObject => (seconds === null ? {} : { retry_after: seconds }) },
    always: { olderRetryAfter: (seconds) => ({ retry_after: seconds }) },
  },
}

/** What the rules say where nothing is left open; only a fault changes these. */
export const olderBase = {
  olderNeedsMessage: true,
  olderKeyFits: (apiKey, agent) => apiKey.agent === agent.id,
  olderExceeded: ({ retryAfterMs }) => retryAfterMs > 0,
  olderRateHeaders: ({ limit, remaining, resetAt }) => [
    ['X-RateLimit-Limit', `${limit}`],
    ['X-RateLimit-Remaining', `${remaining}`],
    ['X-RateLimit-Reset', `${Math.ceil(resetAt / 1000)}`],
  ],
} satisfies Partial<OlderRules>
