/**
 * Judgements on the attempts of a delivery. Attempts of one delivery share an id; other deliveries may reach the same
 * endpoint meanwhile, and a delivery may be duplicated, since at-least-once delivery is promised.
 */
import type { Context, Judgement } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import {
  arrivalsFirst,
  answeredWith,
  attemptsIn,
  arrivedAt,
  deliveriesIn,
  deliveryId,
  envelope,
  isAnotherEvent,
  occurrencesIn,
  overAt,
  took2xx,
  type Attempts,
} from '../deliveries.ts'
import {
  fail,
  check,
  every,
  given,
  inconclusive,
  observed,
  pass,
  warn,
  measured,
} from '../../../scenario/expect.ts'

/** `within`: seconds until the first attempt, as noted by the scenario: 5, 15, or 0 for later. */
export function cameAtOnce(arrived: readonly Exchange[], within: unknown): Judgement {
  return arrivalsFirst(arrived, ([first]) => {
    if (within === 5) return pass
    const expected = 'a first attempt within 5 s of the event'
    if (within === 15) return warn(expected, 'one within 15 s', first)
    return fail(expected, 'none within 15 s', first)
  })
}

/**
 * No attempt follows the first one with a 2xx response. Delivery is at least once, so a duplicate is allowed: warns
 * only if each of several deliveries to one endpoint was repeated.
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
    ? warn('no further attempt after a success', got, again[0]?.at(-1))
    : { is: 'pass', note: got }
}

/** How often the same event arrived again with the same id. */
function comingsAfter(attempts: Attempts): number {
  const at = attempts.findIndex(took2xx)
  const taken = attempts[at]
  return taken ? attempts.slice(at + 1).filter((later) => !isAnotherEvent(taken, later)).length : 0
}

/**
 * Like `endedBySuccess`, for each of these statuses separately: a sender may handle some of them and not others. One
 * that does not take a status for a success makes all attempts of each delivery, and no further one of those in
 * between that it does: duplicates, also many in a row, do not come like this.
 */
export function endedBy(arrived: readonly Exchange[], statuses: readonly number[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const deliveries = deliveriesIn(arrived)
    return every(statuses, (status) => {
      const own = deliveries.filter(([first]) => answeredWith(first) === status)
      const judged = endedBySuccess(own)
      if (judged.is !== 'warn') return judged
      const isBeside = ([{ inbound }]: Attempts) => own.some(([one]) => one.inbound?.place === inbound?.place)
      const others = deliveries.filter((one) => isBeside(one) && !own.includes(one))
      const isRetried =
        own.every((attempts) => comingsAfter(attempts) >= 2) &&
        others.length > 0 &&
        others.every((attempts) => comingsAfter(attempts) === 0)
      return { ...judged, is: isRetried ? 'fail' : 'warn', expected: `no further attempt after ${status}` }
    })
  })
}

/** Of deliveries whose first attempt failed: the second one succeeded, and no third arrived. */
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
 * After this many failed attempts one more arrived, for every delivery that failed so far. The scenario waited for it
 * until more than `most` requests had arrived at the same endpoint.
 */
export function nextAfter(
  arrived: readonly Exchange[],
  failures: number,
  deliveries = occurrencesIn(arrived),
  most = failures,
): Judgement {
  return arrivalsFirst(arrived, () => {
    const failing = deliveries.filter((attempts) => failedThrough(attempts, failures))
    if (failing.length === 0) return inconclusive(`no delivery came to ${ordinal(failures)} failure`)
    return every(failing, (attempts) => {
      if (attempts.length > failures) return pass
      if (placeCount(arrived, attempts[0]) > most)
        return inconclusive('other deliveries came in between, and the scenario did not wait longer')
      const exchange = attempts[failures - 1]
      const status = exchange ? answeredWith(exchange) : null
      const why = status === null ? 'no answer' : `${status}`
      const got = 'none for as long as a delivery is waited for'
      return fail(`${ordinal(failures + 1)} attempt after ${why}`, got, attempts.at(-1))
    })
  })
}

/** A shorter interval is no wait: the response has hardly reached the sender. */
const atOnceMs = 50

