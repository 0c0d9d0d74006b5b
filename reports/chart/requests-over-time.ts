/** What each key sent, against the rate that the target allows it. */
import type { Run } from '../bundle/record.ts'
import { html, noMarkup } from '../document/markup.ts'
import type { Hole, Markup } from '../document/markup.ts'
import { label, picture, rule, sample, steps, stretched, timeAxis } from './picture.ts'
import { requestLoad } from './request-load.ts'
import type { KeyLoad, RequestLoad } from './request-load.ts'
import { roundTicks, share } from './scale.ts'
import { span } from './time.ts'
import { amount, clipped, countedAmount, listed } from './wording.ts'

const plot = 140
const lane = 30
const lines = ['chart-line', 'chart-line-2', 'chart-line-3', 'chart-line-4']

export function requestsOverTime(run: Run, prefix = 'chart-requests'): Markup {
  const load = requestLoad(run)
  const drawn = load.loads.filter(({ most }) => most !== null && most > 0)
  if (drawn.length === 0) return noMarkup
  const top = load.limited.some((count) => count > 0) ? lane : 12
  return picture({
    prefix,
    title:
      load.countedBy === 'us'
        ? 'Requests within a minute, by key'
        : 'Requests within a minute as the target counts, by key',
    says: inWords(load),
    height: top + plot + 18,
    body: html`${refusals(load)}${graph(load, drawn, top)}${timeAxis(load.grid.end, top, top + plot)}`,
    key: drawn.map((one, index) => keyOf(one, index)),
  })
}

function graph({ kept, said }: RequestLoad, drawn: readonly KeyLoad[], top: number): Hole {
  const busiest = Math.max(...drawn.map(({ most }) => most ?? 0))
  const limits = [...new Set([...(kept === null ? [] : [kept]), ...said])].filter(
    (limit) => limit <= 3 * busiest,
  )
  const ticks = roundTicks(Math.max(busiest, ...limits) * 1.05)
  const most = ticks.at(-1) ?? 1
  const y = (value: number) => top + Math.round(plot * (1 - value / most))
  const grid = ticks.map((value) => [
    rule('0%', y(value), '100%', y(value), value === 0 ? 'chart-base' : 'chart-grid'),
    value === 0 ? noMarkup : label('0%', y(value) - 3, amount(value), 'start', 'soft'),
  ])
  const drawnLimits = limits
    .slice(0, 3)
    .map((limit) => [
      rule('0%', y(limit), '100%', y(limit), 'chart-limit'),
      label('100%', y(limit) - 4, limitName(limit, kept, said), 'end', 'bad'),
    ])
  const paths = drawn.map((one, index) => ({ d: steps(one.bins, most, plot), kind: lines[index] ?? '' }))
  return [grid, drawnLimits, stretched(top, plot, paths)]
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
