/** Which webhook gets which event: one scenario for each of the eighteen, and those about several webhooks. */
import { eventState, type ClauseId, type WebhookEvent } from '../../../spec/index.ts'
import type { Driver } from '../../scenario/driver.ts'
import { quietEvent } from '../../scenario/webhook-driver.ts'
import { scenario, type AnyScenario, type Context, type Needs } from '../../scenario/scenario.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Endpoint } from '../../scenario/webhook-driver.ts'
import { idsApart, payloadTexts } from '../assertions/delivery.ts'
import { came, silent, since } from '../assertions/new-deliveries.ts'
import { isTest } from '../assertions/deliveries.ts'
import { all, every, given, inconclusive } from '../../scenario/expect.ts'
import {
  allGot,
  eventsAmong,
  got,
  membersSeen,
  nearActs,
  noneNear,
  onlySelected,
} from '../assertions/events.ts'
import { allSigned, secretOf, secretsApart } from '../assertions/signature.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { isQuiet, lull, otherThan, sampleTo, type Lulled } from '../webhook-requests.ts'
import { ofAnyEvent } from './attempt-judges.ts'

const base: Needs = { session: true, receiver: true }

type Came = { readonly arrived: readonly Exchange[] }
type EventClause = Extract<ClauseId, `EVT-${string}`>

/**
 * What others make happen may come meanwhile, and anything may come late: only what comes each time counts, and only
 * where nothing comes while nothing is done. Gives how much has come.
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

/** The scenario of one event: something comes near it, it happens, and a webhook that has selected it gets it once. */
function told(
  event: WebhookEvent,
  clause: EventClause,
  more: { readonly [C in EventClause]?: (came: Came) => Judgement } = {},
): AnyScenario {
  return scenario({
    title: `a webhook that has selected ${event} gets it`,
    exchanges: ['hook', 'arrived[]', 'asked[]'],
    // The quiet event is the one that webhooks of other scenarios have selected, so that nothing comes to them.
    needs: { ...base, event, ...(event === quietEvent ? { alone: true } : {}) },
    cost: { requests: 8, turns: 5 },
    async run(t) {
      const place = t.endpoint('arrived')
      const hook = await t.webhook('hook', place, { events: [event] })
      t.note('near', await nearIt(t, place))
      const { count } = place
      const ways = t.waysTo(eventState(event))
      for (let way = 0; way < ways; way++) await t.emit(event, way)
      if (await place.arrived(count + ways)) return
      // Without the event only a test tells whether anything would have come.
      await t.manageMore('asked', sampleTo(hook))
      if (ways > 1 || !(await place.arrived(count + 1))) return
      // A service that was slow for a while may have spent all attempts on it: it happens once more.
      const { count: before } = place
      await t.emit(event)
      await place.arrived(before + 1)
    },
    judge: {
      [clause]: (
        { arrived, asked }: Came & { readonly asked: readonly Exchange[] },
        { notes }: Pick<Context, 'notes'>,
      ) => all(noneNear(arrived, event, notes['near']), got(arrived, event, asked)),
      ...ofAnyEvent,
      ...more,
    },
    observe: { 'GAP-EVENT-PAYLOADS': ({ arrived }) => membersSeen(arrived, event) },
  })
}

/** The payload whose members are known. */
function leadsPayload({ arrived }: Came): Judgement {
  const leads = eventsAmong(arrived, 'leads.submit')
  if (leads.length === 0) return inconclusive('no lead came')
  return every(leads, (one) => payloadTexts(one, 'conversationId', 'customerEmail', 'customerName'))
}

export const leadsSubmit = told('leads.submit', 'EVT-LEADS-SUBMIT', { 'EVT-LEADS-PAYLOAD': leadsPayload })
export const messageSent = told('message.sent', 'EVT-MESSAGE-SENT')
export const toolExecuted = told('tool.executed', 'EVT-TOOL-EXECUTED')
export const bookingCreated = told('booking.created', 'EVT-BOOKING-CREATED')
export const bookingCancelled = told('booking.cancelled', 'EVT-BOOKING-CANCELLED')
export const bookingRescheduled = told('booking.rescheduled', 'EVT-BOOKING-RESCHEDULED')
export const orderConfirmed = told('order.confirmed', 'EVT-ORDER-CONFIRMED')
export const customFormSubmitted = told('custom_form.submitted', 'EVT-CUSTOM-FORM-SUBMITTED')
export const paymentProofReceived = told('payment.proof_received', 'EVT-PAYMENT-PROOF-RECEIVED')
export const paymentVerificationPending = told(
  'payment.verification_pending',
  'EVT-PAYMENT-VERIFICATION-PENDING',
)
export const paymentVerified = told('payment.verified', 'EVT-PAYMENT-VERIFIED')
export const paymentRejected = told('payment.rejected', 'EVT-PAYMENT-REJECTED')
export const recordCreated = told('record.created', 'EVT-RECORD-CREATED')
export const procedureAlertCreated = told('procedure.alert.created', 'EVT-PROCEDURE-ALERT-CREATED')
export const procedureApprovalRequested = told(
  'procedure.approval.requested',
  'EVT-PROCEDURE-APPROVAL-REQUESTED',
)
export const procedureApprovalResolved = told(
  'procedure.approval.resolved',
  'EVT-PROCEDURE-APPROVAL-RESOLVED',
)
export const procedureHandoffRequested = told(
  'procedure.handoff.requested',
  'EVT-PROCEDURE-HANDOFF-REQUESTED',
)
export const procedureEscalated = told('procedure.escalated', 'EVT-PROCEDURE-ESCALATED')

