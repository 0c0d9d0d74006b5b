/** How near each key of a run came to its rate: the numbers behind `requests-over-time.ts`. */
import type { Exchange, Run } from '../../suites/record.ts'
import { binOf, highest } from './scale.ts'
import type { Grid } from './scale.ts'
import { answerHeader, clockMoved, endOf, sent } from './sent.ts'

/** One key, or several together. */
export interface Load {
  /** Null: sent without a key. */
  principal: string | null
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
  loads: readonly Load[]
  sent: number
  /** 429s in each bin. */
  limited: readonly number[]
  /** The rate that the run kept to; null where it kept to none. */
  kept: number | null
  /** Different values of X-RateLimit-Limit, in order. */
  said: readonly number[]
}

const window = 60_000
const bins = 120
const ownLines = 3

export function requestLoad(run: Run): RequestLoad {
  const exchanges = sent(run)
  const grid = { end: endOf(exchanges), bins }
  const countedBy = clockMoved(run) ? 'target' : 'us'
  const loads = [...Map.groupBy(exchanges, ({ request }) => request.principal)]
    .map(([principal, own]) => loadOf(principal, own, countedBy, grid))
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
    limited,
    kept: Number.isFinite(requestsPerMinute) && requestsPerMinute > 0 ? requestsPerMinute : null,
    said: [...new Set(exchanges.flatMap((one) => limitSaid(one) ?? []))].toSorted((a, b) => a - b),
  }
}

function loadOf(
  principal: string | null,
  own: readonly Exchange[],
  countedBy: RequestLoad['countedBy'],
  grid: Grid,
): Load {
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

/** The most that was sent within the minute before any moment of each bin. `times` are in order. */
export function inAnyMinute(times: readonly number[], grid: Grid): readonly number[] {
  const changes = [
    ...times.map((at) => ({ at, by: 1 })),
    ...times.map((at) => ({ at: at + window, by: -1 })),
  ].toSorted((one, other) => one.at - other.at || one.by - other.by)
  const most: number[] = []
  let level = 0
  let next = 0
  for (let bin = 0; bin < grid.bins; bin++) {
    let held = level
    for (; next < changes.length; next++) {
      const change = changes[next]
      if (!change || (binOf(change.at, grid) > bin && bin < grid.bins - 1) || change.at > grid.end) break
      level += change.by
      held = Math.max(held, level)
    }
    most.push(held)
  }
  return most
}

/** What the target counted of the key by this answer. */
function countSaid(exchange: Exchange): readonly { at: number; value: number }[] {
  const limit = limitSaid(exchange)
  const remaining = wholeNumber(answerHeader(exchange, 'x-ratelimit-remaining'))
  if (limit === undefined || remaining === undefined || remaining > limit) return []
  return [{ at: exchange.response?.at ?? exchange.endedAt, value: limit - remaining }]
}

function limitSaid(exchange: Exchange): number | undefined {
  return wholeNumber(answerHeader(exchange, 'x-ratelimit-limit'))
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Keys that nobody is told apart by are put together; what was sent without a key is no key. */
function fewer(loads: readonly Load[]): readonly Load[] {
  const keys = loads.filter(({ principal }) => principal !== null)
  const rest = keys.slice(ownLines)
  const together = rest.length > 1 ? [rest.reduce(busier)] : rest
  return [...keys.slice(0, ownLines), ...together, ...loads.filter(({ principal }) => principal === null)]
}

function busier(one: Load, other: Load): Load {
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

function byMost(one: Load, other: Load): number {
  return (other.most ?? -1) - (one.most ?? -1) || other.sent - one.sent
}
