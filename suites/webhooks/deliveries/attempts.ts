/** When a delivery has succeeded, and how long the sender waits for a response. */
import type { InboundAnswer } from '../../inbound/place.ts'
import { scenario, type Driver, type Needs, type Judgement } from '../../scenario/scenario.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import {
  endedBy,
  endedBySuccess,
  endedLate,
  idsAsEvents,
  nextAfter,
  orderSeen,
  placeCount,
  redirects,
  scaleIn,
} from '../assertions/management/attempts.ts'
import {
  arrivalsFirst,
  deliveriesIn,
  answeredWith,
  arrivedAt,
  isTestDelivery,
  noneArrived,
  reached,
  since,
  someArrived,
  until,
  occurrencesIn,
  overAt,
  took2xx,
} from '../assertions/deliveries.ts'
import { idsApart } from '../assertions/delivery.ts'
import { allGot } from '../assertions/events.ts'
import { requestAccepted } from '../assertions/management/webhook-record.ts'
import { secretsApart } from '../assertions/signature.ts'
import { sampleTo, untilSilent } from '../webhook-requests.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { all, fail, every, inconclusive, inTurn, need, pass, warn } from '../../scenario/expect.ts'

/** The timeout that a sender must allow, and the one that it must not exceed. */
const [shortest, longest] = [6_000, 15_000]

/** Responses delayed by less than six seconds counted: the delivery was not repeated. */
function waitedFor(arrived: readonly Exchange[], scale: number): Judgement {
  const heldMs = (exchange: Exchange): number => lasted(exchange) / scale
  return arrivalsFirst(arrived, () => {
    const deliveries = deliveriesIn(arrived)
    const left = deliveries.find(([first]) => answeredWith(first) === null && heldMs(first) < shortest)
    if (left) {
      const got = `the sender went away after ${seconds(lasted(left[0]))}`
      return fail(`a sender that waits at least ${seconds(shortest * scale)}`, got, left[0])
    }
    const inTime = deliveries.filter(
      ([first]) => took2xx(first) && heldMs(first) > 1_000 && heldMs(first) <= shortest,
    )
    if (inTime.length === 0) return inconclusive('no answer was given within the time that it was to take')
    const overtaken = inTime.filter((attempts) => {
      // The delivery was repeated during the delay of its first response; a duplicate would arrive together with the first
      // attempt.
      const [first, ...later] = attempts
      const from = arrivedAt(first) + 1_000 * scale
      return later.some((one) => arrivedAt(one) > from && arrivedAt(one) < overAt(first))
    })
    return inTime.length > 1 && overtaken.length === inTime.length
      ? warn('no further attempt while an answer is awaited', 'one for each delivery', overtaken[0]?.[1])
      : pass
  })
}

/** Deliveries whose first attempt had no response within fifteen seconds were repeated. */
function gaveUpOn(arrived: readonly Exchange[], scale: number): Judgement {
  const within = seconds(longest * scale)
  return arrivalsFirst(arrived, () => {
    const held = occurrencesIn(arrived).filter(
      ([first]) => answeredWith(first) === null || lasted(first) > longest * scale,
    )
    if (held.length === 0) return inconclusive(`every answer was given within ${within}`)
    return every(held, (attempts) => {
      const [first] = attempts
      if (attempts.length > 1) return pass
      if (placeCount(arrived, first) > 1) return inconclusive('other deliveries came in between')
      const how =
        answeredWith(first) === null ? 'none came' : `one came after ${seconds(lasted(first))}, and counted`
      return fail(`a second attempt where no answer came within ${within}`, how, first)
    })
  })
}

const lasted = (exchange: Exchange): number => overAt(exchange) - arrivedAt(exchange)
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const needs: Needs = { session: true, receiver: true, event: 'any' }

/**
 * The answers of each webhook to four events, however often they come. To two that are not neighbours: duplicates are
 * allowed, also of several deliveries in a row. What fails is answered with a success the second time.
 */
const successes = { elsewhere: [201, 202, 201, 202], others: [204, 299, 204, 299] } as const
const refusals = [404, 410, 429, 503] as const
const events = refusals.length

