/** The webhook events, held complete by the compiler. */
import type { WebhookEvent } from '../../spec/events.ts'

const events: Readonly<Record<WebhookEvent, true>> = {
  'leads.submit': true,
  'message.sent': true,
  'tool.executed': true,
  'booking.created': true,
  'booking.cancelled': true,
  'booking.rescheduled': true,
  'order.confirmed': true,
  'custom_form.submitted': true,
  'payment.proof_received': true,
  'payment.verification_pending': true,
  'payment.verified': true,
  'payment.rejected': true,
  'record.created': true,
  'procedure.alert.created': true,
  'procedure.approval.requested': true,
  'procedure.approval.resolved': true,
  'procedure.handoff.requested': true,
  'procedure.escalated': true,
}

export const eventNames = Object.keys(events)
