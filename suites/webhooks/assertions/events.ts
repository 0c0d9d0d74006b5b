/** Judgements on which webhook receives which event. */
import { webhookEvents, type WebhookEvent } from '../../../spec/index.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { identifiersIn, type Exchange } from '../../wire/exchange.ts'
import {
  arrivalsFirst,
  attemptsIn,
  deliveredHeaderValues,
  deliveriesIn,
  deliveryId,
  deliveredEvent,
  eventNameOf,
  isTestDelivery,
  occurrencesIn,
  since,
} from './deliveries.ts'
import { isOfAgent, payloadMembers } from './delivery.ts'
import { check, every, fail, given, inconclusive, observed, pass } from '../../scenario/expect.ts'

/** The event that a delivery names; another check compares its header with its body. */
function isAbout(attempt: Exchange, event: unknown): boolean {
  const { eventHeader } = identifiersIn(attempt)
  return (
    deliveredEvent(attempt) === event ||
    deliveredHeaderValues(attempt, eventHeader).some((value) => value === event)
  )
}

function aboutOf(attempt: Exchange): string {
  return eventNameOf(attempt) ?? 'nothing that can be read'
}

/** The event arrived. `asked`: tests that show whether anything reaches the receiver; none: it is live. */
export function received(arrived: readonly Exchange[], event: string, asked: readonly Exchange[]): Judgement {
  const [first] = asked
  return arrivalsFirst(
    first ? [...arrived.filter((one) => isAbout(one, event)), ...since(arrived, first)] : arrived,
    (attempts) => {
      const live = attempts.filter((one) => !first || !isTestDelivery(one))
      if (live.some((one) => isAbout(one, event))) return pass
      const came = live.length > 0 ? [...new Set(live.map(aboutOf))].join(', ') : 'only the test'
      return fail(`a delivery of ${event}`, came, attempts.at(-1))
    },
  )
}

/**
 * Notes: how often the event had come when it did not, though the last test shows that it would have arrived; and how
 * often it happened in all, as it may have come later.
 */
export function eachTime(
  arrived: readonly Exchange[],
  event: string,
  asked: readonly Exchange[],
  notes: Context['notes'],
): Judgement {
  const [silent, times] = [notes[`silent ${event}`], notes[`times ${event}`]]
  if (typeof silent !== 'number' || silent === 0) return pass
  const [test, about] = [asked.at(-1), eventsAmong(arrived, event)]
  const live = about.filter((one) => !isTestDelivery(one))
  if (occurrencesIn(live).length >= Number(times)) return pass
  if (deliveriesIn(live).length >= Number(times))
    return inconclusive(`deliveries of ${event} have the same content: one may have been sent under two ids`)
  const twice = about.length - new Set(about.map(deliveryId)).size
  if (twice > 0) return inconclusive(`${twice} deliveries of ${event} had an id that came before`)
  const [control] = test ? since(arrived, test) : []
  return control
    ? fail(
        `a delivery of ${event} each time that it happens, in each declared way`,
        `none after ${silent}`,
        control,
      )
    : inconclusive(`nothing arrived after ${silent} of ${event}`)
}

/** How often a near event is caused if the first one led to a delivery. */
export const nearActs = 2

/** What came near the event led to a delivery each time, after the exchange with the id `near`. */
export function noneNear(arrived: readonly Exchange[], event: string, near: unknown): Judgement {
  if (typeof near !== 'number') return pass
  const live = eventsAmong(arrived, event).filter((one) => one.id > near && !isTestDelivery(one))
  const deliveries = deliveriesIn(live)
  return deliveries.length < nearActs
    ? pass
    : fail(`no ${event} for what only comes near it`, 'one each time', deliveries[0]?.[0])
}

export function eventsAmong(arrived: readonly Exchange[], event: string): readonly Exchange[] {
  return attemptsIn(arrived).filter((one) => isAbout(one, event))
}

/** By the name of their endpoint: each was reached, by nothing that is selected for another but tests. */
export function onlySelected(
  places: Readonly<Record<string, readonly Exchange[]>>,
  placeOf: (event: WebhookEvent) => string,
): Judgement {
  const all = Object.keys(webhookEvents) as readonly WebhookEvent[]
  return every(Object.entries(places), ([place, arrived]) =>
    arrivalsFirst(arrived, (attempts) => {
      const unasked = attempts.find(
        (one) => !isTestDelivery(one) && all.some((event) => placeOf(event) !== place && isAbout(one, event)),
      )
      return check(
        unasked === undefined,
        'only events that were selected',
        `${unasked && aboutOf(unasked)} too`,
        unasked,
      )
    }),
  )
}

interface TwoAgents {
  readonly own: Exchange
  readonly other: Exchange
  readonly arrived: readonly Exchange[]
  readonly elsewhere: readonly Exchange[]
}

/**
 * An event of one agent causes no delivery to a webhook of another. An event of the other agent may have another
 * reason, so only deliveries that name the first agent count, or those that name neither and arrived each time.
 * `acts`: how often the event happened, of `nearActs`; `before`: the number of requests before a test showed that the
 * endpoint is reachable.
 */
export function arrivedOfOther(
  { own, other, arrived, elsewhere }: TwoAgents,
  { event, acts, before }: Readonly<Record<string, unknown>>,
): Judgement {
  const unasked = elsewhere.toSorted((a, b) => a.id - b.id).slice(0, Number(before))
  const strange = eventsAmong(unasked, String(event)).filter(
    (one) => !isTestDelivery(one) && isOfAgent(one, other).is !== 'pass',
  )
  const named = strange.find((one) => isOfAgent(one, own).is === 'pass')
  const [first] = acts === nearActs && strange.length >= nearActs ? strange : []
  const wrong = named ?? first
  if (wrong) return fail('events of its own agent only', `${aboutOf(wrong)} of another agent`, wrong)
  return given(received(arrived, String(event), []), () =>
    attemptsIn(elsewhere).length > 0
      ? pass
      : inconclusive('nothing ever reached the webhook of the other agent'),
  )
}

/** Every endpoint received the event as often as one of them, up to `times`. Inconclusive if none did. */
export function allGot(places: readonly (readonly Exchange[])[], event: string, times: number): Judgement {
  const came = places.map((arrived) => deliveriesIn(eventsAmong(arrived, event)))
  const counts = came.map(({ length }) => Math.min(length, times))
  const most = Math.max(...counts)
  if (most === 0) return inconclusive('no delivery reached the receiver')
  if (came.every(({ length }) => length >= most)) return pass
  const control = came[counts.indexOf(most)]?.[0]?.[0]
  return fail(`${event} ${most} times at all ${places.length} webhooks`, counts.join(' and '), control)
}

export function membersSeen(arrived: readonly Exchange[], events: readonly string[]): Judgement {
  const seen = events.flatMap((event) => {
    const [members] = eventsAmong(arrived, event).map(payloadMembers)
    return members ? [`${event}: ${members.join(', ') || 'no members'}`] : []
  })
  return seen.length > 0 ? observed(seen.join('; ')) : inconclusive('no payload came')
}
