/** Events that reach nobody, too many, or too few. */
import { webhookEvents, type ClauseId, type WebhookEvent } from '../../../spec/index.ts'
import type { JsonObject } from '../../json.ts'
import type { Rules, TenantState } from '../../rules/tenant-state.ts'
import type { Webhook } from '../../tenant/webhooks/webhook.ts'
import { withoutMembers } from '../../modification/changes.ts'
import { fault, type Fault, type TenantHooks } from '../../modification/modification.ts'
import type { Call, Reply } from '../../edge/reply.ts'

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

/** Emits an event that did not happen, by default a sent message, with such replies of chat. */
function alsoEmits(isSo: (reply: Reply) => boolean, event: WebhookEvent = 'message.sent'): TenantHooks {
  return {
    reply(reply: Reply, { params }: Call, state: TenantState) {
      const { agentId: agent } = params
      if (reply.about.operation !== 'chat' || agent === undefined || !isSo(reply)) return reply
      const payload = state.rules.payload(event, state)
      state.outbox.emit({ event, agent, at: state.clock.date(), payload, test: false })
      return reply
    },
  }
}

export const turnEventFaults = {
  'replay-sends-tool-event': fault({
    title: 'A replay of a turn that used a tool sends tool.executed once more.',
    breaks: ['EVT-TOOL-EXECUTED'],
    ...alsoEmits(({ about }) => about.replay === true && about.agent === 'tools', 'tool.executed'),
  }),
  'stored-message-sends-event': fault({
    title: 'A message that is stored while AI replies are paused sends message.sent.',
    breaks: ['EVT-MESSAGE-SENT'],
    ...alsoEmits(({ about }) => about.paused === true && about.replay !== true),
  }),
} as const satisfies Record<string, Fault>