/** Delivery is at least once: it came again with the same id after it was taken, or before it was answered. */
function isSentTwice([first, second]: Attempts): boolean {
  if (!second || answeredWith(first) === null || deliveryId(first) !== deliveryId(second)) return false
  return took2xx(first) || arrivedAt(second) < overAt(first)
}

/** Whether this many first attempts arrived, none with a 2xx response. */
function failedThrough(attempts: Attempts, failures: number): boolean {
  return attempts.length >= failures && !attempts.slice(0, failures).some(took2xx)
}

/** The number of attempts at the endpoint of this one, of any delivery. */
export function placeCount(arrived: readonly Exchange[], { inbound }: Exchange): number {
  return attemptsIn(arrived).filter((one) => one.inbound?.place === inbound?.place).length
}

const ordinals: readonly string[] = ['no', 'a first', 'a second', 'a third', 'a fourth']
const ordinal = (number: number): string => ordinals[number] ?? `a ${number}th`

/**
 * No delivery that failed three times was attempted a fourth time while the scenario waited. `control` took the event,
 * and a later delivery if `isReachable`. A sender that repeats what was taken there may have repeated first attempts.
 */
export function noFourth(
  arrived: readonly Exchange[],
  control: readonly Exchange[],
  isReachable: boolean,
): Judgement {
  return arrivalsFirst(arrived, () => {
    const failing = occurrencesIn(arrived).filter((attempts) => failedThrough(attempts, 3))
    if (failing.length === 0) return inconclusive('no delivery came to a third failure')
    const more = failing.filter((attempts) => attempts.length > 3)
    const got = `${more.length} of ${failing.length} deliveries were tried ${more[0]?.length} times`
    const repeated = [...failing, ...deliveriesIn(control)].some(isSentTwice) ? 1 : 0
    const tried = failing.filter((attempts) => attempts.length - repeated > 3)
    if (more.length > 0 && tried.length === failing.length)
      return fail('three attempts at most', got, more[0]?.[3])
    if (more.length > 0) return warn('three attempts at most', got, more[0]?.[3])
    return isReachable
      ? pass
      : inconclusive('nothing reached the receiver afterwards, so silence is inconclusive')
  })
}

export function sameIds(arrived: readonly Exchange[]): Judgement {
  return retried(arrived, (attempts) => {
    const again = attempts.filter((_, at) => at === 0 || !attempts.slice(0, at).some(took2xx))
    const ids = new Set(again.map(deliveryId))
    if (ids.has(null)) return inconclusive('an attempt had no id')
    return check(ids.size === 1, 'the same id at every attempt', [...ids].join(', '), again.at(-1))
  })
}

/**
 * So many events came under as many ids, those too that failed at first: what comes again under another is counted as
 * a further event. `control` took each at once.
 */
export function idsAsEvents(
  arrived: readonly Exchange[],
  control: readonly Exchange[],
  events: number,
): Judgement {
  const ids = (attempts: readonly Exchange[]) => new Set(attempts.map(deliveryId))
  return arrivalsFirst(arrived, (attempts) => {
    if (ids([...attempts, ...control]).has(null)) return inconclusive('an attempt had no id')
    if (ids(attemptsIn(control)).size !== events) return inconclusive('other events may have come')
    const places = [...Map.groupBy(attempts, ({ inbound }) => inbound?.place).values()]
    const expected = 'the same id at every attempt'
    if (places.every((here) => here.length === ids(here).size && here.length <= events))
      return inconclusive('no delivery was tried again after a failure')
    return every(places, (here) =>
      check(ids(here).size <= events, expected, `${ids(here).size} ids for ${events} events`, here.at(-1)),
    )
  })
}

/** For repeated deliveries, the milliseconds from the end of each failure to the next attempt. */
function waits(attempts: Attempts): readonly number[] {
  const before = attempts.slice(0, -1).filter((one) => answeredWith(one) !== null && !took2xx(one))
  return before.flatMap((failed) => {
    const next = attempts[attempts.indexOf(failed) + 1]
    return next ? [arrivedAt(next) - overAt(failed)] : []
  })
}

/** The factor of the target on the times of the contract, as the scenario noted it. */
export const scaleIn = ({ scale = 1 }: Context['notes']): number => Number(scale)

