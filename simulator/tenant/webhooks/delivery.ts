/** A delivery is one event to one endpoint, an attempt one POST of it. */
import type { HeaderLine } from '../../edge/reply.ts'
import type { JsonObject } from '../../json.ts'
import type { Webhook } from './webhook.ts'

export interface Occurrence {
  readonly event: string
  readonly agent: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly payload: JsonObject
  /** Requested through the test route. */
  readonly test: boolean
}

/** The HTTP request of one attempt; the signature covers exactly `body`. */
export interface DeliveryRequest {
  readonly url: string
  /** Default `POST`; only a fault sends another. */
  readonly method?: 'POST' | 'GET' | 'PUT' | 'PATCH'
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
  /** Sent with chunked encoding; only by a variant. */
  readonly inChunks?: boolean
}

/**
 * How an attempt ended. `blocked`: refused by the target guard. `unreachable`: no connection, or it closed before the
 * status line. `silent`: no response in time.
 */
export type AttemptOutcome = 'delivered' | 'refused' | 'silent' | 'unreachable' | 'blocked'

export interface AttemptRecord {
  readonly number: number
  /** Start, in milliseconds since 1970. */
  readonly at: number
  readonly tookMs: number
  readonly status: number | null
  readonly outcome: AttemptOutcome
  /** For the log; never quotes the response of the endpoint. */
  readonly reason: string
}

/**
 * `waiting`: queued, in backoff or paused. `dropped`: its webhook was removed or turned off before it was sent, or it
 * waited too long.
 */
export type DeliveryState = 'waiting' | 'in-flight' | 'delivered' | 'failed' | 'dropped'

export const hasEnded = (state: DeliveryState): boolean => state !== 'waiting' && state !== 'in-flight'

export interface WebhookDelivery {
  /** The id in the request headers; `whd_…` live, `test_…` for a sample. */
  readonly id: string
  readonly webhook: Webhook
  readonly occurrence: Occurrence
  /** Oldest first. */
  readonly attempts: readonly AttemptRecord[]
  readonly state: DeliveryState
  /** Time of the next attempt; null while none is scheduled. */
  readonly due?: number | null
}
