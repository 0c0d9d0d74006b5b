/**
 * Judgements on a request that was sent while the turn of its key was in flight. A refusal requires only an overlap;
 * any other response is judged only if the times prove that the turn was still running.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answered, code, codesOf, shown, statusOf } from '../../assertions/answer.ts'
import { fail, check, given, inconclusive, pass, every, inTurn, need } from '../../scenario/expect.ts'
import { isAnotherRun, ran, fromTheRecord } from '../../assertions/once.ts'
import { overlap, atMostOneRun, byKey } from './race.ts'
import { isFresh, isReplay, remaining, used, withoutCredits } from '../../assertions/reply.ts'
import { asked, replied } from '../../assertions/turn.ts'

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

export function refusedInFlight(first: Exchange, duplicate: Exchange, quick: Exchange): Judgement {
  return inTurn(need(ran(first)), need(answered(duplicate)), () => {
    const status = statusOf(duplicate)
    if (status === 409) return overlap(first, duplicate) ? pass : inconclusive('the two did not meet')
    const found = fail('409 while the turn runs', `${status}: ${shown(duplicate, 80)}`, duplicate)
    return isAnotherRun(first, duplicate)
      ? found
      : given(certainlyInFlight(first, duplicate, quick), () => found)
  })
}

export function sameInFlight(first: Exchange, duplicate: Exchange, quick: Exchange): Judgement {
  return inTurn(refusedInFlight(first, duplicate, quick), code(duplicate, 'REQUEST_IN_PROGRESS'))
}

/** A different message is refused with either matching code: the key is used, and it is in flight. */
export function otherInFlight(first: Exchange, other: Exchange, quick: Exchange): Judgement {
  return inTurn(refusedInFlight(first, other, quick), () =>
    check(
      codesOf(other).some((one) => one === 'REQUEST_IN_PROGRESS' || one === 'IDEMPOTENCY_CONFLICT'),
      'REQUEST_IN_PROGRESS or IDEMPOTENCY_CONFLICT',
      shown(other),
      other,
    ),
  )
}

/** Judgements on turns that the client aborted and then sent again with the same key until the response was final. */
type Exchanges = readonly Exchange[]

const gone = (exchange: Exchange): boolean => exchange.failure?.kind === 'aborted'

/** Whether another request with the key may still return something else. */
export function stillRunning(exchange: Exchange): boolean {
  return statusOf(exchange) !== 200 && codesOf(exchange).includes('REQUEST_IN_PROGRESS')
}

/**
 * For each aborted key: no second turn runs, and the final response is a replay, a first run, or an uncertain
 * outcome. Any other refusal is inconclusive, as is a key whose client received the whole response.
 */
export function abortedRunsOnce(exchanges: Exchanges): Judgement {
  const left = byKey(exchanges).filter((same) => same.some(gone))
  if (left.length === 0) return inconclusive('every answer came before we went away')
  return every(left, (same) => inTurn(atMostOneRun(same), endsWell(same)))
}

function endsWell(same: Exchanges): Judgement {
  const settled = same.filter((exchange) => !gone(exchange) && !stillRunning(exchange))
  const [final, ...later] = settled
  if (!final) return inconclusive('the turn was still in progress when we stopped asking')
  return given(answered(final), () => {
    const status = statusOf(final)
    if (status === 200)
      return inTurn(replied(final), () =>
        later.length > 0 ? every(later, (one) => fromTheRecord(final, one)) : pass,
      )
    const uncertain = status === 409 && codesOf(final).includes('OUTCOME_UNCERTAIN')
    return uncertain ? pass : inconclusive(`the turn ended in ${status}: ${shown(final, 80)}`)
  })
}

const tolerance = 1e-6

/**
 * Between two turns, each aborted key was charged at most once. A turn that ran costs what it reports; one that was
 * only replayed, or is uncertain, at most the price of a turn, if all turns cost the same.
 */
export function chargedAtMostOnce(before: Exchange, after: Exchange, attempts: Exchanges): Judgement {
  const left = byKey(attempts)
  if (!attempts.some(gone)) return inconclusive('every answer came before we went away')
  if (left.some((same) => same.every((one) => gone(one) || stillRunning(one))))
    return inconclusive('a turn was still in progress when we stopped asking')
  return inTurn(need(replied(before)), need(replied(after)), () => {
    const [start, end, last] = [remaining(before), remaining(after), used(after)]
    if (start === null || end === null || last === null) return withoutCredits(before, after)
    const ran = [before, after, ...attempts.filter(isFresh)]
    const most = left.map((same) => mostOf(same, priceOf(same, ran)))
    if (most.includes(null))
      return inconclusive(
        'turns cost nothing or different amounts, so one charge cannot be distinguished from two',
      )
    const allowed = most.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)
    const spent = start - end - last
    const words = `at most ${allowed} credits for ${left.length} turns`
    return spent > allowed + tolerance ? fail(words, `${spent}`, after) : pass
  })
}

/** The most that one key may have cost; null if unknown. */
function mostOf(same: Exchanges, price: number | null): number | null {
  const fresh = same.find((exchange) => isFresh(exchange) && used(exchange) !== null)
  if (fresh) return used(fresh)
  const replays = same.filter(isReplay).map(used)
  return price === null ? null : Math.max(price, ...replays.map((amount) => amount ?? 0))
}

/**
 * The price of a turn with this key: that of turns with the same message to the same agent, else of all turns that
 * ran.
 */
function priceOf([one]: Exchanges, ran: Exchanges): number | null {
  const twins = ran.filter((turn) => one && said(turn) === said(one))
  // The price that all these turns share; null if they differ or cost nothing.
  const turns = twins.length > 0 ? twins : ran
  const amounts = turns.map(used).filter((amount) => amount !== null)
  const [first] = amounts
  return first !== undefined && first > 0 && amounts.every((one) => Math.abs(one - first) <= tolerance)
    ? first
    : null
}

const said = (exchange: Exchange): string =>
  JSON.stringify([exchange.request.path, asked(exchange)?.['message']])
