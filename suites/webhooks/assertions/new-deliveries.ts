/** Requests to an endpoint before and after a moment. Duplicates of earlier deliveries count as earlier. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { attemptsIn, deliveryId, deliveredEvent } from './deliveries.ts'
import { check, given, inconclusive, pass } from '../../scenario/expect.ts'
import { requestAccepted } from './management/managed.ts'

/** Attempts that arrived after the request was sent; journal ids follow the order of events. */
export function since(arrived: readonly Exchange[], moment: Exchange): readonly Exchange[] {
  const attempts = attemptsIn(arrived)
  const before = new Set(attempts.filter(({ id }) => id < moment.id).map(deliveryId))
  return attempts.filter((one) => one.id > moment.id && !before.has(deliveryId(one)))
}

export function until(arrived: readonly Exchange[], moment: Exchange): readonly Exchange[] {
  return attemptsIn(arrived).filter(({ id }) => id < moment.id)
}

/** The control of an absence: something arrived here. */
export function someArrived(attempts: readonly Exchange[], where: string): Judgement {
  return attempts.length > 0 ? pass : inconclusive(`nothing reached ${where}`)
}

/** Something had to arrive, and the receiver is known to be reachable. */
export function reached(attempts: readonly Exchange[], expected: string, beside: Exchange): Judgement {
  return check(attempts.length > 0, expected, 'nothing came', beside)
}

export function noneArrived(attempts: readonly Exchange[], expected: string): Judgement {
  const [first] = attempts
  return check(first === undefined, expected, `a delivery of ${first && deliveredEvent(first)}`, first)
}

/** The request was accepted, the endpoint was reached before, and a probe beside it still is. */
export function quietSince(
  moment: Exchange,
  quiet: readonly Exchange[],
  control: readonly Exchange[],
  expected: string,
): Judgement {
  return given(requestAccepted(moment), () =>
    given(someArrived(until(quiet, moment), 'the endpoint before'), () =>
      given(someArrived(since(control, moment), 'the other endpoint afterwards'), () =>
        noneArrived(since(quiet, moment), expected),
      ),
    ),
  )
}
