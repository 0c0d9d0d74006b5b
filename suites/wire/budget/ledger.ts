/**
 * What the run has spent, against its caps. What an answer will cost is not known before it comes, so turns under
 * way are held in reserve at the dearest price seen: caps on requests and turns are never passed, the one on
 * credits by no more than the first turns under way cost. A request that went out twice is known to be two only
 * afterwards: it is counted as two then.
 */
import type { Budgets } from '../../../reports/bundle/record.ts'
import type { Exchange } from '../exchange.ts'
import { creditsUsed, turnTrace } from './spending.ts'

export interface Spent {
  requests: number
  turns: number
  credits: number
}

export interface BudgetLedger {
  spent(): Spent
  /** Why so much more cannot be had, or null. */
  refusal(requests: number, turns: number): string | null
  /** Counts the requests, holds the turns in reserve until the exchanges they became are handed in. */
  reserve(requests: number, turns: number): (exchanges: readonly Exchange[]) => void
}

/** Without what binary fractions add to decimal ones: a tenth ten times is one. */
const sumOf = (one: number, other: number): number => Number((one + other).toFixed(9))

export function createLedger(budgets: Pick<Budgets, keyof Spent>): BudgetLedger {
  const spent: Spent = { requests: 0, turns: 0, credits: 0 }
  let pending = 0
  let dearest = 0

  function settle(reserved: number, exchanges: readonly Exchange[]): void {
    const traces = exchanges.map(turnTrace)
    const ran = traces.filter((trace) => trace === 'ran').length
    const unknown = traces.filter((trace) => trace === 'may have run').length
    const credits = exchanges.map(creditsUsed).filter((used) => used !== null)
    pending -= reserved
    spent.requests += exchanges.filter(({ resent }) => resent).length
    spent.turns += reserved > 0 ? Math.max(ran, Math.min(reserved, ran + unknown)) : credits.length
    spent.credits = credits.reduce(sumOf, spent.credits)
    dearest = Math.max(dearest, ...credits)
  }

  return {
    spent: () => ({ ...spent }),
    refusal(requests, turns) {
      const after: Spent = {
        requests: spent.requests + requests,
        turns: spent.turns + pending + turns,
        credits: turns > 0 ? spent.credits + (pending + turns) * dearest : 0,
      }
      const caps = ['requests', 'turns', 'credits'] as const
      const passed = caps.find((cap) => after[cap] > budgets[cap])
      return passed
        ? `the run may use ${budgets[passed]} ${passed}, and this could make it ${after[passed]}`
        : null
    },
    reserve(requests, turns) {
      spent.requests += requests
      pending += turns
      let open = true
      return (exchanges) => {
        if (open) settle(turns, exchanges)
        open = false
      }
    },
  }
}
