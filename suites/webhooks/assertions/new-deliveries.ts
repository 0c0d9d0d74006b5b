/** What reached an endpoint before and after something was done. Duplicates of what came before count for before. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { attemptsIn, deliveryId, eventOf } from './deliveries.ts'
import { check, given, inconclusive, pass } from '../../scenario/expect.ts'
import { taken } from './management/managed.ts'

/** Attempts that came once the request was on its way; journal ids count in the order of coming and going. */
export function since(arrived: readonly Exchange[], moment: Exchange): readonly Exchange[] {
  const attempts = attemptsIn(arrived)
  const before = new Set(attempts.filter(({ id }) => id < moment.id).map(deliveryId))
  return attempts.filter((one) => one.id > moment.id && !before.has(deliveryId(one)))
}

export function until(arrived: readonly Exchange[], moment: Exchange): readonly Exchange[] {
  return attemptsIn(arrived).filter(({ id }) => id < moment.id)
}

/** The control beside what must not come: something came here. */
export function came(attempts: readonly Exchange[], where: string): Judgement {
  return attempts.length > 0 ? pass : inconclusive(`nothing reached ${where}`)
}

/** Something had to come, and the receiver is known to be within reach. */
export function reached(attempts: readonly Exchange[], expected: string, beside: Exchange): Judgement {
  return check(attempts.length > 0, expected, 'nothing came', beside)
}

/** Nothing came of these events. */
export function silent(attempts: readonly Exchange[], expected: string): Judgement {
  const [first] = attempts
  return check(first === undefined, expected, `a delivery of ${first && eventOf(first)}`, first)
}

/** What was asked for was taken, the endpoint was reached before and a probe beside it is reached still. */
export function quietSince(
  moment: Exchange,
  quiet: readonly Exchange[],
  witness: readonly Exchange[],
  expected: string,
): Judgement {
  return given(taken(moment), () =>
    given(came(until(quiet, moment), 'the endpoint before'), () =>
      given(came(since(witness, moment), 'the other endpoint afterwards'), () =>
        silent(since(quiet, moment), expected),
      ),
    ),
  )
}
