/** Credits used so far, as the answers report them, against the cap of the run. */
import { identifiersIn } from '../../spec/identifiers.ts'
import { statedCost } from '../bundle/journal/stated-cost.ts'
import { type Exchange, type Run } from '../bundle/record.ts'
import { type Markup, noMarkup } from '../document/markup.ts'
import { answerHeader, endOf, sent } from './sent.ts'
import {
  type Grid,
  amount,
  binOf,
  countedAmount,
  label,
  picture,
  roundTicks,
  rule,
  steps,
  stretched,
  timeAxis,
} from './picture.ts'

const top = 14
const plot = 120

export function creditsOverRun(run: Run, prefix = 'chart-credits'): Markup {
  const credits = creditSpendingOf(run)
  if (!credits) return noMarkup
  const { grid, bins, total, cap } = credits
  // A cap far above would press the line into the ground.
  const near = cap !== null && cap <= 3 * total ? cap : null
  const ticks = roundTicks(Math.max(total, near ?? 0) * 1.02)
  const most = ticks.at(-1) ?? 1
  const y = (value: number) => top + Math.round(plot * (1 - value / most))
  const lines = ticks.map((value) => [
    rule('0%', y(value), '100%', y(value), value === 0 ? 'chart-base' : 'chart-grid'),
    value === 0 ? noMarkup : label('0%', y(value) - 3, amount(value), 'start', 'soft'),
  ])
  const limit =
    near === null
      ? noMarkup
      : [
          rule('0%', y(near), '100%', y(near), 'chart-limit'),
          label('100%', y(near) - 4, `cap ${amount(near)}`, 'end', 'bad'),
        ]
  return picture({
    prefix,
    title: 'Credits used so far, as the answers report them',
    says: inWords(credits, run.record.used.credits),
    height: top + plot + 18,
    body: [
      lines,
      limit,
      stretched(top, plot, [{ d: steps(bins, most, plot), kind: 'chart-line' }]),
      timeAxis(grid.end, top, top + plot),
    ],
    key: [],
  })
}

function inWords({ total, answers, dearest, cap }: CreditSpending, recorded: number): string {
  const of = cap === null ? '' : ` of at most ${amount(cap)}`
  const each = `${countedAmount(answers, 'answer')} ${answers === 1 ? 'reports' : 'report'} a cost, the dearest ${amount(dearest)}`
  // The record counts while the run goes on; that both agree is worth no words, that they do not is.
  const apart = Math.abs(total - recorded) < 1e-6 ? '' : ` The run itself counted ${amount(recorded)}.`
  return `${countedAmount(total, 'credit')} used${of}: ${each}.${apart}`
}

export interface CreditSpending {
  grid: Grid
  /** Credits used by the end of each bin. */
  bins: readonly number[]
  total: number
  /** Answers that report a cost. */
  answers: number
  dearest: number
  /** Null where the run had none. */
  cap: number | null
}

const bins = 240

/** Null where no answer reports any. */
export function creditSpendingOf(run: Run): CreditSpending | null {
  const exchanges = sent(run)
  const costs = exchanges.flatMap((exchange) => {
    const cost = costOf(exchange)
    return cost === null ? [] : [{ at: exchange.endedAt, cost }]
  })
  const total = costs.reduce((sum, { cost }) => sum + cost, 0)
  if (costs.length === 0 || total > Number.MAX_SAFE_INTEGER) return null
  const grid = { end: endOf(exchanges), bins }
  const spent = Array.from({ length: bins }, () => 0)
  for (const { at, cost } of costs) spent[binOf(at, grid)] = (spent[binOf(at, grid)] ?? 0) + cost
  let used = 0
  const { credits: cap } = run.record.budgets
  return {
    grid,
    bins: spent.map((cost) => (used += cost)),
    total,
    answers: costs.length,
    dearest: costs.reduce((most, { cost }) => Math.max(most, cost), 0),
    cap: Number.isFinite(cap) && cap >= 0 ? cap : null,
  }
}

/** Of a fresh reply alone: what is replayed was paid for before. Null where it does not say. */
export function costOf(exchange: Exchange): number | null {
  const { response } = exchange
  const replay = answerHeader(exchange, identifiersIn(exchange).replayHeader)
  const isReplay = replay !== undefined && replay.toLowerCase() !== 'false'
  return response === null || isReplay ? null : statedCost(response)
}
