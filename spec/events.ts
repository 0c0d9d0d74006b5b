/** Event names. Sections Streaming events, Webhook deliveries and States and transitions. */

/** Chat stream events by `type`, with the members each carries. */
export const streamEvents = {
  token: { members: ['token'], meaning: 'Partial reply text.' },
  action_start: { members: ['actionName'], meaning: 'A tool started.' },
  action_complete: { members: ['actionName', 'success'], meaning: 'A tool finished.' },
  gate_triggered: { members: ['decision', 'reason'], meaning: 'A safety or policy gate changed the turn.' },
  done: {
    members: ['response', 'conversation_id', 'credits_used', 'credits_remaining'],
    meaning: 'The stream finished; carries the final fields of the reply.',
  },
  error: { members: ['error'], meaning: 'The request failed while it was streamed.' },
} as const
export type StreamEventType = keyof typeof streamEvents

/** Webhook events by name, with what triggers each. */
export const webhookEvents = {
  'leads.submit': 'A customer submits lead or contact details.',
  'message.sent': 'The AI sends a message.',
  'tool.executed': 'An AI action completes successfully.',
  'booking.created': 'A booking is created.',
  'booking.cancelled': 'A booking is cancelled.',
  'booking.rescheduled': 'A booking moves to a new time.',
  'order.confirmed': 'A customer confirms an order.',
  'custom_form.submitted': 'A custom form is submitted.',
  'payment.proof_received': 'A customer submits proof of payment.',
  'payment.verification_pending': 'A payment awaits approval.',
  'payment.verified': 'A payment is approved.',
  'payment.rejected': 'A payment is rejected.',
  'record.created': 'A Data Log record is created.',
  'procedure.alert.created': 'A Procedure notifies someone while the AI goes on.',
  'procedure.approval.requested': 'A Procedure pauses for approval.',
  'procedure.approval.resolved': 'A Procedure approval is approved or rejected.',
  'procedure.handoff.requested': 'A Procedure routes the conversation to a team.',
  'procedure.escalated': 'A Procedure reaches its fallback escalation.',
} as const
export type WebhookEvent = keyof typeof webhookEvents

/** What comes near an event and is none: a webhook that has selected the event gets nothing for it. */
export const nearEvents = {
  'leads.submit': 'A customer writes, and leaves no lead or contact details.',
  'message.sent': 'A customer writes, and the AI does not answer.',
  'tool.executed': 'An AI action fails.',
  'booking.created': 'A booking is tried, and none is made.',
  'booking.cancelled': 'A booking is to be cancelled, and stays.',
  'booking.rescheduled': 'A booking is changed, and its time stays.',
  'order.confirmed': 'An order is drawn up, and the customer does not confirm it.',
  'custom_form.submitted': 'A custom form is opened, and not submitted.',
  'payment.proof_received': 'A customer speaks of a payment, and submits no proof of it.',
  'payment.verification_pending': 'A payment that awaited approval is decided.',
  'payment.verified': 'A payment is looked at, and not approved.',
  'payment.rejected': 'A payment is looked at, and not rejected.',
  'record.created': 'A Data Log record is changed, and none is created.',
  'procedure.alert.created': 'A Procedure goes on, and notifies nobody.',
  'procedure.approval.requested': 'A Procedure goes on without a pause for approval.',
  'procedure.approval.resolved': 'A Procedure waits for its approval, and nobody decides.',
  'procedure.handoff.requested': 'A Procedure goes on, and routes the conversation nowhere.',
  'procedure.escalated': 'A Procedure ends, and does not reach its fallback escalation.',
} as const satisfies Readonly<Record<WebhookEvent, string>>

/** An older internal name that cannot be selected on a new webhook. */
export const retiredWebhookEvent = 'action.executed'

export const receiptStatuses = ['completed', 'accepted', 'pending_approval', 'failed'] as const
export const taskStates = ['queued', 'running', 'input_required', 'completed', 'failed', 'cancelled'] as const
export const finalTaskStates = ['completed', 'failed', 'cancelled'] as const
export const scopes = ['chat', 'read_agents', 'billing_read', 'knowledge.write', 'agent_design_read'] as const
export type Scope = (typeof scopes)[number]
