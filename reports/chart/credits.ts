/** Credits used so far, as the answers report them, against the cap of the run. */
import { identifiersIn } from '../../spec/identifiers.ts'
import { statedCost } from '../bundle/journal/stated-cost.ts'
import type { Exchange, Run } from '../bundle/record.ts'
import { noMarkup, type Markup } from '../document/markup.ts'
import { amount, binOf, countedAmount, picture, plotOf } from './picture.ts'
import { answerHeader, endOf, sent } from './sent.ts'

const top = 14
const height = 120
const bins = 240

/** Nothing where no answer reports any. */
export function creditsOverRun(run: Run): Markup {
  const exchanges = sent(run)
  const costs = exchanges
    .map((one) => ({ at: one.endedAt, cost: costOf(one) }))
    .filter(({ cost }) => cost !== null)
  const total = costs.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  if (costs.length === 0 || total > Number.MAX_SAFE_INTEGER) return noMarkup
  const grid = { end: endOf(exchanges), bins }
  const spent = Array.from({ length: bins }, () => 0)
  for (const { at, cost } of costs) spent[binOf(at, grid)] = (spent[binOf(at, grid)] ?? 0) + (cost ?? 0)
  let used = 0
  const soFar = spent.map((cost) => (used += cost))
  const { credits } = run.record.budgets
  const cap = Number.isFinite(credits) && credits >= 0 ? credits : null
  // A cap far above would press the line into the ground.
  const limits = cap !== null && cap <= 3 * total ? [[cap, `cap ${amount(cap)}`] as const] : []
  const dearest = costs.reduce((most, { cost }) => Math.max(most, cost ?? 0), 0)
  const each = `${countedAmount(costs.length, 'answer')} ${costs.length === 1 ? 'reports' : 'report'} a cost, the dearest ${amount(dearest)}`
  // The record counts while the run goes on; that both agree is worth no words, that they do not is.
  const recorded = run.record.used.credits
  const apart = Math.abs(total - recorded) < 1e-6 ? '' : ` The run itself counted ${amount(recorded)}.`
  return picture({
    prefix: 'chart-credits',
    title: 'Credits used so far, as the answers report them',
    says: `${countedAmount(total, 'credit')} used${cap === null ? '' : ` of at most ${amount(cap)}`}: ${each}.${apart}`,
    height: top + height + 18,
    body: plotOf([soFar], limits, { top, height, end: grid.end, kinds: ['chart-line'] }),
    key: [],
  })
}

/** Of a fresh reply alone: what is replayed was paid for before. Null where it does not say. */
function costOf(exchange: Exchange): number | null {
  const { response } = exchange
  const replay = answerHeader(exchange, identifiersIn(exchange).replayHeader)
  const isReplay = replay !== undefined && replay.toLowerCase() !== 'false'
  return response === null || isReplay ? null : statedCost(response)
}
