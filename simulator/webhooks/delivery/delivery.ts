/** A delivery is one event to one endpoint, an attempt one POST of it. */
import type { Header } from '../../server/reply.ts'
import type { JsonObject } from '../../json.ts'
import type { Webhook } from '../webhook.ts'

/** Something that happened to an agent. */
export interface Occurrence {
  /** Name of the event. */
  readonly event: string
  /** Id of the agent. */
  readonly agent: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly payload: JsonObject
  /** A sample that somebody asked for. */
  readonly test: boolean
}

/** The request of one attempt: what is signed are these bytes. */
export interface Message {
  readonly url: string
  /** `POST` where it is absent; only a fault sends anything else. */
  readonly method?: 'POST' | 'GET' | 'PUT' | 'PATCH'
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** Goes out in chunks and without a length; only a variant does so. */
  readonly inChunks?: boolean
}

/**
 * How an attempt ended. `blocked`: the target guard did not let it out. `unreachable`: no connection, or it broke
 * before the status line. `silent`: no answer in time.
 */
export type Outcome = 'delivered' | 'refused' | 'silent' | 'unreachable' | 'blocked'

export interface Attempt {
  /** From 1. */
  readonly number: number
  /** When it began, in milliseconds since 1970. */
  readonly at: number
  readonly tookMs: number
  /** Null where no answer came. */
  readonly status: number | null
  readonly outcome: Outcome
  /** Words for the log; never of the endpoint's answer. */
  readonly reason: string
}

/**
 * `waiting`: for its turn, its backoff or the end of a pause. `dropped`: its webhook was removed or turned off before
 * it went out, or it waited too long.
 */
export type DeliveryState = 'waiting' | 'under-way' | 'delivered' | 'failed' | 'dropped'

export interface Delivery {
  /** The id that its attempts carry; `whd_…` live, `test_…` for a sample. */
  readonly id: string
  readonly webhook: Webhook
  readonly occurrence: Occurrence
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  readonly state: DeliveryState
}
