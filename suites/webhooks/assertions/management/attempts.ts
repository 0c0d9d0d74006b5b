/**
 * Judgements on how often a delivery is tried. Attempts of one delivery carry the same id; other deliveries may come
 * to the same place meanwhile, and a delivery may come twice, because at least once is what was promised.
 */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  answeredWith,
  attemptsIn,
  beganAt,
  deliveriesIn,
  deliveryId,
  envelope,
  isAnotherEvent,
  occurrencesIn,
  overAt,
  took2xx,
  type Attempts,
} from '../deliveries.ts'
import { arrivalsFirst } from '../delivery.ts'
import {
  broken,
  check,
  every,
  given,
  inconclusive,
  observed,
  pass,
  weak,
  measured,
} from '../../../scenario/expect.ts'

/** `within`: seconds within which the first attempt came, as the scenario noted it: 5, 15, or 0 for later. */
export function cameAtOnce(arrived: readonly Exchange[], within: unknown): Judgement {
  return arrivalsFirst(arrived, ([first]) => {
    if (within === 5) return pass
    const expected = 'a first attempt within 5 s of the event'
    if (within === 15) return weak(expected, 'one within 15 s', first)
    return broken(expected, 'none within 15 s', first)
  })
}

/**
 * No attempt follows the first one that was answered 2xx. Delivery is at least once, so a duplicate is allowed: `weak`
 * only where each of several deliveries to one endpoint came again.
 */
export function endedBySuccess(deliveries: readonly Attempts[]): Judgement {
  const ended = deliveries.filter((attempts) => attempts.some(took2xx))
  const again = ended.filter((attempts) => comingsAfter(attempts) > 0)
  if (ended.length === 0) return inconclusive('no delivery was answered with a success')
  if (again.length === 0) return pass
  const got = `${again.length} of ${ended.length} deliveries came again`
  const byPlace = [...Map.groupBy(ended, ([{ inbound }]) => inbound?.place).values()]
  const repeating = byPlace.some((here) => here.length > 1 && here.every((one) => again.includes(one)))
  return repeating
    ? weak('no further attempt after a success', got, again[0]?.at(-1))
    : { is: 'pass', note: got }
}

/** How often the same event came again under the same id. */
function comingsAfter(attempts: Attempts): number {
  const at = attempts.findIndex(took2xx)
  const taken = attempts[at]
  return taken ? attempts.slice(at + 1).filter((later) => !isAnotherEvent(taken, later)).length : 0
}

/** As `endedBySuccess`, for each of these answers by itself: a sender may know some of them and not others. */
export function endedBy(arrived: readonly Exchange[], statuses: readonly number[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const deliveries = deliveriesIn(arrived)
    return every(statuses, (status) => {
      const judged = endedBySuccess(deliveries.filter(([first]) => answeredWith(first) === status))
      return judged.is === 'weak' ? { ...judged, expected: `no further attempt after ${status}` } : judged
    })
  })
}

/** Of deliveries whose first attempt failed: the second one succeeded, and no third came. */
export function endedLate(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () =>
    endedBySuccess(
      deliveriesIn(arrived).filter(
        ([first, second]) => !took2xx(first) && second !== undefined && took2xx(second),
      ),
    ),
  )
}

/**
 * After so many attempts that all failed one more came, of every delivery that failed so far. The scenario waited for
 * it as long as nothing else came to the same place.
 */
export function nextAfter(arrived: readonly Exchange[], failures: number): Judgement {
  return arrivalsFirst(arrived, () => {
    const failing = occurrencesIn(arrived).filter((attempts) => failedThrough(attempts, failures))
    if (failing.length === 0) return inconclusive(`no delivery came to ${ordinal(failures)} failure`)
    return every(failing, (attempts) => {
      if (attempts.length > failures) return pass
      if (placeCount(arrived, attempts[0]) > failures)
        return inconclusive('other deliveries came in between, and the scenario did not wait longer')
      const why = outcomeOf(attempts[failures - 1])
      const got = 'none for as long as a delivery is waited for'
      return broken(`${ordinal(failures + 1)} attempt after ${why}`, got, attempts.at(-1))
    })
  })
}

/** Whether the first so many attempts came, and none of them was answered 2xx. */
function failedThrough(attempts: Attempts, failures: number): boolean {
  return attempts.length >= failures && !attempts.slice(0, failures).some(took2xx)
}

/** How many attempts came to the place of this one, of whatever delivery. */
export function placeCount(arrived: readonly Exchange[], { inbound }: Exchange): number {
  return attemptsIn(arrived).filter((one) => one.inbound?.place === inbound?.place).length
}

function outcomeOf(exchange: Exchange | undefined): string {
  const status = exchange ? answeredWith(exchange) : null
  return status === null ? 'no answer' : `${status}`
}

const ordinals: readonly string[] = ['no', 'a first', 'a second', 'a third', 'a fourth']
const ordinal = (number: number): string => ordinals[number] ?? `a ${number}th`

/**
 * None of the deliveries that failed three times was tried a fourth time while the scenario waited. `control` came to
 * the same receiver afterwards.
 */
export function noFourth(arrived: readonly Exchange[], control: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const failing = occurrencesIn(arrived).filter((attempts) => failedThrough(attempts, 3))
    if (failing.length === 0) return inconclusive('no delivery came to a third failure')
    const more = failing.filter((attempts) => attempts.length > 3)
    const got = `${more.length} of ${failing.length} deliveries were tried ${more[0]?.length} times`
    if (more.length > 0 && more.length === failing.length)
      return broken('three attempts at most', got, more[0]?.[3])
    if (more.length > 0) return weak('three attempts at most', got, more[0]?.[3])
    return attemptsIn(control).length > 0
      ? pass
      : inconclusive('afterwards nothing came to the receiver any more, so that silence tells nothing')
  })
}

