/** How often a write was done: by its declared effect, else by the content of its receipts. */
import { overlap } from '../../chat/assertions/race.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { type Exchange, member } from '../../wire/exchange.ts'
import { all, fail, given, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { isGoing, isKeyDeclared, reaches, receiptStatus, type ReceiptStatus } from './receipt.ts'
import { canonical } from '../../assertions/reply.ts'

/** The notes of a scenario with counts: by how much the effect grew, and whether it changed before any request. */
export const growth = 'grown'
export const raced = 'grown in a race'
export const unrest = 'grew by itself'

type CountContext = Pick<Context, 'notes' | 'dialect'>

/** An effect that also changes for other reasons, or does not show the work, proves nothing. */
export function effectIsSteady({ [unrest]: moves }: CountContext['notes']): Judgement {
  return moves === true ? inconclusive('the effect changes without anything being sent') : pass
}

export const unseen = 'its effect shows nothing of it in the time that was given'

/** Null without a declared effect. `sent`: every request with the key, in order. */
export function onceByEffect(
  sent: readonly Exchange[],
  context: CountContext,
  name = growth,
): Judgement | null {
  const grown = context.notes[name]
  if (typeof grown !== 'number') return null
  return given(effectIsSteady(context.notes), () => once(sent, grown, context))
}

function once(sent: readonly Exchange[], grown: number, { dialect }: CountContext): Judgement {
  if (grown > 1) return repeated(grown, 'the write to be done once', sent.at(-1), dialect)
  if (!sent.some(isGoing)) return inconclusive('none of the requests was answered with a receipt of success')
  return grown === 1 ? pass : inconclusive(unseen)
}

/** Done more than once although each request carried the key: fails only if the target is known to read it there. */
export function repeated(
  grown: number,
  expected: string,
  last: Exchange | undefined,
  dialect: Context['dialect'],
): Judgement {
  return isKeyDeclared(dialect)
    ? fail(expected, `done ${grown} times, by its effect`, last)
    : inconclusive(
        `done ${grown} times, by its effect; that its key was seen is not known: declare \`dialect.execution.key\` or \`keyHeader\``,
      )
}

/**
 * Without an effect receipts can only prove the good case: if another run has another result and all of these have
 * the same, it was done once. Different results may have other reasons.
 */
export function onceByReceipts(sent: readonly Exchange[], other: Exchange): Judgement {
  const results = sent.filter((one) => receiptStatus(one) === 'completed').map(resultOf)
  const [first] = results
  if (first === undefined || results.length < 2)
    return inconclusive('fewer than two receipts are completed, and no effect is declared')
  return given(reaches(other, 'completed'), () => {
    if (resultOf(other) === first)
      return inconclusive(`two runs carry the same result, so receipts prove nothing; ${declare}`)
    return results.every((result) => result === first)
      ? { is: 'pass' }
      : inconclusive(`the receipts of one key carry different results; ${declare}`)
  })
}

const declare = 'declare the `effect` of the operation under `fixtures.operations`'

function resultOf(exchange: Exchange): string {
  return canonical(member(exchange, '/data'))
}

interface Sent {
  /** The same request with one key, each time. */
  same: readonly Exchange[]
  /** Another one, with its own key. */
  other: Exchange
}

/**
 * All receipts of one key lead to the same task or approval, and that of another key to another. `byEffect`: of
 * receipts with different ids, which may be of one task or approval all the same, where it was counted.
 */
export function onceByIds(
  { same, other }: Sent,
  status: ReceiptStatus,
  idOf: (receipt: Exchange, dialect: Context['dialect']) => string | null,
  dialect: Context['dialect'],
  byEffect: Judgement | null,
): Judgement {
  return given(all(...[...same, other].map((one) => reaches(one, status))), () => {
    const ids = same.map((one) => idOf(one, dialect))
    const [id, ...more] = ids
    if (ids.includes(null)) return inconclusive('no id was found in a receipt')
    if (id === idOf(other, dialect)) return inconclusive('another write has a receipt with the same id')
    if (more.every((one) => one === id)) return pass
    if (byEffect) return byEffect
    // Each of two servers may have an id of its own.
    return same.length > 2 && new Set(ids).size === same.length && isKeyDeclared(dialect)
      ? warn('one id for each request with one key', ids.join(', '), same.at(-1))
      : inconclusive('the receipts have different ids, which need not be of different runs')
  })
}

/** Some two of them were under way at one moment; a race in which none met shows nothing. */
export function requestsOverlap(exchanges: readonly Exchange[]): Judgement {
  const met = exchanges.some((one, i) => exchanges.slice(i + 1).some((other) => overlap(one, other)))
  return met ? pass : inconclusive('no two of the requests were under way at one moment')
}
