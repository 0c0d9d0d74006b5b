/** Which webhook receives which event: one scenario for each of the eighteen, and those with several webhooks. */
import { eventState, type ClauseId, type WebhookEvent } from '../../../spec/index.ts'
import { quietEvent, type Endpoint, type Hook } from '../../scenario/webhook-driver.ts'
import {
  scenario,
  type AnyScenario,
  type Context,
  type Needs,
  type Driver,
  type Judgement,
} from '../../scenario/scenario.ts'
import { idsApart, payloadTexts } from '../assertions/delivery.ts'
import { someArrived, noneArrived, reached, since, until, isTestDelivery } from '../assertions/deliveries.ts'
import { all, every, fail, inconclusive, pass, inTurn, need } from '../../scenario/expect.ts'
import {
  allGot,
  eventsAmong,
  received,
  membersSeen,
  nearActs,
  noneNear,
  onlySelected,
} from '../assertions/events.ts'
import { requestAccepted } from '../assertions/management/webhook-record.ts'
import { secretsApart } from '../assertions/signature.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { everyEvent, isQuiet, lull, otherThan, sampleTo, type Lulled } from '../webhook-requests.ts'

const base: Needs = { session: true, receiver: true }

type Came = { readonly arrived: readonly Exchange[] }
type EventClause = Extract<ClauseId, `EVT-${string}`>

/**
 * Other clients may cause events meanwhile, and deliveries may be late: only those that arrive each time count, and
 * only if the endpoint is quiet otherwise. Returns the number of deliveries after each.
 */
async function nearIt(t: Pick<Driver, 'comeNear'> & Lulled, place: Endpoint): Promise<number> {
  for (let act = 0; act < nearActs; act++) {
    const { count } = place
    if (!(await t.comeNear())) return 0
    await lull(t)
    if (place.count === count || !(await isQuiet(t, place))) return 0
  }
  return place.count
}

type Emitting = Driver<'hook' | 'arrived[]' | 'asked[]'>

/** Brings the event about, and once more if only a test arrives: a slow service may have used up all attempts. */
async function brings(
  t: Emitting,
  place: Endpoint,
  hook: Hook,
  event: WebhookEvent,
  way: number,
): Promise<boolean> {
  const { count } = place
  await t.emit(event, way)
  if (await place.arrived(count + 1)) return true
  // Without the event only a test shows whether anything can arrive.
  await t.manageMore('asked', sampleTo(hook))
  if (!(await place.arrived(count + 1))) return false
  const { count: before } = place
  await t.emit(event, way)
  return place.arrived(before + 1)
}

/** Each of the ways that the target file declares brings the event; a test shows that it would have arrived. */
function byEachWay(arrived: readonly Exchange[], event: WebhookEvent, silent: unknown): Judgement {
  if (typeof silent !== 'number' || silent === 0) return pass
  const expected = `a delivery of ${event} by each declared way`
  const control = arrived.findLast(isTestDelivery)
  return control
    ? fail(expected, `none by way ${silent + 1}`, control)
    : inconclusive(`nothing arrived after way ${silent + 1} to ${event}`)
}

/**
 * The scenario of one event: near events happen, then the event itself, and a webhook that has selected it receives
 * it once.
 */
function eventScenario(
  event: WebhookEvent,
  clause: EventClause,
  more: { readonly [C in EventClause]?: (came: Came) => Judgement } = {},
): AnyScenario {
  return scenario({
    title: `a webhook that has selected ${event} receives it`,
    exchanges: ['hook', 'arrived[]', 'asked[]'],
    // The quiet event is the one that webhooks of other scenarios select, so that they receive nothing.
    needs: { ...base, event, ...(event === quietEvent ? { alone: true } : {}) },
    cost: { requests: 8, turns: 5 },
    async run(t) {
      const place = t.endpoint('arrived')
      const hook = await t.webhook('hook', place, { events: [event] })
      t.note('near', await nearIt(t, place))
      for (let way = 0; way < t.waysTo(eventState(event)); way++)
        if (!(await brings(t, place, hook, event, way))) return t.note('silent', way)
    },
    judge: {
      [clause]: (
        { arrived, asked }: Came & { readonly asked: readonly Exchange[] },
        { notes }: Pick<Context, 'notes'>,
      ) =>
        all(
          noneNear(arrived, event, notes['near']),
          received(arrived, event, asked),
          byEachWay(arrived, event, notes['silent']),
        ),
      ...more,
    },
    observe: { 'GAP-EVENT-PAYLOADS': ({ arrived }) => membersSeen(arrived, event) },
  })
}

/** The only payload with known members. */
function leadsPayload({ arrived }: Came): Judgement {
  const leads = eventsAmong(arrived, 'leads.submit')
  if (leads.length === 0) return inconclusive('no lead came')
  return every(leads, (one) => payloadTexts(one, 'conversationId', 'customerEmail', 'customerName'))
}

