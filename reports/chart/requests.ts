/** What each key sent, against the rate that the target allows it. */
import { type Exchange, type Run } from '../bundle/record.ts'
import { type Hole, type Markup, html, noMarkup } from '../document/markup.ts'
import { answerHeader, clockMoved, endOf, sent } from './sent.ts'
import {
  type Grid,
  amount,
  binOf,
  clipped,
  countedAmount,
  highest,
  label,
  listed,
  picture,
  plotOf,
  rule,
  sample,
  share,
  span,
} from './picture.ts'

const plot = 140
const lane = 30
const lines = ['chart-line', 'chart-line-2', 'chart-line-3', 'chart-line-4']

export function requestsOverTime(run: Run): Markup {
  const load = requestLoad(run)
  const drawn = load.loads.filter(({ most }) => most !== null && most > 0)
  if (drawn.length === 0) return noMarkup
  const top = load.limited.some((count) => count > 0) ? lane : 12
  return picture({
    prefix: 'chart-requests',
    title:
      load.countedBy === 'us'
        ? 'Requests within a minute, by key'
        : 'Requests within a minute as the target counts, by key',
    says: inWords(load),
    height: top + plot + 18,
    body: [
      refusals(load),
      plotOf(
        drawn.map(({ bins }) => bins),
        limitsOf(load, drawn),
        { top, height: plot, end: load.grid.end, kinds: lines },
      ),
    ],
    key: drawn.map((one, index) => keyOf(one, index)),
  })
}

/** Those that are near enough to be drawn. */
function limitsOf({ kept, said }: RequestLoad, drawn: readonly KeyLoad[]) {
  const busiest = Math.max(...drawn.map(({ most }) => most ?? 0))
  const limits = [...new Set([...(kept === null ? [] : [kept]), ...said])]
  const near = limits.filter((limit) => limit <= 3 * busiest).slice(0, 3)
  return near.map((limit) => [limit, limitName(limit, kept, said)] as const)
}

function limitName(limit: number, kept: number | null, said: readonly number[]): string {
  if (!said.includes(limit)) return `${amount(limit)} a minute, which the run kept to`
  return kept === limit ? `limit ${amount(limit)} a minute` : `${amount(limit)} a minute, says the target`
}

/** A lane above the plot with a stroke for each bin that met a 429. */
function refusals({ limited, grid }: RequestLoad): Hole {
  const all = sum(limited)
  if (all === 0) return noMarkup
  const strokes = limited.map((count, bin) => {
    const x = share(bin + 0.5, grid.bins)
    return count > 0 ? rule(x, 2, x, 14, 'chart-tick bad') : noMarkup
  })
  const early = limited.slice(0, grid.bins / 2).every((count) => count === 0)
  const name = `✗ ${amount(all)} answered 429`
  return [strokes, early ? label('0%', 12, name, 'start', 'bad') : label('100%', 12, name, 'end', 'bad')]
}

function keyOf(load: KeyLoad, index: number): Markup {
  const { most, sent, limited } = load
  const refused = limited > 0 ? `, ${amount(limited)} answered 429` : ''
  const words = `${nameOf(load)}: at most ${amount(most ?? 0)} in a minute, ${amount(sent)} in all${refused}`
  return html`${sample(rule('0', 6, '24', 6, lines[index] ?? ''))}${words}`
}

function nameOf({ principal, keys }: KeyLoad): string {
  return keys > 1 ? `${keys} other keys, the busiest of them` : `key ${clipped(principal, 24)}`
}

function inWords({ loads, kept, said, sent, withoutKey, limited, grid, countedBy }: RequestLoad): string {
  const [busiest] = loads
  const limit = said.length === 0 ? kept : said.length === 1 ? (said[0] ?? null) : null
  const of = limit === null ? '' : ` of ${amount(limit)}`
  const peak = busiest
    ? `At most ${amount(busiest.most ?? 0)}${of} requests in any minute, by ${nameOf(busiest)}`
    : 'Nothing was sent with a key'
  const keyless = withoutKey > 0 ? `, ${amount(withoutKey)} of them without a key, which are not drawn` : ''
  const all = `${countedAmount(sent, 'request')} in ${span(grid.end)}${keyless}`
  const met = loads.filter((one) => one.limited > 0)
  const refused = met.map((one) => `${nameOf(one)} (${amount(one.limited)})`)
  const anonymous = sum(limited) - met.reduce((count, one) => count + one.limited, 0)
  if (anonymous > 0) refused.push(`requests without a key (${amount(anonymous)})`)
  const limits = refused.length > 0 ? `429 was answered to ${listed(refused)}.` : 'None was answered 429.'
  const how =
    countedBy === 'us'
      ? ''
      : ' The run moved the clock of the target on, so its minutes are not ours: the counts are its own, from X-RateLimit headers.'
  return `${peak}; ${all}. ${limits}${how}`
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}

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

const window = 60_000

/** The most that was sent within the minute before any moment of each bin. */
export function inAnyMinute(times: readonly number[], { end, bins }: Grid): readonly number[] {
  const level = levelOf(times)
  return Array.from({ length: bins }, (_, bin) => {
    const begin = (end * bin) / bins
    // What leaves as a bin begins is not in it any more; a minute has one of its ends to itself.
    level.upTo((at) => at <= begin)
    const last = bin === bins - 1
    return level.upTo((at) => last || at < (end * (bin + 1)) / bins)
  })
}

interface Level {
  /** Goes on over the changes that `within` takes, and gives the highest level on the way. */
  upTo(within: (at: number) => boolean): number
}

function levelOf(times: readonly number[]): Level {
  const changes = times
    .flatMap((at) => [
      { at, by: 1 },
      { at: at + window, by: -1 },
    ])
    .toSorted((one, other) => one.at - other.at || one.by - other.by)
  let level = 0
  let next = 0
  return {
    upTo(within) {
      let highest = level
      for (let change = changes[next]; change && within(change.at); change = changes[next]) {
        level += change.by
        highest = Math.max(highest, level)
        next += 1
      }
      return highest
    },
  }
}
