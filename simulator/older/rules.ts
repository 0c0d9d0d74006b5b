/** Every decision of the older variant that is left open or that a fault may get wrong. */
import type { HeaderLine, StreamEvent } from '../server/reply.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { RateState } from '../tenant/rate.ts'

/** What a member of the body has to be, and the words for one that is not. */
export interface MemberRule {
  readonly words: string
  readonly fits: (value: Json | undefined) => boolean
}

export interface OlderRules {
  /** False: its routes are as unknown as any other path. */
  servesOlder: boolean
  /** Whether an idempotency key in a header makes a retry safe. */
  olderTakesKeys: boolean
  /** By the names of the members, in the order in which they are looked at. */
  olderMembers: Readonly<Record<string, MemberRule>>
  /** Lays a part of a reply out as an event: a text, the sources, or the members of `done`. */
  olderEvent(type: 'text' | 'sources' | 'done', part: Json): StreamEvent
  /** What an error says of waiting; null where waiting is of no use. */
  olderRetryAfter(seconds: number | null): JsonObject
  /** Whether a key, which is made for one agent, is good for this one. */
  olderKeyFits(apiKey: ApiKey, agent: Agent): boolean
  olderExceeded(state: RateState): boolean
  olderRateHeaders(state: RateState): readonly HeaderLine[]
}
