/**
 * Keeps what one API key sends under the target's requests per minute. A sliding window, not a bucket that refills
 * while it is drained: such a bucket lets almost twice the limit through in its first minute. Bursts up to the
 * whole limit are free, and in no minute, wherever it begins, is more sent than the limit.
 */
export interface Pace {
  /** Milliseconds from `now` until `count` more may be sent; 0 if they may at once. */
  delay(now: number, count: number): number
  /** `count` are sent now. */
  take(now: number, count: number): void
  /** Nothing before this time: the target asked for a pause. */
  hold(until: number): void
}

/** A request may take its time to arrive, and clocks differ; a second more than a minute covers both. */
const windowMs = 61_000

/** `Infinity` keeps to no rate, and to the pauses alone. */
export function paceOf(requestsPerMinute: number): Pace {
  /** In order, so that what is out of the window is the beginning. */
  const sent: number[] = []
  let heldUntil = 0
  return {
    delay(now, count) {
      const since = now - windowMs
      while ((sent[0] ?? Infinity) <= since) sent.shift()
      const surplus = sent.length + Math.min(count, requestsPerMinute) - requestsPerMinute
      const free = surplus > 0 ? (sent[surplus - 1] ?? now) + windowMs : now
      return Math.max(0, free - now, heldUntil - now)
    },
    take(now, count) {
      for (let i = 0; i < count; i++) sent.push(now)
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until)
    },
  }
}