/** An endpoint that fails more often, or at more than half of its requests, may be paused. */
const mostFailures = 2

const before = 2
const apartMs = 5
const all200: InboundAnswer = { status: 200 }

export const everyWebhook = scenario({
  title:
    'every webhook that has selected an event receives it, once if it answers 2xx, and again after any other answer',
  exchanges: [
    ...(['hook', 'other', 'more[]', 'test', 'arrived[]', 'elsewhere[]', 'others[]'] as const),
    ...(['refused[]', 'failed[]', 'onward[]', 'further[]'] as const),
  ],
  needs,
  cost: { requests: 2 * 7 + events + 3, turns: before + events },
  async run(t) {
    const [place, elsewhere, others] = [t.endpoint('arrived'), t.endpoint('elsewhere'), t.endpoint('others')]
    const refused = [t.endpoint('refused'), t.endpoint('refused')]
    const failed = [t.endpoint('failed'), t.endpoint('failed')]
    const [onward, further] = [t.endpoint('onward'), t.endpoint('further')]
    const to = (status: number, { url }: Endpoint): InboundAnswer => ({
      status,
      headers: [['location', url]],
    })
    const always = (one: Endpoint, taken = 200) => one.firstly({ status: taken }, { status: taken })
    const failures = [{ status: 300 }, to(301, onward), to(307, further)]
    const hook = await t.webhook('hook', place)
    await t.webhook('other', elsewhere)
    t.note('event', t.event)
    await t.emit()
    await t.wait(apartMs)
    await t.emit()
    for (const one of [place, elsewhere]) await one.delivered(before)
    const { deliveries } = place
    await t.manage('test', sampleTo(hook))
    await place.delivered(deliveries + 1)
    for (const one of [others, ...refused, ...failed]) await t.webhookMore('more', one)
    for (const [at, status] of refusals.entries()) {
      always(elsewhere, successes.elsewhere[at])
      always(others, successes.others[at])
      const turn = Math.floor(at / mostFailures)
      for (const [nth, one] of [...refused.entries(), ...failed.entries()])
        one.firstly(nth !== turn ? all200 : refused.includes(one) ? { status } : (failures[at] ?? 'close'))
      const awaited = [place, elsewhere, others].map((one) => [one, one.deliveries + 1] as const)
      const failing = [...refused, ...failed].map((one) => [one, one.deliveries + 1] as const)
      await t.emit()
      for (const [one, count] of [...awaited, ...failing]) await one.delivered(count)
    }
    // What is to come again does so, whatever has happened since.
    for (const one of [...refused, ...failed]) await one.arrived(events + mostFailures)
    await untilSilent(t, place)
  },
  judge: {
    'EVT-EVERY-WEBHOOK': ({ arrived, elsewhere }, { notes }) =>
      allGot([arrived, elsewhere].map(liveAmong), String(notes['event']), before + events),
    'HOOK-TEST': ({ test, more: [next], arrived, elsewhere }) => {
      const samples = since(arrived, test).filter(isTestDelivery)
      // No event happens before the next webhook.
      const came = next ? until(since(arrived, test), next) : []
      return inTurn(
        need(someArrived(until(arrived, test), 'the endpoint before the test')),
        requestAccepted(test),
        reached([...came, ...samples], 'a sample at the endpoint', test),
        need(someArrived(samples, 'a sample at the endpoint')),
        () => noneArrived(since(elsewhere, test).filter(isTestDelivery), 'no sample at the other webhook'),
      )
    },
    'SIGN-SECRET-OWN': ({ hook, other, more }) => secretsApart([hook, other, ...more]),
    'DLV-ID-UNIQUE': ({ arrived, elsewhere }) =>
      idsApart([arrived, elsewhere].map(liveAmong), before + events),
    'ATT-DELIVERED': ({ arrived, elsewhere }) => {
      const both = [...arrived, ...elsewhere]
      return arrivalsFirst(both, () => endedBySuccess(deliveriesIn(both)))
    },
    'ATT-DELIVERED-2XX': ({ elsewhere, others }) =>
      endedBy([...elsewhere, ...others], [...new Set(Object.values(successes).flat())]),
    'ATT-SAME-ID': ({ refused, failed, others }) => idsAsEvents([...refused, ...failed], others, events),
    'ATT-DELIVERED-LATE': ({ refused, failed }) => endedLate([...refused, ...failed]),
    'ATT-SECOND-STATUS': ({ refused }) => all(...refusals.map((status) => secondAfter(refused, status))),
    'ATT-SECOND-SILENT': ({ failed }) => secondAfter(failed, null),
    'ATT-SECOND-REDIRECT': ({ failed, onward, further }) =>
      all(
        secondAfter(failed, 300),
        onward.length > 0 ? pass : secondAfter(failed, 301),
        further.length > 0 ? pass : secondAfter(failed, 307),
      ),
  },
  observe: {
    'GAP-EVENT-ORDER': ({ arrived }) => orderSeen(arrived),
    'GAP-REDIRECT': ({ failed, onward, further }) =>
      redirects({
        '301': [answeredFirst(failed, 301), onward],
        '307': [answeredFirst(failed, 307), further],
      }),
  },
})

