/** What the answers of a run say that they cost: the numbers behind `credits-over-run.ts`. */
import { statedCost } from '../bundle/journal/stated-cost.ts'
import type { Exchange, Run } from '../bundle/record.ts'
import { identifiersIn } from '../../spec/identifiers.ts'
import { binOf } from './scale.ts'
import type { Grid } from './scale.ts'
import { answerHeader, endOf, sent } from './sent.ts'

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
