/** Judgements on which webhook gets which event. */
import type { Judgement } from '../../scenario/judgement.ts'
import { identifiersIn, type Exchange } from '../../wire/exchange.ts'
import { attemptsIn, carried, deliveriesIn, eventOf, eventSaid, isTest } from './deliveries.ts'
import { arrivalsFirst, isOfAgent, payloadMembers } from './delivery.ts'
import { broken, given, inconclusive, observed, pass } from '../../scenario/expect.ts'

/** What a delivery says it is about; that its header and its body agree is judged where that is the subject. */
function isAbout(attempt: Exchange, event: unknown): boolean {
  const { eventHeader } = identifiersIn(attempt)
  return eventOf(attempt) === event || carried(attempt, eventHeader).some((value) => value === event)
}

function aboutOf(attempt: Exchange): string {
  return eventSaid(attempt) ?? 'nothing that can be read'
}

/**
 * The event came. `asked`: tests that were sent once it had not come in good time, to see whether anything reaches
 * the receiver; where none was, everything is live.
 */
export function got(arrived: readonly Exchange[], event: string, asked: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, (attempts) => {
    const live = attempts.filter((one) => asked.length === 0 || !isTest(one))
    if (live.some((one) => isAbout(one, event))) return pass
    const came = live.length > 0 ? [...new Set(live.map(aboutOf))].join(', ') : 'only the test'
    return broken(`a delivery of ${event}`, came, attempts.at(-1))
  })
}

/** How often something comes near an event, where the first time something came of it. */
export const nearActs = 2

/** Of what comes near an event nothing came, or not each time. `near`: how much had come by then, of what did. */
export function noneNear(arrived: readonly Exchange[], event: string, near: unknown): Judgement {
  const first = arrived.toSorted((a, b) => a.id - b.id).slice(0, Number(near ?? 0))
  const told = deliveriesIn(eventsAmong(first, event).filter((one) => !isTest(one)))
  return told.length < nearActs
    ? pass
    : broken(`no ${event} for what only comes near it`, 'one each time', told[0]?.[0])
}

/** What came of an event. */
export function eventsAmong(arrived: readonly Exchange[], event: string): readonly Exchange[] {
  return attemptsIn(arrived).filter((one) => isAbout(one, event))
}

/**
 * One webhook got the event, and the other one, which has selected something else, did not. `before`: how many
 * requests had come to it before its endpoint was seen to be reached by a test.
 */
export function onlySelected(
  arrived: readonly Exchange[],
  silent: readonly Exchange[],
  { event, before }: Readonly<Record<string, unknown>>,
): Judgement {
  const unasked = silent
    .toSorted((a, b) => a.id - b.id)
    .slice(0, Number(before))
    .find((one) => isAbout(one, event))
  if (unasked) return broken('only events that were selected', `${aboutOf(unasked)} too`, unasked)
  return given(got(arrived, String(event), []), () =>
    attemptsIn(silent).length > 0
      ? pass
      : inconclusive('nothing ever reached the other webhook, so that its silence tells nothing'),
  )
}

interface TwoAgents {
  /** The creation of the webhook of the agent that the event happens to. */
  readonly own: Exchange
  /** That of the other agent. */
  readonly other: Exchange
  readonly arrived: readonly Exchange[]
  /** What came to the webhook of the other agent. */
  readonly elsewhere: readonly Exchange[]
}

/**
 * Of an event of one agent nothing came to the webhook of another. What happens there by itself, or because the first
 * agent hands something on, comes as an event of the other: so only what names the first agent counts, or what names
 * neither and came each time. `acts`: how often it came, of `nearActs`; `before`:
 * how much had come before its endpoint was seen to be reached by a test.
 */
export function arrivedOfOther(
  { own, other, arrived, elsewhere }: TwoAgents,
  { event, acts, before }: Readonly<Record<string, unknown>>,
): Judgement {
  const unasked = elsewhere.toSorted((a, b) => a.id - b.id).slice(0, Number(before))
  const strange = eventsAmong(unasked, String(event)).filter(
    (one) => !isTest(one) && isOfAgent(one, other).is !== 'pass',
  )
  const told = strange.find((one) => isOfAgent(one, own).is === 'pass')
  const [first] = acts === nearActs && strange.length >= nearActs ? strange : []
  const wrong = told ?? first
  if (wrong) return broken('events of its own agent only', `${aboutOf(wrong)} of another agent`, wrong)
  return given(got(arrived, String(event), []), () =>
    attemptsIn(elsewhere).length > 0
      ? pass
      : inconclusive('nothing ever reached the webhook of the other agent'),
  )
}

/** Every place got the event; where none did, nothing is known. */
export function allGot(places: readonly (readonly Exchange[])[], event: string): Judgement {
  const reached = places.filter((arrived) => eventsAmong(arrived, event).length > 0)
  if (reached.length === places.length) return pass
  if (reached.length === 0) return inconclusive('no delivery reached the receiver')
  const control = eventsAmong(reached[0] ?? [], event)[0]
  return broken(`${event} at all ${places.length} webhooks`, `at ${reached.length}`, control)
}

/** The members of the payload of an event. */
export function membersSeen(arrived: readonly Exchange[], event: string): Judgement {
  const members = eventsAmong(arrived, event).map(payloadMembers)[0]
  if (!members) return inconclusive(`no payload of ${event} came`)
  return observed(`${event}: ${members.join(', ') || 'no members'}`)
}
