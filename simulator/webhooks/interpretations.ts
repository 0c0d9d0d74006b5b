/** What the rules say under each interpretation of each gap of webhooks; the first interpretation of a gap is the default. */
import { guardBase, guardInterpretations } from './guard/addresses.ts'
import type { WebhookInterpretations, WebhookRules, WebhookTenant } from '../rules/webhooks.ts'
import { managementBase, managementInterpretations } from './management-rules.ts'
import { limits } from '../../spec/index.ts'
import { encode, eventEnvelope, sharedEnvelopeOf, capitalSignature, signature } from './delivery/envelope.ts'
import { barePayload, namedPayload, type PayloadContext } from '../tenant/webhooks/webhook.ts'
import { fixedLimits } from '../limits.ts'

const second = 1000
const minute = 60 * second

const deliveryBase = {
  targets: ({ webhooks }) => webhooks.values(),
  isOn: ({ isActive }) => isActive,
  selects: (webhook, event) => webhook.events.includes(event),
  reports: () => true,
  comesOfNear: () => [],
  deliveryId: (test, random) => `${test ? 'test' : 'whd'}_${random.uuidDigits()}`,
  attemptId: ({ id }) => id,
  encode,
  firstWaitMs: 0,
  attemptsMost: limits.webhookAttempts,
  answerWaitMs: limits.webhookResponseWaitSeconds * second,
  isDelivered: (status) => status >= 200 && status <= 299,
  pauseTurnsOff: false,
  concurrency: { state: 50, webhook: 10 },
  queueLimit: fixedLimits.waitingDeliveries,
  logLimit: fixedLimits.loggedDeliveries,
  retries: ({ outcome }) => outcome !== 'delivered',
} satisfies Partial<WebhookRules>

const contextOf = ({ random }: WebhookTenant, context: Partial<PayloadContext>): PayloadContext => ({
  ...context,
  conversationId: context.conversationId ?? random.uuid(),
})

const deliveryInterpretations = {
  'GAP-TEST-EVENT': {
    first: { testEvent: ({ events }) => events[0] ?? 'leads.submit' },
    leads: { testEvent: () => 'leads.submit' },
  },
  'GAP-TEST-FLAG': { all: { testFlag: true }, none: { testFlag: false } },
  'GAP-TEST-RETRY': { 'as-live': { testsAsLive: true }, once: { testsAsLive: false } },
  'GAP-EVENT-PAYLOADS': {
    named: { payload: (event, state, context = {}) => namedPayload(event, contextOf(state, context)) },
    bare: { payload: (event, state, context = {}) => barePayload(event, contextOf(state, context)) },
  },
  'GAP-EVENT-TRIGGERS': { turns: { turnsEmit: true }, demand: { turnsEmit: false } },
  'GAP-EVENT-ORDER': { ordered: { keepsOrder: true }, any: { keepsOrder: false } },
  'GAP-HEX-CASE': { lower: { signature }, upper: { signature: capitalSignature } },
  'GAP-ATTEMPT-BODY': { same: { envelope: sharedEnvelopeOf }, fresh: { envelope: eventEnvelope } },
  'GAP-ATTEMPT-BACKOFF': {
    growing: { backoffMs: (number) => 2 ** number * second },
    fixed: { backoffMs: () => 5 * second },
  },
  'GAP-ENDPOINT-PAUSE': {
    five: { endpointPause: { after: 5, ms: 10 * minute } },
    twenty: { endpointPause: { after: 20, ms: 60 * minute } },
  },
  'GAP-PAUSED-EVENTS': { kept: { pausedEvents: 'kept' }, dropped: { pausedEvents: 'dropped' } },
  'GAP-REDIRECT': { failure: { followsRedirects: false }, followed: { followsRedirects: true } },
} satisfies Partial<WebhookInterpretations>

/** What the rules say where the contract leaves nothing open; only a fault changes these. */
export const webhookBase = { ...managementBase, ...deliveryBase, ...guardBase }

export const webhookInterpretations: WebhookInterpretations = {
  ...managementInterpretations,
  ...deliveryInterpretations,
  ...guardInterpretations,
}
