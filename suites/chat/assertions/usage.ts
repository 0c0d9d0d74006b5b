/** Judgements on the usage route: it shows the remaining credits and follows paid turns. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, json, member } from '../../wire/exchange.ts'
import { shown, status } from '../../assertions/answer.ts'
import { all, fail, check, every, given, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { inside } from '../../assertions/pointer.ts'
import { succeeded, remaining, used, wereAdded } from '../../assertions/reply.ts'

type Spoken = Pick<Dialect, 'usage'>

/** `credits.remaining` of the usage, within the object that the target file declares; null if it is no number. */
export function creditsIn(exchange: Exchange, { usage }: Spoken): number | null {
  const value = member(exchange, `${usage?.container ?? ''}/credits/remaining`)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Fails without a number `credits.remaining`; inconclusive if one is nested deeper than the target file declares. */
export function hasCredits(exchange: Exchange, dialect: Spoken): Judgement {
  if (creditsIn(exchange, dialect) === null && dialect.usage?.container === undefined && isDeeper(exchange))
    return inconclusive('`credits.remaining` is deeper in the usage; declare `dialect.usage.container`')
  return check(
    creditsIn(exchange, dialect) !== null,
    'a number `credits.remaining`',
    shown(exchange, 120),
    exchange,
  )
}

function isDeeper(exchange: Exchange): boolean {
  const body = json(exchange)
  return (
    body.ok &&
    [...inside(body.value)].some(
      ({ name, parent, value }) => parent === 'credits' && name === 'remaining' && typeof value === 'number',
    )
  )
}

/** As for the credits of chat: one millionth of a credit. */
const tolerance = 1e-6

/** The route shows more than the turn before left: it may lag behind. */
export function lags(turn: Exchange, read: Exchange, dialect: Spoken): boolean {
  const [left, said] = [remaining(turn), creditsIn(read, dialect)]
  return left !== null && said !== null && said > left + tolerance
}

/** A paid turn, and the usage reads after it, in order. */
export type Paid = readonly [turn: Exchange, ...reads: Exchange[]]

/**
 * Passes if the last read shows what the last turn left. A read may lag, so more than that warns; less than any turn
 * left, or no change after a paid turn, fails.
 */
export function followsTurns(paid: readonly Paid[], dialect: Spoken): Judgement {
  const turns = paid.map(([turn]) => turn)
  const reads = paid.flatMap(([, ...after]) => after)
  return given(
    all(
      every(turns, succeeded),
      every(reads, (read) => status(read, 200)),
    ),
    () => {
      const said = reads.map((read) => creditsIn(read, dialect))
      const left = turns.map(remaining)
      if ([...said, ...left].includes(null))
        return inconclusive('a reply or a usage has no number of credits')
      return judged(paid, dialect)
    },
  )
}

function judged(paid: readonly Paid[], dialect: Spoken): Judgement {
  const numberOf = (read: Exchange): number => creditsIn(read, dialect) ?? 0
  for (const [turn, ...reads] of paid) {
    const left = remaining(turn) ?? 0
    const low = reads.find((read) => numberOf(read) < left - tolerance)
    if (low) return fail(`${left} credits left`, `${numberOf(low)} left`, low)
  }
  const reads = paid.flatMap(([, ...after]) => after)
  const [turn, last] = [paid.at(-1)?.[0], reads.at(-1)]
  if (!turn || !last) return inconclusive('the usage was not read')
  const [left, read] = [remaining(turn) ?? 0, numberOf(last)]
  if (!lags(turn, last, dialect)) return pass
  const lefts = paid.map(([one]) => remaining(one))
  const isPaid = new Set(lefts).size > 1
  if (isPaid && reads.every((one) => numberOf(one) === read))
    return fail(`a usage that follows paid turns, ${left} credits left`, `${read} left at every read`, last)
  if (wereAdded(left, read, used(turn) ?? 0))
    return inconclusive(
      `credits were added, or the usage lags: ${left} were left, and the usage shows ${read}`,
    )
  return warn(`${left} credits left`, `${read} left, though there was time to catch up`, last)
}
