/** When a delivery has succeeded, and how long the sender waits for a response. */
import type { InboundAnswer } from '../../inbound/place.ts'
import { scenario, type Needs, type Judgement } from '../../scenario/scenario.ts'
import {
  endedBy,
  endedBySuccess,
  endedLate,
  nextAfter,
  orderSeen,
  placeCount,
  scaleIn,
} from '../assertions/management/attempts.ts'
import {
  arrivalsFirst,
  deliveriesIn,
  answeredWith,
  arrivedAt,
  occurrencesIn,
  overAt,
  took2xx,
  type Attempts,
} from '../assertions/deliveries.ts'
import { idsApart } from '../assertions/delivery.ts'
import { untilSilent } from '../webhook-requests.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { fail, every, inconclusive, pass, warn } from '../../scenario/expect.ts'

/** The timeout that a sender must allow, and the one that it must not exceed. */
const [shortest, longest] = [6_000, 15_000]

/** Responses delayed by less than six seconds counted: the delivery was not repeated. */
function waitedFor(arrived: readonly Exchange[], scale: number): Judgement {
  const heldMs = (exchange: Exchange): number => lasted(exchange) / scale
  return arrivalsFirst(arrived, () => {
    const deliveries = occurrencesIn(arrived)
    const left = deliveries.find(([first]) => answeredWith(first) === null && heldMs(first) < shortest)
    if (left) {
      const got = `the sender went away after ${seconds(lasted(left[0]))}`
      return fail(`a sender that waits at least ${seconds(shortest * scale)}`, got, left[0])
    }
    const inTime = deliveries.filter(
      ([first]) => took2xx(first) && heldMs(first) > 1_000 && heldMs(first) <= shortest,
    )
    if (inTime.length === 0) return inconclusive('no answer was given within the time that it was to take')
    const overtaken = inTime.filter((attempts) => isOvertaken(attempts, scale))
    return inTime.length > 1 && overtaken.length === inTime.length
      ? warn('no further attempt while an answer is awaited', 'one for each delivery', overtaken[0]?.[1])
      : endedBySuccess(inTime)
  })
}

/**
 * The delivery was repeated during the delay of its first response; a duplicate would arrive together with the first
 * attempt.
 */
function isOvertaken([first, ...later]: Attempts, scale: number): boolean {
  const from = arrivedAt(first) + 1_000 * scale
  return later.some((one) => arrivedAt(one) > from && arrivedAt(one) < overAt(first))
}

/** Deliveries whose first attempt had no response within fifteen seconds were repeated. */
function gaveUpOn(arrived: readonly Exchange[], scale: number): Judgement {
  const within = seconds(longest * scale)
  return arrivalsFirst(arrived, () => {
    const held = occurrencesIn(arrived).filter(
      ([first]) => answeredWith(first) === null || lasted(first) > longest * scale,
    )
    if (held.length === 0) return inconclusive(`every answer was given within ${within}`)
    return nextAfterSilence(arrived, held, within)
  })
}

function nextAfterSilence(
  arrived: readonly Exchange[],
  held: readonly Attempts[],
  within: string,
): Judgement {
  return every(held, (attempts) => {
    const [first] = attempts
    if (attempts.length > 1) return pass
    if (placeCount(arrived, first) > 1) return inconclusive('other deliveries came in between')
    const how =
      answeredWith(first) === null ? 'none came' : `one came after ${seconds(lasted(first))}, and counted`
    return fail(`a second attempt where no answer came within ${within}`, how, first)
  })
}

const lasted = (exchange: Exchange): number => overAt(exchange) - arrivedAt(exchange)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const needs: Needs = { session: true, receiver: true, event: 'any' }

/** Several events for each webhook: a single duplicate is allowed, one for each delivery is not. */
const events = 3

/** Enough for different timestamps of two events. */
const apartMs = 5

const successes = [201, 202, 204, 299] as const

const failsOnce: readonly InboundAnswer[] = [{ status: 500 }, { status: 200 }]

