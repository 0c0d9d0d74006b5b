/**
 * Keeps what one API key sends under the target's requests per minute. A sliding window, not a bucket that refills
 * while it is drained: such a bucket lets almost twice the limit through in its first minute. Bursts up to the
 * whole limit are free, and in no minute, wherever it begins, is more sent than the limit.
 */
import type { AdvertisedRate } from './advertised.ts'

export interface Pace {
  /** Milliseconds from `now` until `count` more may be sent; 0 if they may at once. */
  delay(now: number, count: number): number
  /** The same, but also until the target accepts as many: others may have used the key. */
  delayBesideOthers(now: number, count: number): number
  /** `count` are sent now. Returns the number of requests in the window of then and since. */
  take(now: number, count: number): () => number
  /** What the target says is left, with at most `own` requests of ours in its window. */
  hear(now: number, advertised: AdvertisedRate, own: number): void
  /** Nothing before this time: the target asked for a pause. */
  hold(until: number): void
}

/** Requests of others that the target counts, until it forgets them. */
interface Others {
  count: number
  until: number
  /** What was left when they were noticed. */
  remaining: number
}

/** A request may take its time to arrive, and clocks differ; a second more than a minute covers both. */
const windowMs = 61_000
const noOthers: Others = { count: 0, until: 0, remaining: 0 }

/** `Infinity` keeps to no rate, and to the pauses alone. */
export function paceOf(requestsPerMinute: number): Pace {
  /** In order, so that what is out of the window is the beginning. */
  const sent: number[] = []
  let total = 0
  let heldUntil = 0
  let others = noOthers
  /** What was left before a wait for more. */
  let awaited: number | null = null
  /** Until a wait was in vain. */
  let trusted = true

  /** When the `n`th request of the window leaves it. */
  function leavesAt(n: number, { count, until }: Others): number {
    const before = sent.filter((at) => at + windowMs <= until).length
    if (n > before && n <= before + count) return until
    return (sent[(n > before ? n - count : n) - 1] ?? 0) + windowMs
  }

  function delayBeside(now: number, count: number, beside: Others): number {
    const since = now - windowMs
    while ((sent[0] ?? Infinity) <= since) sent.shift()
    const surplus = sent.length + beside.count + Math.min(count, requestsPerMinute) - requestsPerMinute
    const free = surplus > 0 ? leavesAt(surplus, beside) : now
    return Math.max(0, free - now, heldUntil - now)
  }

  const delay = (now: number, count: number): number => delayBeside(now, count, noOthers)
  return {
    delay,
    delayBesideOthers(now, count) {
      const own = delay(now, count)
      if (others.until <= now) return own
      const ms = delayBeside(now, count, others)
      if (ms > own) awaited = others.remaining
      return ms
    },
    take(now, count) {
      for (let i = 0; i < count; i++) sent.push(now)
      total += count
      const left = total - sent.length
      return () => total - left
    },
    hear(now, { remaining, resetMs }, own) {
      if (awaited !== null && remaining <= awaited) trusted = false
      awaited = null
      const count = Math.max(0, requestsPerMinute - own - remaining)
      const isKnown = trusted && Number.isFinite(requestsPerMinute)
      others = isKnown ? { count, until: now + resetMs + 1_000, remaining } : noOthers
    },
    hold(until) {
      heldUntil = Math.max(heldUntil, until)
    },
  }
}