/** In this time the event would have come to the other webhook too: first attempts come at once. */
const alsoMs = 15_000

type Selecting = Driver<'hook' | 'other' | 'arrived[]' | 'silent[]' | 'test'>

/** An event happens that one webhook has selected, and the other has not. */
async function oneSelects(t: Selecting, others: readonly WebhookEvent[]): Promise<void> {
  const [place, silent] = [t.endpoint('arrived'), t.endpoint('silent')]
  await t.webhook('hook', place)
  const other = await t.webhook('other', silent, { events: others })
  await t.emit()
  await place.arrived(1)
  await t.settle(alsoMs)
  t.note('event', t.event)
  t.note('before', silent.count)
  await t.manage('test', sampleTo(other))
  await silent.arrived(silent.count + 1)
}

export const selectedOnly = scenario({
  title: 'a webhook that has not selected an event does not get it',
  exchanges: ['hook', 'other', 'arrived[]', 'silent[]', 'test'],
  needs: { ...base, event: 'any' },
  cost: { requests: 6, turns: 1 },
  run: (t) => oneSelects(t, [otherThan(t.event)]),
  judge: {
    'EVT-SELECTED-ONLY': ({ arrived, silent }, { notes }) => onlySelected(arrived, silent, notes),
  },
})

/** They begin as the event of the scenario does, one of them up to the middle of a word. */
const siblings = ['payment.proof_received', 'payment.verification_pending', 'payment.rejected'] as const

export const siblingsOnly = scenario({
  title: 'a webhook that has selected events with names like that of another does not get the other',
  exchanges: ['hook', 'other', 'arrived[]', 'silent[]', 'test'],
  needs: { ...base, event: 'payment.verified', extra: true },
  cost: { requests: 6, turns: 1 },
  run: (t) => oneSelects(t, siblings),
  judge: {
    'EVT-SELECTED-ONLY': ({ arrived, silent }, { notes }) => onlySelected(arrived, silent, notes),
  },
})

/** What one endpoint already has is given a little longer to reach the other, on the target's clock. */
const sampleMs = 2_000

export const everyWebhook = scenario({
  title:
    'every webhook that has selected an event gets it, signed with its own secret, and a sample is for one',
  exchanges: ['hook', 'other', 'arrived[]', 'elsewhere[]', 'test'],
  needs: { ...base, event: 'any' },
  cost: { requests: 6, turns: 1 },
  async run(t) {
    const [place, another] = [t.endpoint('arrived'), t.endpoint('elsewhere')]
    const hook = await t.webhook('hook', place)
    await t.webhook('other', another)
    t.note('event', t.event)
    await t.emit()
    await place.arrived(1)
    await another.arrived(1)
    const { count } = place
    await t.manage('test', sampleTo(hook))
    await place.arrived(count + 1)
    await t.settle(sampleMs)
  },
  judge: {
    'HOOK-TEST': ({ test, arrived, elsewhere }) =>
      given(came(since(arrived, test).filter(isTest), 'the webhook that was tested'), () =>
        silent(since(elsewhere, test).filter(isTest), 'no sample at the other webhook'),
      ),
    'EVT-EVERY-WEBHOOK': ({ arrived, elsewhere }, { notes }) => {
      const live = [arrived, elsewhere].map((place) => place.filter((one) => !isTest(one)))
      return allGot(live, String(notes['event']))
    },
    'SIGN-SECRET-OWN': ({ hook, other }) => secretsApart([hook, other]),
    'SIGN-VALUE': ({ hook, other, arrived, elsewhere }) => {
      const secrets = [secretOf(hook), secretOf(other)].filter((secret) => secret !== null)
      return all(allSigned(arrived, hook, { secrets }), allSigned(elsewhere, other, { secrets }))
    },
    'DLV-ID-UNIQUE': ({ arrived, elsewhere }) => idsApart([arrived, elsewhere], 1),
  },
})
