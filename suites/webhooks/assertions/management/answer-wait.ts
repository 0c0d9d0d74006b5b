/** Judgements on the timeout for a response: about ten seconds, so at least six and at most fifteen. */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { endedBySuccess, placeCount } from './attempts.ts'
import { answeredWith, arrivedAt, occurrencesIn, overAt, took2xx, type Attempts } from '../deliveries.ts'
import { arrivalsFirst } from '../delivery.ts'
import { fail, every, inconclusive, pass, warn } from '../../../scenario/expect.ts'

/** The timeout that a sender must allow, and the one that it must not exceed. */
const [shortest, longest] = [6_000, 15_000]

/** Responses delayed by less than six seconds counted: the delivery was not repeated. */
export function waitedFor(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const deliveries = occurrencesIn(arrived)
    const left = deliveries.find(([first]) => answeredWith(first) === null && heldMs(first) < shortest)
    if (left) {
      const got = `the sender went away after ${seconds(heldMs(left[0]))}`
      return fail('a sender that waits at least six seconds', got, left[0])
    }
    const inTime = deliveries.filter(
      ([first]) => took2xx(first) && heldMs(first) > 1_000 && heldMs(first) <= shortest,
    )
    if (inTime.length === 0) return inconclusive('no answer was given within the time that it was to take')
    const overtaken = inTime.filter(isOvertaken)
    return inTime.length > 1 && overtaken.length === inTime.length
      ? warn('no further attempt while an answer is awaited', 'one for each delivery', overtaken[0]?.[1])
      : endedBySuccess(inTime)
  })
}

/**
 * The delivery was repeated during the delay of its first response; a duplicate would arrive together with the first
 * attempt.
 */
function isOvertaken([first, ...later]: Attempts): boolean {
  return later.some((one) => arrivedAt(one) > arrivedAt(first) + 1_000 && arrivedAt(one) < overAt(first))
}

/** Deliveries whose first attempt had no response within fifteen seconds were repeated. */
export function gaveUpOn(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const held = occurrencesIn(arrived).filter(
      ([first]) => answeredWith(first) === null || heldMs(first) > longest,
    )
    if (held.length === 0) return inconclusive('every answer was given within fifteen seconds')
    return nextAfterSilence(arrived, held)
  })
}

function nextAfterSilence(arrived: readonly Exchange[], held: readonly Attempts[]): Judgement {
  return every(held, (attempts) => {
    const [first] = attempts
    if (attempts.length > 1) return pass
    if (placeCount(arrived, first) > 1) return inconclusive('other deliveries came in between')
    const how =
      answeredWith(first) === null ? 'none came' : `one came after ${seconds(heldMs(first))}, and counted`
    return fail('a second attempt where no answer came within fifteen seconds', how, first)
  })
}

const heldMs = (exchange: Exchange): number => overAt(exchange) - arrivedAt(exchange)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
