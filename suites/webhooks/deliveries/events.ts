/** Which webhook receives which event: each of the eighteen in turn. */
import { eventState, nearState, type ClauseId, type WebhookEvent } from '../../../spec/index.ts'
import { forcing } from '../../config/provided.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import { scenario, type Context, type Needs, type Driver } from '../../scenario/scenario.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import { payloadTexts } from '../assertions/delivery.ts'
import { deliveriesIn } from '../assertions/deliveries.ts'
import { all, every, inconclusive } from '../../scenario/expect.ts'
import {
  eachTime,
  eventsAmong,
  received,
  membersSeen,
  nearActs,
  noneNear,
  onlySelected,
} from '../assertions/events.ts'
import { identityOf, type Identity } from '../assertions/management/webhook-record.ts'
import { chatty, everyEvent, isQuiet, lull, mustBeCreated, sampleTo } from '../webhook-requests.ts'

const base: Needs = { session: true, receiver: true }

type EventClause = Extract<ClauseId, `EVT-${string}`>
const clauseOf = (event: WebhookEvent) => `EVT-${event.toUpperCase().replaceAll(/[._]/g, '-')}` as EventClause

/** In an order that is plausible for one customer. */
const course: readonly WebhookEvent[] = [
  ...(['leads.submit', 'message.sent', 'tool.executed', 'order.confirmed', 'record.created'] as const),
  ...(['booking.created', 'booking.rescheduled', 'booking.cancelled'] as const),
  ...(['payment.proof_received', 'payment.verification_pending', 'payment.rejected'] as const),
  ...(['payment.proof_received', 'payment.verification_pending', 'payment.verified'] as const),
  ...(['custom_form.submitted', 'custom_form.submitted'] as const),
  ...(['procedure.alert.created', 'procedure.alert.created'] as const),
  ...(['procedure.approval.requested', 'procedure.approval.resolved'] as const),
  ...(['procedure.approval.requested', 'procedure.approval.resolved'] as const),
  ...(['procedure.handoff.requested', 'procedure.handoff.requested'] as const),
  'procedure.escalated',
]

/** Where each event comes to: those with names that begin alike are not all selected by one webhook. */
const places = ['arrived', 'elsewhere'] as const
const placeOf = (event: WebhookEvent) => places[everyEvent.indexOf(event) % 2 === 0 ? 0 : 1]

/** The list of an event: tests sent because it did not come. */
const eachNames = (['hooks', 'tests', ...places, ...everyEvent] as const).map((name) => `${name}[]` as const)

type EachDriver = Driver<(typeof eachNames)[number]>
type Came = NamedExchanges<(typeof eachNames)[number]>

interface Watch {
  readonly event: WebhookEvent
  readonly place: Endpoint
  /** By the agent: an event happens to the one that its way declares. */
  readonly hooks: ReadonlyMap<string, Identity>
  readonly count: number
}

/** Others may cause events, and deliveries may be late: those that arrive each time count, if only then. */
async function comesNear(t: EachDriver, watch: Watch): Promise<boolean> {
  for (let act = 0; act < nearActs; act++) {
    const { count } = watch
    if (!(await t.comeNear(watch.event))) return false
    await lull(t)
    if (watch.count === count || !(await isQuiet(t, watch))) return false
  }
  return true
}

const othersMost = 30
/** Real time from a request to its record. */
const recordedMs = 10

async function comes(t: EachDriver, watch: Watch, way: number): Promise<boolean> {
  const { count, event, place } = watch
  await t.emit(event, way)
  t.note(`times ${event}`, Number(t.notes[`times ${event}`] ?? 0) + 1)
  for (let others = 0; watch.count === count && others < othersMost; others++)
    // What arrives is recorded as it is answered.
    if (await place.arrived(place.count + 1)) await t.pause(recordedMs)
    else break
  return watch.count > count
}

/** At first once more if only a test arrives: a slow service may have used up all attempts. */
async function brings(t: EachDriver, watch: Watch, way: number, isFirst: boolean): Promise<boolean> {
  const agent = t.agentsOf(watch.event)[way] ?? t.agent
  const hook = watch.hooks.get(agent)
  if (!hook) {
    t.note(`lacks ${watch.event}`, agent)
    return true
  }
  if (await comes(t, watch, way)) return true
  // Without the event only a test shows whether anything can arrive.
  const { count } = watch.place
  await t.manageMore(watch.event, { ...sampleTo(hook), agent })
  return (await watch.place.arrived(count + 1)) && isFirst && comes(t, watch, way)
}

