/** Bookkeeping over the credit fields, which come with every fresh reply. Tolerance: one millionth of a credit. */
import type { Judgement } from '../scenario/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { statusOf } from './answer.ts'
import { check, given, inconclusive } from '../scenario/expect.ts'
import { fieldOf, isFresh, succeeded } from './reply.ts'

const tolerance = 1e-6

function number(exchange: Exchange, name: string): number | null {
  const value = fieldOf(exchange, name)
  return typeof value === 'number' ? value : null
}

export const used = (exchange: Exchange): number | null => number(exchange, 'credits_used')
export const remaining = (exchange: Exchange): number | null => number(exchange, 'credits_remaining')

/**
 * Between two fresh turns nothing was charged but `between`, the turns that ran in the meantime: what is left
 * after `last` is what was left after `first` less what all of them used. A replay's own credit fields prove
 * nothing, because they may repeat the original; the next fresh turn is the probe.
 */
export function balanced(first: Exchange, last: Exchange, between: readonly Exchange[] = []): Judgement {
  return given(succeeded(first), () =>
    given(succeeded(last), () => {
      const lost = between.find(mayHaveBeenCharged)
      if (lost) return inconclusive(`whether \`${lost.name}\` (exchange ${lost.id}) was charged is not known`)
      const spent = [...between.filter(isFresh), last].map(used)
      const [before, after] = [remaining(first), remaining(last)]
      if (before === null || after === null || spent.includes(null))
        return inconclusive('a reply has no number for its credits')
      const expected = spent.reduce<number>((left, amount) => left - (amount ?? 0), before)
      if (wereAdded(before, after, before - expected))
        return inconclusive(`credits were added: ${before} were left before, and ${after} after`)
      const got = `${after} left`
      return check(Math.abs(expected - after) <= tolerance, `${round(expected)} credits left`, got, last)
    }),
  )
}

/** More came than turns could have given that give what they should take: somebody filled the account up. */
export function wereAdded(before: number, after: number, spent: number): boolean {
  return after - before > Math.abs(spent) + tolerance
}

/** It is not known to have run, and not known not to have. */
function mayHaveBeenCharged(exchange: Exchange): boolean {
  const { failure, resent = false } = exchange
  return failure !== null || statusOf(exchange) >= 500 || (resent && !isFresh(exchange))
}

function round(amount: number): number {
  return Math.round(amount * 1e6) / 1e6
}
