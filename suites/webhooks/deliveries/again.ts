/** Repeated events are delivered each time, whatever happened before. */
import { eventState, type WebhookEvent } from '../../../spec/index.ts'
import { forcing } from '../../config/provided.ts'
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Context, type Judgement } from '../../scenario/scenario.ts'
import { arrivalsFirst, deliveryId, isTestDelivery } from '../assertions/deliveries.ts'
import { eventsAmong } from '../assertions/events.ts'
import { check, inconclusive, notApplicable } from '../../scenario/expect.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** In an order that is plausible for one customer. */
const course: readonly WebhookEvent[] = [
  ...(['booking.created', 'booking.rescheduled', 'booking.cancelled'] as const),
  ...(['payment.proof_received', 'payment.verification_pending', 'payment.rejected'] as const),
  ...(['payment.proof_received', 'payment.verification_pending', 'payment.verified'] as const),
  ...(['custom_form.submitted', 'custom_form.submitted'] as const),
  ...(['procedure.alert.created', 'procedure.alert.created'] as const),
  ...(['procedure.approval.requested', 'procedure.approval.resolved'] as const),
  ...(['procedure.approval.requested', 'procedure.approval.resolved'] as const),
  ...(['procedure.handoff.requested', 'procedure.handoff.requested'] as const),
]

interface Arrivals {
  readonly arrived: readonly Exchange[]
}

/** As many deliveries, each with its own id, as the event happened. */
const eachTime =
  (event: WebhookEvent) =>
  ({ arrived }: Arrivals, { notes }: Context): Judgement => {
    const wanted = String(notes['course'])
      .split(' ')
      .filter((one) => one === event).length
    if (wanted === 0) return notApplicable(`${event} is not provided by control, http or exec`)
    return arrivalsFirst(arrived, (attempts) => {
      const live = eventsAmong(attempts, event).filter((one) => !isTestDelivery(one))
      const came = new Set(live.map(deliveryId)).size
      const twice = attempts.length - new Set(attempts.map(deliveryId)).size
      if (came < wanted && twice > 0) return inconclusive(`${twice} deliveries had an id that came before`)
      return check(came >= wanted, `${wanted} deliveries of ${event}`, `${came}`, attempts.at(-1))
    })
  }

export const oneAfterTheOther = scenario({
  title: 'consecutive events are all delivered, each time that they happen',
  exchanges: ['hook', 'arrived[]'],
  needs: { session: true, receiver: true, event: 'booking.created', alone: true, extra: true },
  cost: { requests: 3, turns: 0 },
  async run(t) {
    // A person is not asked so often, and a turn may cause more than one event.
    const events = course.filter((event) => forcing.includes(t.providerOf(eventState(event))))
    if (events.length === 0)
      throw notExercised('state-not-provided', 'no event is provided by control, http or exec')
    const place = t.endpoint('arrived')
    await t.webhook('hook', place, { events: [...new Set(events)] })
    t.note('course', events.join(' '))
    for (const event of events) await t.emit(event)
    await place.delivered(events.length)
  },
  judge: {
    'EVT-BOOKING-RESCHEDULED': eachTime('booking.rescheduled'),
    'EVT-BOOKING-CANCELLED': eachTime('booking.cancelled'),
    'EVT-PAYMENT-PROOF-RECEIVED': eachTime('payment.proof_received'),
    'EVT-PAYMENT-VERIFICATION-PENDING': eachTime('payment.verification_pending'),
    'EVT-PAYMENT-VERIFIED': eachTime('payment.verified'),
    'EVT-CUSTOM-FORM-SUBMITTED': eachTime('custom_form.submitted'),
    'EVT-PROCEDURE-ALERT-CREATED': eachTime('procedure.alert.created'),
    'EVT-PROCEDURE-APPROVAL-REQUESTED': eachTime('procedure.approval.requested'),
    'EVT-PROCEDURE-APPROVAL-RESOLVED': eachTime('procedure.approval.resolved'),
    'EVT-PROCEDURE-HANDOFF-REQUESTED': eachTime('procedure.handoff.requested'),
  },
})