/** On the target's clock: by then what earlier turns have caused has arrived, as a rule. */
const lateMs = 5_000

/** Comes near the event, and brings it about in each declared way; later only once more. */
async function happens(t: EachDriver, watch: Watch, isFirst: boolean): Promise<void> {
  const { event } = watch
  const state = eventState(event)
  const isOwed = watch.count > 0 || chatty.includes(event)
  if (isFirst && isOwed && t.providerOf(nearState(event)) !== 'none') await t.settle(lateMs)
  const before = t.exchanges().at(-1)?.id ?? 0
  if (isFirst && (await comesNear(t, watch))) t.note(`near ${event}`, before)
  // A person is not asked so often, and a turn may cause more than one event.
  const ways = isFirst ? t.waysTo(state) : Number(forcing.includes(t.providerOf(state)))
  for (let way = 0; way < ways && t.notes[`silent ${event}`] === undefined; way++)
    if (!(await brings(t, watch, way, isFirst))) t.note(`silent ${event}`, isFirst ? way : ways)
}

const judgeOf =
  (event: WebhookEvent) =>
  (came: Came, { notes }: Context) => {
    const [asked, here] = [came[event], came[placeOf(event)]]
    const lacking = notes[`lacks ${event}`]
    return all(
      noneNear(here, event, notes[`near ${event}`]),
      lacking === undefined
        ? all(received(here, event, asked), eachTime(here, event, asked, notes))
        : inconclusive(`agent ${lacking} has no webhook that could receive it`),
    )
  }

/** The only payload with known members. */
function leadsPayload(came: Came) {
  const event = 'leads.submit'
  const [asked, here] = [came[event], came[placeOf(event)]]
  const leads = eventsAmong(here, event)
  if (leads.length === 0) return inconclusive(`no lead came, and ${asked.length} tests were sent`)
  return every(leads, (one) => payloadTexts(one, 'conversationId', 'customerEmail', 'customerName'))
}

export const each = scenario({
  title: 'a webhook receives each event that it has selected, each time that it happens',
  exchanges: eachNames,
  needs: {
    ...base,
    event: 'any',
    alone: true,
    stateOf: {
      ...Object.fromEntries(everyEvent.map((event) => [clauseOf(event), eventState(event)] as const)),
      'EVT-LEADS-PAYLOAD': eventState('leads.submit'),
    },
  },
  cost: { requests: 4 + 8 * everyEvent.length, turns: 5 * everyEvent.length },
  async run(t) {
    const agents = [...new Set(everyEvent.flatMap((event) => t.agentsOf(event)))]
    const watches = new Map<WebhookEvent, Watch>()
    for (const name of places) {
      const place = t.endpoint(name)
      const events = everyEvent.filter((event) => placeOf(event) === name)
      const hooks = new Map<string, Identity>()
      for (const agent of agents) {
        const body = { name: t.text(24), endpoint_url: place.url, events }
        const creation = await t.manageMore('hooks', { body, agent })
        // Only the events of another agent hang on its webhook.
        const hook = agent === t.agent ? mustBeCreated(t, creation) : identityOf(creation)
        if (hook) hooks.set(agent, hook)
      }
      for (const event of events)
        watches.set(event, {
          event,
          place,
          hooks,
          get count() {
            const here = t.exchanges().filter(({ name }) => name === placeOf(event))
            return deliveriesIn(eventsAmong(here, event)).length
          },
        })
    }
    for (const [at, event] of course.entries()) {
      const [watch, isFirst] = [watches.get(event), course.indexOf(event) === at]
      if (watch) await t.optional(isFirst ? [event] : [], () => happens(t, watch, isFirst))
    }
    // Its silence shows nothing where nothing else is provided.
    for (const { place, hooks } of watches.values())
      for (const [agent, hook] of hooks) {
        if (place.count > 0) continue
        await t.manageMore('tests', { ...sampleTo(hook), agent })
        await place.arrived(1)
      }
  },
  judge: {
    ...Object.fromEntries(everyEvent.map((event) => [clauseOf(event), judgeOf(event)] as const)),
    'EVT-LEADS-PAYLOAD': leadsPayload,
    'EVT-SELECTED-ONLY': ({ arrived, elsewhere }) => onlySelected({ arrived, elsewhere }, placeOf),
  },
  observe: {
    'GAP-EVENT-PAYLOADS': ({ arrived, elsewhere }) => membersSeen([...arrived, ...elsewhere], everyEvent),
  },
})
