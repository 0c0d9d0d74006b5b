/** What a response shows of the rate limit of its key. */
import { header } from '../body.ts'
import type { Exchange } from '../exchange.ts'

export interface AdvertisedRate {
  /** Requests that the key may send before the reset. */
  remaining: number
  /** Until the reset, counted from the response; at most a minute. */
  resetMs: number
}

const prefixes = ['x-ratelimit', 'ratelimit', 'x-rate-limit']
/** A smaller number of seconds is a duration; from 1e11 on it is a Unix time in milliseconds. */
const leastUnixTime = 1e9
const leastUnixMs = 1e11

/** Null for other routes, which may have limits of their own, and where a header is missing or no number. */
export function advertisedRate(exchange: Exchange): AdvertisedRate | null {
  if (!exchange.request.path.startsWith('/api/v1/chat/')) return null
  for (const prefix of prefixes) {
    const [remaining, reset] = ['remaining', 'reset'].map((what) => amountIn(exchange, `${prefix}-${what}`))
    const seconds = reset === undefined ? Number.NaN : secondsUntil(reset, exchange)
    if (remaining !== undefined && seconds >= 0)
      return { remaining, resetMs: Math.min(60_000, seconds * 1000) }
  }
  return null
}

function amountIn(exchange: Exchange, name: string): number | undefined {
  const [value = '', ...more] = header(exchange, name)
  return more.length === 0 && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

/** By the clock of the target, which may differ from ours. */
function secondsUntil(reset: number, exchange: Exchange): number {
  if (reset < leastUnixTime) return reset
  const date = Date.parse(header(exchange, 'date')[0] ?? '')
  return (reset < leastUnixMs ? reset : reset / 1000) - date / 1000
}
