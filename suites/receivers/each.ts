/** One judgement over several deliveries that lists every failure, not only the first. */
import type { Judgement } from '../scenario/scenario.ts'
import { all } from '../scenario/expect.ts'
import type { Exchange } from '../wire/exchange.ts'

/** The worst of what is said of them; an empty list is inconclusive. */
export function each(exchanges: readonly Exchange[], judge: (exchange: Exchange) => Judgement): Judgement {
  const said = exchanges.map((exchange) => ({ exchange, judgement: judge(exchange) }))
  const worst = all(...said.map(({ judgement }) => judgement))
  if (worst.is !== 'fail' && worst.is !== 'warn') return worst
  const alike = said.filter(({ judgement }) => judgement.is === worst.is).map(({ exchange }) => exchange.name)
  if (alike.length < 2) return worst
  return {
    ...worst,
    got: `${worst.got}; and ${alike.length - 1} more of ${said.length} like it: ${others(alike)}`,
  }
}

function others([, ...names]: readonly string[]): string {
  return [...new Set(names)].join(', ')
}