/** Webhooks of one event share the minute in which nothing more may arrive. */
export const delivered = scenario({
  title: 'a delivery with any 2xx response is not tried again, whether to its first or its second attempt',
  exchanges: ['hook', 'other', 'more[]', 'arrived[]', 'elsewhere[]', 'others[]', 'late[]'],
  needs,
  cost: { requests: 2 * (3 + successes.length) + events, turns: events },
  async run(t) {
    const places = [t.endpoint('arrived'), t.endpoint('elsewhere')] as const
    const others = successes.map((status) => t.endpoint('others', { status }))
    const late = t.endpoint('late', ...failsOnce)
    await t.webhook('hook', places[0])
    await t.webhook('other', places[1])
    for (const place of [...others, late]) await t.webhookMore('more', place)
    await t.emit()
    await late.arrived(2)
    const { count } = late
    late.script(...failsOnce)
    await t.emit()
    await t.wait(apartMs)
    await t.emit()
    for (const place of [...places, ...others]) await place.delivered(events)
    await late.arrived(count + 3)
    await untilSilent(t, ...places)
  },
  judge: {
    'ATT-DELIVERED': ({ arrived, elsewhere }) => {
      const all = [...arrived, ...elsewhere]
      return arrivalsFirst(all, () => endedBySuccess(deliveriesIn(all)))
    },
    'ATT-DELIVERED-2XX': ({ others }) => endedBy(others, successes),
    'ATT-DELIVERED-LATE': ({ late }) => endedLate(late),
    // Another event came in between, and its retry is awaited with the fifth request.
    'ATT-SECOND-STATUS': ({ late }) => {
      const own = deliveriesIn(late)
      return own.length < events
        ? inconclusive('events shared an id, or none came')
        : nextAfter(late, 1, own, 4)
    },
    'DLV-ID-UNIQUE': ({ arrived, elsewhere }) => idsApart([arrived, elsewhere], events),
  },
  observe: {
    'GAP-EVENT-ORDER': ({ arrived }) => orderSeen(arrived),
  },
})

const several = 3

/** Below six seconds, with time for the scenario itself. */
const inTimeMs = 5_000
/** Above fifteen. */
const tooLateMs = 16_000
/** Real time for a response to reach the sender before its clock is advanced. */
const onItsWayMs = 200

const heldOnce: readonly InboundAnswer[] = ['hold', { status: 200 }]

export const answeredInTime = scenario({
  title: 'a response after five seconds counts',
  exchanges: ['hooks[]', 'arrived[]'],
  needs,
  cost: { requests: 2 * several + 1, turns: 1 },
  async run(t) {
    const places = Array.from({ length: several }, () => t.endpoint('arrived', ...heldOnce))
    for (const place of places) await t.webhookMore('hooks', place)
    await t.emit()
    for (const place of places) if (!(await place.arrived(1))) t.stop('no delivery reached the receiver')
    t.note('scale', t.scale)
    await t.settle(inTimeMs)
    for (const place of places) place.release()
    await t.pause(onItsWayMs)
    await untilSilent(t, ...places)
  },
  judge: {
    'ATT-WAIT-LOWER': ({ arrived }, { notes }) => waitedFor(arrived, scaleIn(notes)),
  },
})

export const answeredTooLate = scenario({
  title:
    'a response after sixteen seconds does not count, and a delivery without a response is tried three times',
  exchanges: ['hooks[]', 'held[]', 'silent[]'],
  needs,
  cost: { requests: 5, turns: 1 },
  async run(t) {
    const held = t.endpoint('held', ...heldOnce)
    const silent = t.endpoint('silent', 'hang', 'hang', { status: 200 })
    for (const place of [held, silent]) await t.webhookMore('hooks', place)
    await t.emit()
    if (!(await held.arrived(1))) t.stop('no delivery reached the receiver')
    t.note('scale', t.scale)
    await t.settle(tooLateMs)
    held.release()
    await t.pause(onItsWayMs)
    await held.arrived(2)
    for (const attempts of [2, 3]) await silent.arrived(attempts)
  },
  judge: {
    'ATT-WAIT-UPPER': ({ held }, { notes }) => gaveUpOn(held, scaleIn(notes)),
    'ATT-SECOND-SILENT': ({ silent }, { notes }) => gaveUpOn(silent, scaleIn(notes)),
    'ATT-THIRD': ({ silent }) => nextAfter(silent, 2),
  },
})