const liveAmong = (arrived: readonly Exchange[]) => arrived.filter((one) => !isTestDelivery(one))

/** Deliveries whose first attempt had this answer of ours. */
const answeredFirst = (arrived: readonly Exchange[], status: number | null) =>
  deliveriesIn(arrived).filter(([first]) => answeredWith(first) === status)

/** Each event was awaited until one more request had come, or two where the first one failed. */
const secondAfter = (arrived: readonly Exchange[], status: number | null): Judgement =>
  nextAfter(arrived, 1, answeredFirst(arrived, status), events + mostFailures - 1)

/** Below six seconds, with time for the scenario itself. */
const inTimeMs = 5_000
/** Above fifteen. */
const tooLateMs = 16_000
/** Real time for a response to reach the sender before its clock is advanced. */
const onItsWayMs = 200

const heldOnce: readonly InboundAnswer[] = ['hold', all200]

/** Causes the event, and answers one delivery of it after five seconds. */
async function answersInTime(
  t: Driver<'hooks[]'>,
  place: Endpoint,
  ...held: readonly Endpoint[]
): Promise<void> {
  place.script(...heldOnce)
  const { count } = place
  await t.emit()
  const came = [await place.arrived(count + 1)]
  for (const one of held) came.push(await one.arrived(1))
  if (came.includes(false)) t.stop('no delivery reached the receiver')
  await t.settle(inTimeMs)
  place.release()
  await t.pause(onItsWayMs)
}

export const answered = scenario({
  title:
    'a response after five seconds counts, one after sixteen does not, and without one a delivery is tried three times',
  exchanges: ['hooks[]', 'arrived[]', 'held[]', 'silent[]'],
  needs,
  cost: { requests: 2 * 3 + 2, turns: 2 },
  async run(t) {
    const place = t.endpoint('arrived')
    const held = t.endpoint('held', ...heldOnce)
    const silent = t.endpoint('silent', 'hang', 'hang', all200)
    t.note('scale', t.scale)
    await t.webhookMore('hooks', place)
    await answersInTime(t, place)
    for (const one of [held, silent]) await t.webhookMore('hooks', one)
    await answersInTime(t, place, held)
    await t.settle(tooLateMs - inTimeMs)
    held.release()
    await t.pause(onItsWayMs)
    await held.arrived(2)
    for (const attempts of [2, 3]) await silent.arrived(attempts)
    await untilSilent(t, place)
  },
  judge: {
    'ATT-WAIT-LOWER': ({ arrived }, { notes }) => waitedFor(arrived, scaleIn(notes)),
    'ATT-WAIT-UPPER': ({ held }, { notes }) => gaveUpOn(held, scaleIn(notes)),
    'ATT-SECOND-SILENT': ({ silent }, { notes }) => gaveUpOn(silent, scaleIn(notes)),
    'ATT-THIRD': ({ silent }) => nextAfter(silent, 2),
  },
})
