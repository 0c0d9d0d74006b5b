/** Which events lead to deliveries, and what the logs say of them. */
import type { Call, Reply } from '../edge/reply.ts'
import type { JsonObject } from '../json.ts'
import { withoutMembers } from '../modification/changes.ts'
import { type Fault, type TenantHooks, fault } from '../modification/modification.ts'
import { afterUpdate, firstOf, logAdds, logSays, onList } from '../modification/webhook-changes.ts'
import type { Rules, TenantState } from '../rules/tenant-state.ts'
import type { Webhook } from '../tenant/webhooks/webhook.ts'
import { type ClauseId, type WebhookEvent, webhookEvents } from '../../spec/index.ts'

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

const tenMinutesMs = 600_000

/** What an update may leave alone. */
const members = ['name', 'endpointUrl', 'events', 'customHeaders'] as const

/** Those that were removed, of each tenant, with the time. */
const removedOf = new WeakMap<TenantState, (readonly [Webhook, number])[]>()

export const eventFaults = {
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
  'removed-webhooks-return': fault({
    title: 'Ten minutes after a webhook was removed it is listed again.',
    breaks: ['HOOK-DELETE'],
    rules: (was, state) => {
      const removed: (readonly [Webhook, number])[] = []
      removedOf.set(state, removed)
      return {
        removes(webhook, ...rest) {
          removed.push([webhook, state.clock.now()])
          was.removes(webhook, ...rest)
        },
      }
    },
    ...onList((webhooks, state) => [
      ...webhooks,
      ...(removedOf.get(state) ?? [])
        .filter(([, at]) => state.clock.now() - at > tenMinutesMs)
        .map(([one]): JsonObject => state.rules.listed(one, state)),
    ]),
  }),
  'second-update-mints-secret': fault({
    title: 'The second update of a webhook makes a new secret.',
    breaks: ['HOOK-UPDATE-REST'],
    rules: (was, state) => {
      const counts = new Map<string, number>()
      return {
        updated(webhook, ...rest) {
          const count = (counts.get(webhook.id) ?? 0) + 1
          counts.set(webhook.id, count)
          if (count === 2) webhook.secret = was.newSecret(state.random)
          return was.updated(webhook, ...rest)
        },
      }
    },
  }),
  'update-from-the-creation': fault({
    title: 'A second update sets back to its creation whatever it does not name.',
    breaks: ['HOOK-UPDATE-REST', 'HOOK-UPDATE-ENDPOINT', 'HOOK-UPDATE-HEADERS'],
    rules: (was, state) => {
      const first = firstOf((webhook) => ({ ...webhook }))
      return afterUpdate((webhook, before) => {
        const made = first(before)
        for (const name of members)
          if (webhook[name] === before[name]) Object.assign(webhook, { [name]: made[name] })
      })(was, state)
    },
  }),
  'log-breaks-down-on-failures': fault({
    title: 'The log of a webhook cannot be read once a delivery has failed.',
    breaks: ['LOG-READ'],
    reply: (reply, _call, { rules, outbox }) => {
      const { operation, webhook = '' } = reply.about
      const hasFailed = (): boolean => outbox.deliveriesOf(webhook).some(({ state }) => state === 'failed')
      return reply.kind === 'json' && operation === 'webhook-logs' && reply.status === 200 && hasFailed()
        ? { ...reply, status: 500, body: rules.errorLayout(null, 'Something went wrong.') }
        : reply
    },
  }),
  'log-time-in-1970': fault({
    title: 'The times of the log are seconds that were taken for milliseconds.',
    breaks: ['LOG-EVENT'],
    rules: logSays((facts) => ({ ...facts, at: facts.at / 1000 })),
  }),
  'log-status-always-200': fault({
    title: 'The log says 200, whatever the endpoint answered.',
    breaks: ['LOG-STATUS'],
    rules: logSays((facts) => ({ ...facts, status: facts.status === null ? null : 200 })),
  }),
  'log-response-time-negative': fault({
    title: 'The response time in the log is measured backwards.',
    breaks: ['LOG-TIME'],
    rules: logSays((facts) => ({ ...facts, tookMs: -1 - (facts.tookMs ?? 0) })),
  }),
  'log-counts-what-is-left': fault({
    title: 'The log counts the retries that were left.',
    breaks: ['LOG-RETRIES'],
    rules: logSays((facts) => ({ ...facts, retries: 2 - facts.retries })),
  }),
  'log-shows-secret': fault({
    title: 'Entries of the log have the secret.',
    breaks: ['LOG-NO-SECRET'],
    rules: logAdds((_facts, { id, secret }) => ({ webhook: { id, secret_key: secret } })),
  }),
} as const satisfies Record<string, Fault>
