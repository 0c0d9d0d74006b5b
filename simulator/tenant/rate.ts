/** Counting requests against the limit of an API key. */
import { remembered } from './book.ts'
import type { ApiKey } from './principals.ts'

export type RateKind = 'sliding' | 'fixed' | 'bucket'

/** The limit of a rule that limits nothing. */
export const noLimit = Number.MAX_SAFE_INTEGER

export interface RateState {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until one more request is accepted; 0 while any is left. */
  readonly retryAfterMs: number
  /** Milliseconds since 1970 at which the count is back at its start. */
  readonly resetAt: number
  readonly now: number
}

export interface RateRule {
  readonly kind: RateKind
  readonly limit: number
  readonly windowMs: number
}

/** How far a subject has come: moments of its requests, how many there were, or what its bucket still holds. */
export interface RateCount {
  moments: number[]
  since: number
  spent: number
}

/** One way of counting: brings a count up to date, and returns what is left and when there is more. */
interface Kind {
  refresh(count: RateCount, rule: RateRule, now: number): void
  spend(count: RateCount, rule: RateRule, now: number): void
  spent(count: RateCount, rule: RateRule): number
  retryAt(count: RateCount, rule: RateRule): number
  resetAt(count: RateCount, rule: RateRule): number
}

const kinds: Record<RateKind, Kind> = {
  sliding: {
    refresh: (count, rule, now) => {
      const { moments } = count
      while (moments.length > 0 && (moments[0] ?? 0) + rule.windowMs <= now) moments.shift()
    },
    spend: (count, _rule, now) => void count.moments.push(now),
    spent: (count) => count.moments.length,
    retryAt: (count, rule) => (count.moments[count.moments.length - rule.limit] ?? 0) + rule.windowMs,
    resetAt: (count, rule) => (count.moments.at(-1) ?? 0) + rule.windowMs,
  },
  fixed: {
    refresh: (count, rule, now) => {
      const since = now - (now % rule.windowMs)
      if (since !== count.since) Object.assign(count, { since, spent: 0 })
    },
    spend: (count) => void count.spent++,
    spent: (count) => count.spent,
    retryAt: (count, rule) => count.since + rule.windowMs,
    resetAt: (count, rule) => count.since + rule.windowMs,
  },
  // `spent` is the time, in ms, that the bucket needs to be full again.
  bucket: {
    refresh: (count, _rule, now) => {
      count.spent = Math.max(0, count.spent - (now - count.since))
      count.since = now
    },
    spend: (count, rule) => void (count.spent += rule.windowMs / rule.limit),
    spent: (count, rule) => Math.ceil((count.spent * rule.limit) / rule.windowMs),
    retryAt: (count, rule) => count.since + count.spent - rule.windowMs + rule.windowMs / rule.limit,
    resetAt: (count) => count.since + count.spent,
  },
}

export type RateMeter = ReturnType<typeof createRateMeter>

export function createRateMeter() {
  const counts = new Map<string, RateCount>()
  const current = (subject: string, rule: RateRule, now: number): RateCount => {
    const count = remembered(counts, subject, () => ({ moments: [], since: 0, spent: 0 }))
    kinds[rule.kind].refresh(count, rule, now)
    return count
  }
  const look = (subject: string, rule: RateRule, now: number): RateState => {
    const kind = kinds[rule.kind]
    const count = current(subject, rule, now)
    const spent = kind.spent(count, rule)
    const remaining = Math.max(0, rule.limit - spent)
    return {
      limit: rule.limit,
      remaining,
      retryAfterMs: remaining > 0 ? 0 : Math.max(1, Math.ceil(kind.retryAt(count, rule) - now)),
      resetAt: spent === 0 ? now : Math.ceil(kind.resetAt(count, rule)),
      now,
    }
  }
  return {
    look,
    /** Counts one request; the state is the one after it. */
    spend: (subject: string, rule: RateRule, now: number): RateState => {
      kinds[rule.kind].spend(current(subject, rule, now), rule, now)
      return look(subject, rule, now)
    },
    /** Throws where there is no limit. */
    exhaust: (subject: string, rule: RateRule, now: number): void => {
      if (rule.limit === noLimit)
        throw new Error('There is no rate limit to be used up; make the simulator without `unlimited`.')
      const kind = kinds[rule.kind]
      while (look(subject, rule, now).remaining > 0) kind.spend(current(subject, rule, now), rule, now)
    },
    reset: (subject: string): void => void counts.delete(subject),
    clear: (): void => counts.clear(),
    counts: counts as ReadonlyMap<string, RateCount>,
    restore: (stored: Iterable<readonly [subject: string, count: RateCount]>): void => {
      counts.clear()
      for (const [subject, count] of stored) counts.set(subject, count)
    },
  }
}

export interface Outage {
  status: 500 | 503
  /** How many requests meet it; default 1, Infinity until cleared. */
  times?: number
  /** `request`: before the request is validated. `turn`: when its turn begins. Default: 503 at the request, 500 in the turn. */
  at?: 'request' | 'turn'
  /** Agent id; absent: any. */
  agent?: string
  /** Role or token of the API key; absent: any. */
  apiKey?: string
}

interface Request {
  readonly agentId: string
  readonly apiKey: ApiKey
}

export const placeOfOutage = (outage: Outage): NonNullable<Outage['at']> =>
  outage.at ?? (outage.status === 503 ? 'request' : 'turn')

function meets(outage: Outage, { agentId, apiKey }: Request): boolean {
  const forKey =
    outage.apiKey === undefined || outage.apiKey === apiKey.name || outage.apiKey === apiKey.token
  return forKey && (outage.agent === undefined || outage.agent === agentId)
}

/** The outage that a request runs into, if any; one that is used up is taken off the list. */
export function takeOutage(outages: Outage[], at: 'request' | 'turn', request: Request): Outage | undefined {
  const outage = outages.find((outage) => placeOfOutage(outage) === at && meets(outage, request))
  if (!outage) return undefined
  outage.times = (outage.times ?? 1) - 1
  if (outage.times <= 0) outages.splice(outages.indexOf(outage), 1)
  return outage
}
