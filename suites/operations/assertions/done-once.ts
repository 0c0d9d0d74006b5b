/** How often a write was done: by what the target file declares to show it, else by what its receipts carry. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { member } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { all, broken, given, inconclusive, pass } from '../../scenario/expect.ts'
import { isKeyDeclared, reaches, receiptStatus, type ReceiptStatus } from './receipt.ts'
import { canonical } from '../../assertions/reply.ts'

/** The notes of a scenario that counts: by how much the effect grew, and whether it did before anything was sent. */
export const growth = 'grown'
export const unrest = 'grew by itself'

type Told = Pick<Context, 'notes' | 'dialect'>

/** What grows for another reason, or shows nothing of what was done, proves nothing of how often that was. */
export function restlessly({ [unrest]: moves }: Told['notes']): Judgement {
  return moves === true ? inconclusive('the effect changes without anything being sent') : pass
}

export const unseen = 'its effect shows nothing of it in the time that was given'

/** Null where no effect is declared. `sent`: every request with the key, in order. */
export function onceByEffect(sent: readonly Exchange[], told: Told): Judgement | null {
  const grown = told.notes[growth]
  if (typeof grown !== 'number') return null
  return given(restlessly(told.notes), () => once(sent, grown, told))
}

function once(sent: readonly Exchange[], grown: number, { dialect }: Told): Judgement {
  const done = sent.find((one) => receiptStatus(one) === 'completed')
  const last = sent.at(-1)
  if (grown > 1) return repeated(grown, 'the write to be done once', last, dialect)
  if (!done) return inconclusive('none of the requests was answered with a completed receipt')
  return grown === 1 ? pass : inconclusive(unseen)
}

/** Done more than once though each request carried the key: where the target reads it, which is not shown. */
export function repeated(
  grown: number,
  expected: string,
  last: Exchange | undefined,
  dialect: Context['dialect'],
): Judgement {
  return isKeyDeclared(dialect)
    ? broken(expected, `done ${grown} times, by its effect`, last)
    : inconclusive(
        `done ${grown} times, by its effect; that its key was seen is not known: declare \`dialect.execution.key\` or \`keyHeader\``,
      )
}

/**
 * Without an effect receipts decide, and only for good: where another run carries another result, and all of these
 * the same, it was done once. Results that differ may do so for other reasons.
 */
export function onceByReceipts(sent: readonly Exchange[], other: Exchange): Judgement {
  const results = sent.filter((one) => receiptStatus(one) === 'completed').map(resultOf)
  const [first] = results
  if (first === undefined || results.length < 2)
    return inconclusive('fewer than two receipts are completed, and no effect is declared')
  return given(reaches(other, 'completed'), () => {
    if (resultOf(other) === first)
      return inconclusive(`two runs carry the same result, so that receipts tell nothing; ${declare}`)
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
  first: Exchange
  /** The same with its key. */
  again: Exchange
  /** Another, with a key of its own. */
  other: Exchange
}

/**
 * Both receipts of one key lead to the same task or approval, and that of another key to another. Two of them are a
 * failure where both had an effect: a receipt may have an id of its own.
 */
export function onceByIds(
  { first, again, other }: Sent,
  status: ReceiptStatus,
  idOf: (receipt: Exchange, dialect: Context['dialect']) => string | null,
  { notes, dialect }: Told,
): Judgement {
  return given(all(...[first, again, other].map((one) => reaches(one, status))), () => {
    const [id, same, another] = [first, again, other].map((one) => idOf(one, dialect))
    if (id === null || same === null) return inconclusive('no id was found in a receipt')
    if (id === another) return inconclusive('another write has a receipt with the same id')
    if (id === same) return pass
    const grown = notes[growth]
    return typeof grown === 'number' && grown > 1
      ? given(restlessly(notes), () => repeated(grown, 'the write to be done once', again, dialect))
      : inconclusive('the receipts have different ids, and by its effect the write was done once')
  })
}