export function waitsBetween(arrived: readonly Exchange[], scale: number): Judgement {
  return retried(arrived, (attempts) => {
    const all = waits(attempts)
    const none = all.filter((ms) => ms <= atOnceMs * Math.min(1, scale))
    const got = `${none.map((ms) => Math.round(ms)).join(', ')} ms`
    if (all.length === 0) return inconclusive('no attempt followed a failure that was answered')
    if (none.length === 0) return pass
    const judged = none.length === all.length ? fail : warn
    return judged('some time between a failure and the next attempt', got, attempts[1])
  })
}

export function waitsSeen(arrived: readonly Exchange[]): Judgement {
  return retried(arrived, (attempts) => {
    const seconds = waits(attempts).map((ms) => `${Math.round(ms / 1000)} s`)
    return seconds.length > 0 ? measured(seconds.join(', then ')) : inconclusive('no wait was seen')
  })
}

/** The differences between the bodies of successive attempts. */
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

/** A repeated delivery has each member of the event data of its first attempt; what stands in them may move on. */
export function keepsPayload(arrived: readonly Exchange[]): Judgement {
  const namesOf = (one: Exchange): readonly string[] => Object.keys(envelope(one)?.['payload'] ?? {})
  return retried(arrived, ([first, ...again]) =>
    every(again, (one) => {
      const lost = namesOf(first).filter((name) => !namesOf(one).includes(name))
      const expected = `a payload with ${lost.join(', ')}, as at first`
      return check(lost.length === 0, expected, namesOf(one).join(', ') || 'an empty one', one)
    }),
  )
}

function retried(arrived: readonly Exchange[], judge: (attempts: Attempts) => Judgement): Judgement {
  return arrivalsFirst(arrived, () => {
    const tried = occurrencesIn(arrived).filter((attempts) => attempts.length > 1 && !took2xx(attempts[0]))
    return tried.length > 0
      ? every(tried, judge)
      : inconclusive('no delivery was tried again after a failure')
  })
}

/** The endpoint did not listen at the time of the event, as a control shows; later the delivery arrived. */
export function cameOnceReachable(arrived: readonly Exchange[], control: readonly Exchange[]): Judgement {
  if (attemptsIn(arrived).length > 0) return pass
  return given(
    arrivalsFirst(control, () => pass),
    () => fail('another attempt once the endpoint could be reached', 'none', attemptsIn(control)[0]),
  )
}

/** By the redirecting status: deliveries that were sent there, and requests at the second address. */
type Redirected = Readonly<
  Record<string, readonly [deliveries: readonly Attempts[], elsewhere: readonly Exchange[]]>
>

export function redirects(cases: Redirected): Judgement {
  const rows = Object.entries(cases)
  if (rows.every(([, [deliveries]]) => deliveries.length === 0))
    return inconclusive('no delivery reached the receiver')
  return observed(rows.map(([status, [...fate]]) => `${status}: ${fateOf(...fate)}`).join('; '))
}

function fateOf(deliveries: readonly Attempts[], elsewhere: readonly Exchange[]): string {
  const methods = new Set(elsewhere.map(({ request }) => request.method))
  const again = deliveries.some((attempts) => attempts.length > 1)
  const followed = methods.size > 0 ? `followed with ${[...methods].sort().join(' and ')}` : 'not followed'
  return `${followed}, ${again ? 'tried again' : 'not tried again'}`
}

export function samplesRetried(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const most = Math.max(...occurrencesIn(arrived).map((attempts) => attempts.length))
    return observed(most > 1 ? `a failing test was tried ${most} times` : 'a failing test was tried once')
  })
}

/** Records whether deliveries arrived in the order of their events, by their timestamps. */
export function orderSeen(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, () => {
    const firsts = deliveriesIn(arrived).map(([first]) => String(envelope(first)?.['timestamp']))
    if (new Set(firsts).size < 2) return inconclusive('fewer than two times to compare')
    const sorted = firsts.every((time, at) => at === 0 || (firsts[at - 1] ?? '') <= time)
    return observed(sorted ? 'in the order of their events' : 'in another order than their events')
  })
}
