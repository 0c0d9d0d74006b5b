/** Judgements on how long an answer is waited for: about ten seconds, and so at least six and at most fifteen. */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { endedBySuccess, placeCount } from './attempts.ts'
import { answeredWith, beganAt, occurrencesIn, overAt, took2xx, type Attempts } from '../deliveries.ts'
import { arrivalsFirst } from '../delivery.ts'
import { broken, every, inconclusive, pass, weak } from '../../../scenario/expect.ts'

/** What a wait for an answer has to allow, and what it must not. */
const [shortest, longest] = [6_000, 15_000]

/** Answers that were held back, but came within six seconds, counted: nothing came again. */
export function waitedFor(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const deliveries = occurrencesIn(arrived)
    const left = deliveries.find(([first]) => answeredWith(first) === null && heldMs(first) < shortest)
    if (left) {
      const got = `the sender went away after ${seconds(heldMs(left[0]))}`
      return broken('a sender that waits at least six seconds', got, left[0])
    }
    const inTime = deliveries.filter(
      ([first]) => took2xx(first) && heldMs(first) > 1_000 && heldMs(first) <= shortest,
    )
    if (inTime.length === 0) return inconclusive('no answer was given within the time that it was to take')
    const overtaken = inTime.filter(isOvertaken)
    return inTime.length > 1 && overtaken.length === inTime.length
      ? weak('no further attempt while an answer is awaited', 'one for each delivery', overtaken[0]?.[1])
      : endedBySuccess(inTime)
  })
}

/** The delivery came again while its first answer was held back; a duplicate comes together with the first attempt. */
function isOvertaken([first, ...later]: Attempts): boolean {
  return later.some((one) => beganAt(one) > beganAt(first) + 1_000 && beganAt(one) < overAt(first))
}

/** Of deliveries whose first attempt had no answer within fifteen seconds another attempt came. */
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
    return broken('a second attempt where no answer came within fifteen seconds', how, first)
  })
}

const heldMs = (exchange: Exchange): number => overAt(exchange) - beganAt(exchange)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
