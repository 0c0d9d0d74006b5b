/** How near each key of a run came to its rate: the numbers behind `requests-over-time.ts`. */
import type { Exchange, Run } from '../bundle/record.ts'
import { inAnyMinute } from './any-minute.ts'
import { binOf, highest } from './scale.ts'
import type { Grid } from './scale.ts'
import { answerHeader, clockMoved, endOf, sent } from './sent.ts'

/** One key, or several together. */
export interface KeyLoad {
  principal: string
  /** How many keys are in it; of more than one, the busiest counts. */
  keys: number
  sent: number
  limited: number
  /** Most requests in any minute; null where the target never said. */
  most: number | null
  /** The most in each bin; null where nothing is known of it. */
  bins: readonly (number | null)[]
}

export interface RequestLoad {
  grid: Grid
  /**
   * `us`: requests in the minute before, on our clock. `target`: its limit less what it said remained, which is all
   * that counts when its clock was moved on.
   */
  countedBy: 'us' | 'target'
  /** Those who came nearest first. */
  loads: readonly KeyLoad[]
  /** Requests in all, and those of them that no rate holds, because they carry no key. */
  sent: number
  withoutKey: number
  /** 429s in each bin, whoever met them. */
  limited: readonly number[]
  /** The rate that the run kept to; null where it kept to none. */
  kept: number | null
  /** Different values of X-RateLimit-Limit, in order. */
  said: readonly number[]
}

const bins = 120
const ownLines = 3

export function requestLoad(run: Run): RequestLoad {
  const exchanges = sent(run)
  const grid = { end: endOf(exchanges), bins }
  const countedBy = clockMoved(run) ? 'target' : 'us'
  const byKey = Map.groupBy(exchanges, ({ request }) => request.principal)
  const loads = [...byKey]
    .flatMap(([principal, own]) => (principal === null ? [] : [loadOf(principal, own, countedBy, grid)]))
    .toSorted(byMost)
  const limited = Array.from({ length: bins }, () => 0)
  for (const { response, sentAt } of exchanges)
    if (response?.status === 429) limited[binOf(sentAt, grid)] = (limited[binOf(sentAt, grid)] ?? 0) + 1
  const { requestsPerMinute } = run.record.budgets
  return {
    grid,
    countedBy,
    loads: fewer(loads),
    sent: exchanges.length,
    withoutKey: byKey.get(null)?.length ?? 0,
    limited,
    kept: Number.isFinite(requestsPerMinute) && requestsPerMinute > 0 ? requestsPerMinute : null,
    said: [...new Set(exchanges.flatMap((one) => limitSaid(one) ?? []))].toSorted((a, b) => a - b),
  }
}

function loadOf(
  principal: string,
  own: readonly Exchange[],
  countedBy: RequestLoad['countedBy'],
  grid: Grid,
): KeyLoad {
  const values =
    countedBy === 'us'
      ? inAnyMinute(
          own.map(({ sentAt }) => sentAt),
          grid,
        )
      : highest(own.flatMap(countSaid), grid)
  const known = values.filter((value) => value !== null)
  return {
    principal,
    keys: 1,
    sent: own.length,
    limited: own.filter(({ response }) => response?.status === 429).length,
    most: known.length > 0 ? Math.max(...known) : null,
    bins: values,
  }
}

/** What the target counted of the key by this answer. */
function countSaid(exchange: Exchange): readonly { at: number; value: number }[] {
  const limit = limitSaid(exchange)
  const remaining = wholeNumber(answerHeader(exchange, 'x-ratelimit-remaining'))
  if (limit === undefined || remaining === undefined || remaining > limit) return []
  return [{ at: exchange.endedAt, value: limit - remaining }]
}

function limitSaid(exchange: Exchange): number | undefined {
  return wholeNumber(answerHeader(exchange, 'x-ratelimit-limit'))
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** The busiest keys each for itself, and all others together. */
function fewer(loads: readonly KeyLoad[]): readonly KeyLoad[] {
  const rest = loads.slice(ownLines)
  return rest.length > 1 ? [...loads.slice(0, ownLines), rest.reduce(busier)] : loads
}

function busier(one: KeyLoad, other: KeyLoad): KeyLoad {
  return {
    principal: one.principal,
    keys: one.keys + other.keys,
    sent: one.sent + other.sent,
    limited: one.limited + other.limited,
    most: one.most ?? other.most,
    bins: one.bins.map((value, bin) => {
      const beside = other.bins[bin] ?? null
      return value === null ? beside : Math.max(value, beside ?? value)
    }),
  }
}

function byMost(one: KeyLoad, other: KeyLoad): number {
  return (other.most ?? -1) - (one.most ?? -1) || other.sent - one.sent
}
