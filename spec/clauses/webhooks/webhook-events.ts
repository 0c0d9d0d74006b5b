import { implied, must, stated } from '../../clause.ts'
import type { WebhookEvent } from '../../events.ts'
import { eventState } from '../../states.ts'

const events = 'Events, Webhook deliveries'
const subscribed = 'Subscribed event names'

function when(event: WebhookEvent) {
  return { observe: 'state', state: eventState(event) } as const
}

/** One clause for each event, named after it; a webhook in these texts has the event selected. */
export const webhookEventsClauses = {
  'EVT-LEADS-SUBMIT': must(
    'A webhook gets `leads.submit` when a customer leaves lead or contact details.',
    stated(`${events}, leads.submit`, 'customer submits lead or contact details', when('leads.submit')),
  ),
  'EVT-LEADS-PAYLOAD': must(
    'The payload of `leads.submit` has the strings `conversationId`, `customerEmail` and `customerName`.',
    stated(
      `${events}, Payload members`,
      'carries `conversationId`, `customerEmail`, `customerName` (strings)',
      when('leads.submit'),
    ),
  ),
  'EVT-MESSAGE-SENT': must(
    'A webhook gets `message.sent` when the AI sends a message.',
    stated(`${events}, message.sent`, 'the AI sends a message', when('message.sent')),
  ),
  'EVT-TOOL-EXECUTED': must(
    'A webhook gets `tool.executed` when an action of the AI succeeds.',
    stated(`${events}, tool.executed`, 'an AI action completes successfully', when('tool.executed')),
  ),
  'EVT-BOOKING-CREATED': must(
    'A webhook gets `booking.created` when a booking is made.',
    stated(`${events}, booking.created`, 'a booking is created', when('booking.created')),
  ),
  'EVT-BOOKING-CANCELLED': must(
    'A webhook gets `booking.cancelled` when a booking is called off.',
    stated(`${events}, booking.cancelled`, 'a booking is cancelled', when('booking.cancelled')),
  ),
  'EVT-BOOKING-RESCHEDULED': must(
    'A webhook gets `booking.rescheduled` when a booking gets another time.',
    stated(`${events}, booking.rescheduled`, 'a booking moves to a new time', when('booking.rescheduled')),
  ),
  'EVT-ORDER-CONFIRMED': must(
    'A webhook gets `order.confirmed` when a customer confirms an order.',
    stated(`${events}, order.confirmed`, 'a customer confirms an order', when('order.confirmed')),
  ),
  'EVT-CUSTOM-FORM-SUBMITTED': must(
    'A webhook gets `custom_form.submitted` when a custom form is sent in.',
    stated(`${events}, custom_form.submitted`, 'a custom form is submitted', when('custom_form.submitted')),
  ),
  'EVT-PAYMENT-PROOF-RECEIVED': must(
    'A webhook gets `payment.proof_received` when a customer hands in a proof of payment.',
    stated(
      `${events}, payment.proof_received`,
      'a customer submits proof of payment',
      when('payment.proof_received'),
    ),
  ),
  'EVT-PAYMENT-VERIFICATION-PENDING': must(
    'A webhook gets `payment.verification_pending` when a payment waits to be approved.',
    stated(
      `${events}, payment.verification_pending`,
      'a payment awaits approval',
      when('payment.verification_pending'),
    ),
  ),
  'EVT-PAYMENT-VERIFIED': must(
    'A webhook gets `payment.verified` when a payment is approved.',
    stated(`${events}, payment.verified`, 'a payment is approved', when('payment.verified')),
  ),
  'EVT-PAYMENT-REJECTED': must(
    'A webhook gets `payment.rejected` when a payment is rejected.',
    stated(`${events}, payment.rejected`, 'a payment is rejected', when('payment.rejected')),
  ),
  'EVT-RECORD-CREATED': must(
    'A webhook gets `record.created` when a record is added to a Data Log.',
    stated(`${events}, record.created`, 'a Data Log record is created', when('record.created')),
  ),
  'EVT-PROCEDURE-ALERT-CREATED': must(
    'A webhook gets `procedure.alert.created` when a Procedure notifies somebody and the AI goes on.',
    stated(
      `${events}, procedure.alert.created`,
      'a Procedure notifies someone while the AI continues',
      when('procedure.alert.created'),
    ),
  ),
  'EVT-PROCEDURE-APPROVAL-REQUESTED': must(
    'A webhook gets `procedure.approval.requested` when a Procedure stops to be approved.',
    stated(
      `${events}, procedure.approval.requested`,
      'a Procedure pauses for approval',
      when('procedure.approval.requested'),
    ),
  ),
  'EVT-PROCEDURE-APPROVAL-RESOLVED': must(
    'A webhook gets `procedure.approval.resolved` when that approval is given, and when it is denied.',
    stated(
      `${events}, procedure.approval.resolved`,
      'a Procedure approval is approved or rejected',
      when('procedure.approval.resolved'),
    ),
  ),
  'EVT-PROCEDURE-HANDOFF-REQUESTED': must(
    'A webhook gets `procedure.handoff.requested` when a Procedure hands the conversation to a team.',
    stated(
      `${events}, procedure.handoff.requested`,
      'a Procedure routes the conversation to a team',
      when('procedure.handoff.requested'),
    ),
  ),
  'EVT-PROCEDURE-ESCALATED': must(
    'A webhook gets `procedure.escalated` when a Procedure comes to its fallback escalation.',
    stated(
      `${events}, procedure.escalated`,
      'a Procedure reaches its fallback escalation',
      when('procedure.escalated'),
    ),
  ),
  'EVT-SELECTED-ONLY': must(
    'A webhook gets no event that it has not selected.',
    implied('Resources, Webhook resource, events', subscribed),
  ),
  'EVT-OWN-AGENT': must(
    'A webhook gets no event that happened to another agent.',
    implied(
      'Endpoints, Webhook management, create; Resources, Webhook delivery envelope, chatbotId',
      '`POST /api/agents/{agentId}/webhooks`',
    ),
  ),
  'EVT-EVERY-WEBHOOK': must(
    'Every webhook that has selected an event gets it.',
    implied('Resources, Webhook resource, events', subscribed),
  ),
} as const
