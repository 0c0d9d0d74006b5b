/** Events that reach nobody, too many, or too few. */
import { webhookEvents, type ClauseId, type WebhookEvent } from '../../../spec/index.ts'
import type { JsonObject } from '../../json.ts'
import type { Rules } from '../../rules.ts'
import type { Webhook } from '../../webhooks/webhook.ts'
import { withoutMembers } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** The clauses of the eighteen. */
const everyEventClause = Object.keys(webhookEvents).map(
  (name) => `EVT-${name.toUpperCase().replaceAll(/[._]/g, '-')}` as ClauseId,
)

/** What a service looks like that never learnt to send this event. */
function unsent(event: WebhookEvent, clause: ClauseId): Fault {
  return fault({
    title: `${event} is sent to nobody.`,
    breaks: [clause],
    rules: (rules) => ({
      selects: (webhook, name) => name !== event && rules.selects(webhook, name),
    }),
  })
}

/** An event that a webhook does not get once another, or the same, came to it. */
function unsentAfter(event: WebhookEvent, before: WebhookEvent, clause: ClauseId): Fault {
  return fault({
    title: `After ${before} a webhook gets no ${event} any more.`,
    breaks: [clause],
    rules: (rules) => {
      const met = new Set<string>()
      return {
        selects(webhook, name) {
          const isKept = name === event && met.has(webhook.id)
          if (name === before && rules.selects(webhook, name)) met.add(webhook.id)
          return !isKept && rules.selects(webhook, name)
        },
      }
    },
  })
}

const familyOf = (event: string): string => event.split('.', 1)[0] ?? event

const leads =
  (change: (payload: JsonObject) => JsonObject) =>
  (rules: Rules): Partial<Rules> => ({
    payload: (event, state, context) => {
      const payload = rules.payload(event, state, context)
      return event === 'leads.submit' ? change(payload) : payload
    },
  })

export const webhookEventFaults = {
  'leads-unsent': unsent('leads.submit', 'EVT-LEADS-SUBMIT'),
  'messages-unsent': unsent('message.sent', 'EVT-MESSAGE-SENT'),
  'tools-unsent': unsent('tool.executed', 'EVT-TOOL-EXECUTED'),
  'bookings-unsent': unsent('booking.created', 'EVT-BOOKING-CREATED'),
  'cancellations-unsent': unsent('booking.cancelled', 'EVT-BOOKING-CANCELLED'),
  'reschedulings-unsent': unsent('booking.rescheduled', 'EVT-BOOKING-RESCHEDULED'),
  'orders-unsent': unsent('order.confirmed', 'EVT-ORDER-CONFIRMED'),
  'forms-unsent': unsent('custom_form.submitted', 'EVT-CUSTOM-FORM-SUBMITTED'),
  'proofs-unsent': unsent('payment.proof_received', 'EVT-PAYMENT-PROOF-RECEIVED'),
  'pending-payments-unsent': unsent('payment.verification_pending', 'EVT-PAYMENT-VERIFICATION-PENDING'),
  'verified-payments-unsent': unsent('payment.verified', 'EVT-PAYMENT-VERIFIED'),
  'rejected-payments-unsent': unsent('payment.rejected', 'EVT-PAYMENT-REJECTED'),
  'records-unsent': unsent('record.created', 'EVT-RECORD-CREATED'),
  'alerts-unsent': unsent('procedure.alert.created', 'EVT-PROCEDURE-ALERT-CREATED'),
  'approvals-unsent': unsent('procedure.approval.requested', 'EVT-PROCEDURE-APPROVAL-REQUESTED'),
  'resolutions-unsent': unsent('procedure.approval.resolved', 'EVT-PROCEDURE-APPROVAL-RESOLVED'),
  'handoffs-unsent': unsent('procedure.handoff.requested', 'EVT-PROCEDURE-HANDOFF-REQUESTED'),
  'escalations-unsent': unsent('procedure.escalated', 'EVT-PROCEDURE-ESCALATED'),
  'procedures-unsent': fault({
    title: 'Events whose names have three parts are sent to nobody.',
    breaks: [
      'EVT-PROCEDURE-ALERT-CREATED',
      'EVT-PROCEDURE-APPROVAL-REQUESTED',
      'EVT-PROCEDURE-APPROVAL-RESOLVED',
      'EVT-PROCEDURE-HANDOFF-REQUESTED',
    ],
    rules: (rules) => ({
      selects: (webhook, event) => event.split('.').length < 3 && rules.selects(webhook, event),
    }),
  }),
  'cancellation-unsent-once-moved': unsentAfter(
    'booking.cancelled',
    'booking.rescheduled',
    'EVT-BOOKING-CANCELLED',
  ),
  'second-proof-unsent': unsentAfter(
    'payment.proof_received',
    'payment.rejected',
    'EVT-PAYMENT-PROOF-RECEIVED',
  ),
  'second-form-unsent': unsentAfter(
    'custom_form.submitted',
    'custom_form.submitted',
    'EVT-CUSTOM-FORM-SUBMITTED',
  ),
  'near-events-sent': fault({
    title: 'An event is sent for what only comes near it, such as a booking that fails.',
    breaks: everyEventClause,
    rules: () => ({ comesOfNear: (event) => [event] }),
  }),
  'lead-without-name': fault({
    title: 'A lead has no customerName.',
    breaks: ['EVT-LEADS-PAYLOAD'],
    rules: leads((payload) => withoutMembers(payload, 'customerName')),
  }),
  'everything-sent': fault({
    title: 'A webhook gets every event of its agent, whatever it has selected.',
    breaks: ['EVT-SELECTED-ONLY'],
    rules: () => ({ selects: () => true }),
  }),
  'family-sent': fault({
    title: 'A webhook that has selected an event gets every event whose name begins as that one does.',
    breaks: ['EVT-SELECTED-ONLY'],
    rules: () => ({
      selects: (webhook, event) => webhook.events.some((one) => familyOf(one) === familyOf(event)),
    }),
  }),
  'events-of-every-agent': fault({
    title: 'A webhook gets the events of every agent that it has selected, as if they were of its own.',
    breaks: ['EVT-OWN-AGENT', 'DLV-CHATBOT'],
    rules: () => ({
      targets: ({ webhooks, agents }) =>
        [...webhooks.values()].flatMap((webhook) =>
          // What changes in the webhook afterwards changes in each of them.
          [...agents.values()].map(({ id }): Webhook => Object.create(webhook, { agent: { value: id } })),
        ),
    }),
  }),
  'one-webhook-per-event': fault({
    title: 'Of several webhooks of an agent with the same selection only the one made first gets anything.',
    breaks: ['EVT-EVERY-WEBHOOK'],
    rules: () => ({
      targets: ({ webhooks }) => {
        const alike = [...webhooks.values()].map(
          (webhook) => [`${webhook.agent} ${webhook.events.join(' ')}`, webhook] as const,
        )
        return new Map(alike.toReversed()).values()
      },
    }),
  }),
} as const satisfies Record<string, Fault>
