/** Counting requests against the limit of an API key. */
export type RateKind = 'sliding' | 'fixed' | 'bucket'

/** Where an API key stands. */
export interface RateState {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until one more request is accepted; 0 while any is left. */
  readonly retryAfterMs: number
  /** Milliseconds since 1970 at which the count is back at its start. */
  readonly resetAt: number
  readonly now: number
}
