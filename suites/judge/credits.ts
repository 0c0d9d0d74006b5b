/** Bookkeeping over the credit fields, which come with every fresh reply. Tolerance: one millionth of a credit. */
import type { Judgement } from '../engine/judgement.ts'
import type { Exchange } from '../wire/exchange.ts'
import { check, given, inconclusive } from './expect.ts'
import { fields, isFresh, succeeded } from './reply.ts'

const tolerance = 1e-6

function number(exchange: Exchange, name: string): number | null {
  const value = fields(exchange)?.[name]
  return typeof value === 'number' ? value : null
}

export const used = (exchange: Exchange): number | null => number(exchange, 'credits_used')
export const remaining = (exchange: Exchange): number | null => number(exchange, 'credits_remaining')

/**
 * Between two fresh turns nothing was charged but `between`, the turns that ran in the meantime: what is left
 * after `last` is what was left after `first` less what all of them used. A replay's own credit fields prove
 * nothing, because they may repeat the original; the next fresh turn is the witness.
 */
export function balanced(first: Exchange, last: Exchange, between: readonly Exchange[] = []): Judgement {
  return given(succeeded(first), () =>
    given(succeeded(last), () => {
      const spent = [...between.filter(isFresh), last].map(used)
      const [before, after] = [remaining(first), remaining(last)]
      if (before === null || after === null || spent.includes(null))
        return inconclusive('a reply has no number for its credits')
      const expected = spent.reduce<number>((left, amount) => left - (amount ?? 0), before)
      const got = `${after} left`
      return check(Math.abs(expected - after) <= tolerance, `${round(expected)} credits left`, got, last)
    }),
  )
}

/** Turns that ran at once: the lowest balance seen is the balance before less all that was used. */
export function balancedTogether(before: Exchange, turns: readonly Exchange[]): Judgement {
  const ran = turns.filter(isFresh)
  if (ran.length < 2) return inconclusive(`only ${ran.length} of ${turns.length} turns ran`)
  return given(succeeded(before), () => {
    const [start, amounts, left] = [remaining(before), ran.map(used), ran.map(remaining)]
    if (start === null || amounts.includes(null) || left.includes(null))
      return inconclusive('a reply has no number for its credits')
    const expected = amounts.reduce<number>((rest, amount) => rest - (amount ?? 0), start)
    const lowest = Math.min(...left.map((amount) => amount ?? Infinity))
    return check(
      Math.abs(expected - lowest) <= tolerance,
      `${round(expected)} credits left in the end`,
      `${lowest} left`,
    )
  })
}

function round(amount: number): number {
  return Math.round(amount * 1e6) / 1e6
}
