/** What each key sent, against the rate that the target allows it. */
import type { Exchange, Run } from '../../bundle/record.ts'
import { type Hole, type Markup, html, noMarkup } from '../document/markup.ts'
import {
  type Grid,
  amount,
  answerHeader,
  binOf,
  clipped,
  countedAmount,
  endOf,
  highest,
  isTime,
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
const bins = 120
const minute = 60_000
/** The busiest keys; the others are in the words. */
const lines = ['chart-line', 'chart-line-2', 'chart-line-3', 'chart-line-4']

interface KeyLoad {
  name: string
  sent: number
  limited: number
  /** Most requests in any minute; 0 where the target never said. */
  most: number
  /** The most in each bin; null where nothing is known of it. */
  bins: readonly (number | null)[]
}

const isLimited = ({ response }: Exchange): boolean => response?.status === 429

export function requestsOverTime(run: Run): Markup {
  const exchanges = sent(run)
  const grid = { end: endOf(exchanges), bins }
  const hasMoved = clockMoved(run)
  const byKey = Map.groupBy(exchanges, ({ request }) => request.principal)
  const loads = [...byKey]
    .flatMap(([key, own]) => (key === null ? [] : [loadOf(`key ${clipped(key, 24)}`, own, grid, hasMoved)]))
    .toSorted((one, other) => other.most - one.most || other.sent - one.sent)
  const drawn = loads.filter(({ most }) => most > 0).slice(0, lines.length)
  const [busiest] = drawn
  if (busiest === undefined) return noMarkup
  const refused = exchanges.filter(isLimited)
  const { requestsPerMinute } = run.record.budgets
  const kept = isTime(requestsPerMinute) && requestsPerMinute > 0 ? requestsPerMinute : null
  const said = [...new Set(exchanges.flatMap((one) => limitSaid(one) ?? []))].toSorted((a, b) => a - b)
  const limit = said.length < 2 ? (said[0] ?? kept) : null
  const keyless = byKey.get(null)?.length ?? 0
  const met = Map.groupBy(refused, ({ request }) => request.principal)
  const refusals = [...met].map(
    ([key, own]) =>
      `${key === null ? 'requests without a key' : `key ${clipped(key, 24)}`} (${amount(own.length)})`,
  )
  const words = [
    `At most ${amount(busiest.most)}${limit === null ? '' : ` of ${amount(limit)}`} requests in any minute, by ${busiest.name}; `,
    `${countedAmount(exchanges.length, 'request')} in ${span(grid.end)}`,
    keyless > 0 ? `, ${amount(keyless)} of them without a key, which are not drawn` : '',
    loads.length > drawn.length ? `, of ${loads.length} keys the ${drawn.length} busiest are drawn` : '',
    refused.length > 0
      ? `. 429 was answered to ${listed(refusals.slice(0, 6))}.`
      : '. None was answered 429.',
    hasMoved
      ? ' The run moved the clock of the target on, so its minutes are not ours: the counts are its own, from X-RateLimit headers.'
      : '',
  ]
  // Those that are near enough to be drawn.
  const limits = [...new Set([...(kept === null ? [] : [kept]), ...said])]
    .filter((one) => one <= 3 * busiest.most)
    .slice(0, 3)
    .map((one) => [one, limitName(one, kept, said)] as const)
  const top = refused.length > 0 ? lane : 12
  return picture({
    prefix: 'chart-requests',
    title: `Requests within a minute${hasMoved ? ' as the target counts' : ''}, by key`,
    says: words.join(''),
    height: top + plot + 18,
    body: [
      refusalsOf(refused, grid),
      plotOf(
        drawn.map((one) => one.bins),
        limits,
        { top, height: plot, end: grid.end, kinds: lines },
      ),
    ],
    key: drawn.map(({ name, most, sent: all, limited }, index) => {
      const met429 = limited > 0 ? `, ${amount(limited)} answered 429` : ''
      const about = `${name}: at most ${amount(most)} in a minute, ${amount(all)} in all${met429}`
      return html`${sample(lines[index] ?? '')}${about}`
    }),
  })
}

function limitName(limit: number, kept: number | null, said: readonly number[]): string {
  if (!said.includes(limit)) return `run limit: ${amount(limit)} a minute`
  return kept === limit ? `limit: ${amount(limit)} a minute` : `target limit: ${amount(limit)} a minute`
}

/** A lane above the plot with a stroke for each bin that met a 429. */
function refusalsOf(refused: readonly Exchange[], grid: Grid): Hole {
  if (refused.length === 0) return noMarkup
  const met = new Set(refused.map(({ sentAt }) => binOf(sentAt, grid)))
  const strokes = [...met]
    .toSorted((one, other) => one - other)
    .map((bin) => rule(share(bin + 0.5, grid.bins), 2, share(bin + 0.5, grid.bins), 14, 'chart-tick bad'))
  const isLate = Math.min(...met) >= grid.bins / 2
  const name = `✗ ${amount(refused.length)} answered 429`
  return [strokes, isLate ? label('0%', 12, name, 'start', 'bad') : label('100%', 12, name, 'end', 'bad')]
}

function loadOf(name: string, own: readonly Exchange[], grid: Grid, hasMoved: boolean): KeyLoad {
  const values = hasMoved
    ? highest(own.flatMap(countSaid), grid)
    : inAnyMinute(
        own.map(({ sentAt }) => sentAt),
        grid,
      )
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  return { name, sent: own.length, limited: own.filter(isLimited).length, most, bins: values }
}

/** What the target counted of the key by this answer. */
function countSaid(exchange: Exchange): readonly { at: number; value: number }[] {
  const limit = limitSaid(exchange)
  const remaining = wholeNumber(answerHeader(exchange, 'x-ratelimit-remaining'))
  if (limit === undefined || remaining === undefined || remaining > limit) return []
  return [{ at: exchange.endedAt, value: limit - remaining }]
}

const limitSaid = (exchange: Exchange): number | undefined =>
  wholeNumber(answerHeader(exchange, 'x-ratelimit-limit'))

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** The most that was sent within the minute before any moment of each bin. `times`: in order. */
export function inAnyMinute(times: readonly number[], grid: Grid): readonly number[] {
  let first = 0
  const within = times.map((at, index) => {
    while ((times[first] ?? at) <= at - minute) first += 1
    return { at, value: index + 1 - first }
  })
  return highest(within, grid).map((value, bin) => {
    const begin = (grid.end * bin) / grid.bins
    const before = times.filter((at) => at <= begin && at > begin - minute).length
    return Math.max(value ?? 0, before)
  })
}

/** What went out to the target, in order; without what a cap held back, what met no server, and what has no time. */
function sent({ journal }: Run): readonly Exchange[] {
  return journal
    .filter(({ inbound, failure }) => !inbound && failure?.kind !== 'budget' && failure?.kind !== 'refused')
    .filter(({ sentAt, endedAt }) => isTime(sentAt) && isTime(endedAt))
    .toSorted((one, other) => one.sentAt - other.sentAt)
}

const skew = 1_000
/** A window of a minute, a second that is rounded, and a little for the way. */
const widestReset = 65_000

/**
 * Whether the run moved the clock of the target on instead of waiting: then a minute of ours is none of the
 * target's. Seen in deliveries that came in, or in resets that run ahead of us.
 */
function clockMoved({ record, journal }: Run): boolean {
  if (record.target.kind === 'simulator') return true
  if (journal.some(({ inbound, sentAt }) => inbound && Math.abs(inbound.targetAt - sentAt) > skew))
    return true
  const ahead = journal.flatMap((exchange) => {
    const reset = Number(answerHeader(exchange, 'x-ratelimit-reset'))
    // A Unix time, not seconds to go.
    return reset > 1e9 && isTime(exchange.sentAt) ? [reset * 1_000 - exchange.sentAt] : []
  })
  const [least, most] = [Math.min, Math.max].map((pick) =>
    ahead.reduce((one, other) => pick(one, other), ahead[0] ?? 0),
  )
  return (most ?? 0) - (least ?? 0) > widestReset
}
