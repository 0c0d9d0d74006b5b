/**
 * Judgements on a request that was sent while the turn of its key was in flight. A refusal requires only an overlap;
 * any other response is judged only if the times prove that the turn was still running.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answered, code, codesOf, shown, statusOf } from '../../assertions/answer.ts'
import { fail, check, given, inconclusive, pass } from '../../scenario/expect.ts'
import { isAnotherRun, ran, unless } from '../../assertions/once.ts'
import { overlap } from './race.ts'

/** Allowance for network and event loop jitter, beside the round trip. */
const doubtMs = 80

/**
 * Passes if the duplicate would have been answered before the turn ended, had it taken up to twice as long as the
 * replay `quick`. The turn must have run for `first`; if the other request overtook it, the result is inconclusive.
 */
export function certainlyInFlight(first: Exchange, duplicate: Exchange, quick: Exchange): Judgement {
  return given(ran(first), () => {
    const neededMs = 2 * (quick.endedAt - quick.sentAt) + doubtMs
    const latest = duplicate.sentAt + neededMs
    if (duplicate.sentAt > first.sentAt && latest < first.endedAt) return pass
    const took = first.endedAt - first.sentAt
    const isLate = duplicate.sentAt >= first.endedAt && took > neededMs
    return inconclusive(
      isLate
        ? `the turn of ${Math.round(took)} ms had ended before this request was sent: the request before it was not answered sooner`
        : `the turn was too short: ${Math.round(took)} ms`,
    )
  })
}

/** The duplicate is refused with 409. */
export function refusedInFlight(first: Exchange, duplicate: Exchange, quick: Exchange): Judgement {
  return given(ran(first), () =>
    given(answered(duplicate), () => {
      const status = statusOf(duplicate)
      if (status === 409) return overlap(first, duplicate) ? pass : inconclusive('the two did not meet')
      const found = fail('409 while the turn runs', `${status}: ${shown(duplicate, 80)}`, duplicate, {
        status: [409, 409],
      })
      return isAnotherRun(first, duplicate)
        ? found
        : given(certainlyInFlight(first, duplicate, quick), () => found)
    }),
  )
}

export function sameInFlight(first: Exchange, duplicate: Exchange, quick: Exchange): Judgement {
  return unless(refusedInFlight(first, duplicate, quick), () => code(duplicate, 'REQUEST_IN_PROGRESS'))
}

/** A different message is refused with either matching code: the key is used, and it is in flight. */
export function otherInFlight(first: Exchange, other: Exchange, quick: Exchange): Judgement {
  return unless(refusedInFlight(first, other, quick), () =>
    check(
      codesOf(other).some((one) => one === 'REQUEST_IN_PROGRESS' || one === 'IDEMPOTENCY_CONFLICT'),
      'REQUEST_IN_PROGRESS or IDEMPOTENCY_CONFLICT',
      shown(other),
      other,
    ),
  )
}