export const leadsSubmit = eventScenario('leads.submit', 'EVT-LEADS-SUBMIT', {
  'EVT-LEADS-PAYLOAD': leadsPayload,
})
export const messageSent = eventScenario('message.sent', 'EVT-MESSAGE-SENT')
export const toolExecuted = eventScenario('tool.executed', 'EVT-TOOL-EXECUTED')
export const bookingCreated = eventScenario('booking.created', 'EVT-BOOKING-CREATED')
export const bookingCancelled = eventScenario('booking.cancelled', 'EVT-BOOKING-CANCELLED')
export const bookingRescheduled = eventScenario('booking.rescheduled', 'EVT-BOOKING-RESCHEDULED')
export const orderConfirmed = eventScenario('order.confirmed', 'EVT-ORDER-CONFIRMED')
export const customFormSubmitted = eventScenario('custom_form.submitted', 'EVT-CUSTOM-FORM-SUBMITTED')
export const paymentProofReceived = eventScenario('payment.proof_received', 'EVT-PAYMENT-PROOF-RECEIVED')
export const paymentVerificationPending = eventScenario(
  'payment.verification_pending',
  'EVT-PAYMENT-VERIFICATION-PENDING',
)
export const paymentVerified = eventScenario('payment.verified', 'EVT-PAYMENT-VERIFIED')
export const paymentRejected = eventScenario('payment.rejected', 'EVT-PAYMENT-REJECTED')
export const recordCreated = eventScenario('record.created', 'EVT-RECORD-CREATED')
export const procedureAlertCreated = eventScenario('procedure.alert.created', 'EVT-PROCEDURE-ALERT-CREATED')
export const procedureApprovalRequested = eventScenario(
  'procedure.approval.requested',
  'EVT-PROCEDURE-APPROVAL-REQUESTED',
)
export const procedureApprovalResolved = eventScenario(
  'procedure.approval.resolved',
  'EVT-PROCEDURE-APPROVAL-RESOLVED',
)
export const procedureHandoffRequested = eventScenario(
  'procedure.handoff.requested',
  'EVT-PROCEDURE-HANDOFF-REQUESTED',
)
export const procedureEscalated = eventScenario('procedure.escalated', 'EVT-PROCEDURE-ESCALATED')

/** Additional time on the target's clock for other endpoints after the first one was reached. */
const alsoMs = 15_000

/** Events whose names begin like this one; else one that is rare. */
function siblingsOf(event: WebhookEvent): readonly WebhookEvent[] {
  const [family] = event.split('.')
  const siblings = everyEvent.filter((other) => other !== event && other.startsWith(`${family}.`))
  return siblings.length > 0 ? siblings : [otherThan(event)]
}

export const everyWebhook = scenario({
  title:
    'every webhook that has selected an event receives it, signed with its own secret, and no other; a sample is for one',
  exchanges: ['hook', 'other', 'third', 'arrived[]', 'elsewhere[]', 'silent[]', 'test', 'asked'],
  needs: { ...base, event: 'related' },
  cost: { requests: 9, turns: 1 },
  async run(t) {
    const [place, another, silent] = [t.endpoint('arrived'), t.endpoint('elsewhere'), t.endpoint('silent')]
    const hook = await t.webhook('hook', place)
    await t.webhook('other', another)
    const third = await t.webhook('third', silent, { events: siblingsOf(t.event) })
    t.note('event', t.event)
    await t.emit()
    await place.arrived(1)
    await another.arrived(1)
    const { count } = place
    await t.manage('test', sampleTo(hook))
    await place.arrived(count + 1)
    await t.settle(alsoMs)
    t.note('before', silent.count)
    await t.manage('asked', sampleTo(third))
    await silent.arrived(silent.count + 1)
  },
  judge: {
    'EVT-SELECTED-ONLY': ({ arrived, silent }, { notes }) => onlySelected(arrived, silent, notes),
    'HOOK-TEST': ({ test, arrived, elsewhere }) =>
      inTurn(
        need(someArrived(until(arrived, test), 'the endpoint before the test')),
        requestAccepted(test),
        reached(since(arrived, test), 'a sample at the endpoint', test),
        need(someArrived(since(arrived, test).filter(isTestDelivery), 'a sample at the endpoint')),
        () => noneArrived(since(elsewhere, test).filter(isTestDelivery), 'no sample at the other webhook'),
      ),
    'EVT-EVERY-WEBHOOK': ({ arrived, elsewhere }, { notes }) => {
      const live = [arrived, elsewhere].map((place) => place.filter((one) => !isTestDelivery(one)))
      return allGot(live, String(notes['event']))
    },
    'SIGN-SECRET-OWN': ({ hook, other }) => secretsApart([hook, other]),
    'DLV-ID-UNIQUE': ({ arrived, elsewhere }) => idsApart([arrived, elsewhere], 1),
  },
})