/** After a failure the delivery comes again under the id that it had. */
export function sameIds(arrived: readonly Exchange[]): Judgement {
  return retried(arrived, (attempts) => {
    const again = attempts.filter((_, at) => at === 0 || !attempts.slice(0, at).some(took2xx))
    const ids = new Set(again.map(deliveryId))
    if (ids.has(null)) return inconclusive('an attempt had no id')
    return check(ids.size === 1, 'the same id at every attempt', [...ids].join(', '), again.at(-1))
  })
}

/** Of deliveries that were tried again: from the end of each failure to the next attempt, in milliseconds. */
function waits(attempts: Attempts): readonly number[] {
  const before = attempts.slice(0, -1).filter((one) => answeredWith(one) !== null && !took2xx(one))
  return before.flatMap((failed) => {
    const next = attempts[attempts.indexOf(failed) + 1]
    return next ? [beganAt(next) - overAt(failed)] : []
  })
}

/** What takes no longer than this is no wait: the answer has hardly reached the sender. */
const atOnceMs = 50

export function waitsBetween(arrived: readonly Exchange[]): Judgement {
  return retried(arrived, (attempts) => {
    const all = waits(attempts)
    const none = all.filter((ms) => ms <= atOnceMs)
    const got = `${none.map((ms) => Math.round(ms)).join(', ')} ms`
    if (all.length === 0) return inconclusive('no attempt followed a failure that was answered')
    if (none.length === 0) return pass
    const judged = none.length === all.length ? broken : weak
    return judged('some time between a failure and the next attempt', got, attempts[1])
  })
}

/** How long the waits were, in whole seconds. */
export function waitsSeen(arrived: readonly Exchange[]): Judgement {
  return retried(arrived, (attempts) => {
    const seconds = waits(attempts).map((ms) => `${Math.round(ms / 1000)} s`)
    return seconds.length > 0 ? measured(seconds.join(', then ')) : inconclusive('no wait was seen')
  })
}

/** What moves on in the body from one attempt to the next. */
export function bodiesSeen(arrived: readonly Exchange[]): Judgement {
  return retried(arrived, ([first, ...again]) => {
    const same = again.every((one) => Buffer.from(one.request.body).equals(first.request.body))
    if (same) return observed('all attempts send the same bytes')
    const [a, b] = [envelope(first), envelope(again.at(-1) ?? first)]
    return observed(
      a?.['timestamp'] === b?.['timestamp'] ? 'the bytes differ' : 'the timestamp moves on with the attempt',
    )
  })
}

function retried(arrived: readonly Exchange[], judge: (attempts: Attempts) => Judgement): Judgement {
  return arrivalsFirst(arrived, () => {
    const tried = occurrencesIn(arrived).filter((attempts) => attempts.length > 1 && !took2xx(attempts[0]))
    return tried.length > 0
      ? every(tried, judge)
      : inconclusive('no delivery was tried again after a failure')
  })
}

/** Nobody listened when the event happened, as something else of the same event shows; then it came. */
export function cameOnceReachable(arrived: readonly Exchange[], control: readonly Exchange[]): Judgement {
  if (attemptsIn(arrived).length > 0) return pass
  return given(
    arrivalsFirst(control, () => pass),
    () => broken('another attempt once the endpoint could be reached', 'none', attemptsIn(control)[0]),
  )
}

/** By the answer that sent a delivery elsewhere: what came to the first address, and what came there. */
export type Redirected = Readonly<
  Record<string, readonly [arrived: readonly Exchange[], elsewhere: readonly Exchange[]]>
>

/** An answer 3xx is a failure, unless the delivery went on to where it leads: then the answer there counts. */
export function unlessFollowed(arrived: readonly Exchange[], elsewhere: readonly Exchange[]): Judgement {
  return elsewhere.length > 0 ? pass : nextAfter(arrived, 1)
}

/** What becomes of an answer that sends a delivery elsewhere. */
export function redirects(cases: Redirected): Judgement {
  const rows = Object.entries(cases)
  return arrivalsFirst(
    rows.flatMap(([, [arrived]]) => arrived),
    () =>
      observed(
        rows.map(([status, [arrived, elsewhere]]) => `${status}: ${fateOf(arrived, elsewhere)}`).join('; '),
      ),
  )
}

function fateOf(arrived: readonly Exchange[], elsewhere: readonly Exchange[]): string {
  const methods = new Set(elsewhere.map(({ request }) => request.method))
  const again = occurrencesIn(arrived).some((attempts) => attempts.length > 1)
  const followed = methods.size > 0 ? `followed with ${[...methods].sort().join(' and ')}` : 'not followed'
  return `${followed}, ${again ? 'tried again' : 'not tried again'}`
}

/** Whether samples are tried again when they fail. */
export function samplesRetried(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const most = Math.max(...occurrencesIn(arrived).map((attempts) => attempts.length))
    return observed(most > 1 ? `a failing test was tried ${most} times` : 'a failing test was tried once')
  })
}

/** Whether deliveries came in the order of their events, as their timestamps tell. */
export function orderSeen(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const firsts = deliveriesIn(arrived).map(([first]) => String(envelope(first)?.['timestamp']))
    if (new Set(firsts).size < 2) return inconclusive('fewer than two times to compare')
    const sorted = firsts.every((time, at) => at === 0 || (firsts[at - 1] ?? '') <= time)
    return observed(sorted ? 'in the order of their events' : 'in another order than their events')
  })
}
