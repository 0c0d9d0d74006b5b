/** A webhook, and the session of the user who manages it. */
import type { HeaderLine, Call } from '../../edge/reply.ts'
import type { WebhookEvent } from '../../../spec/index.ts'
import type { JsonObject } from '../../json.ts'
import { identifierForms, type Identifiers } from '../../../spec/identifiers.ts'

export interface Webhook {
  readonly id: string
  readonly agent: string
  name: string
  endpointUrl: string
  events: readonly string[]
  description: string | null
  customHeaders: readonly HeaderLine[]
  isActive: boolean
  /** Keys the signature of every delivery; never written to the journal. */
  secret: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export type Changeable = Omit<Webhook, 'id' | 'agent' | 'createdAt'>

export interface DashboardSession {
  /** What a request carries; begins with `sess_`. Never written to the journal. */
  readonly token: string
  readonly name: string
  /** Id of the account whose agents it may manage. */
  readonly account: string
}

/**
 * What is in the payload of an event. Every one has letters beyond ASCII, an emoji, a line separator, a fraction and
 * a `/`: a signature over anything but the bytes that came does not survive them.
 */
const customer = { customerName: 'Zoë Müller 🌻', customerEmail: 'zoe@example.com' }
const note = 'Entrée at 19/20 o’clock 🙂,\u2028near the café.'
const price = { amount: 12.5, currency: 'EUR' }
const booking = { bookingId: 'booking_1', startsAt: '2030-01-02T19:30:00Z', hours: 1.5, note }
const payment = { paymentId: 'payment_1', ...price, reference: 'Rechnung № 7/2030 für Zoë 💶', note }
const procedure = { procedureId: 'procedure_1', name: 'Rückgabe / réclamation 📦', waitedHours: 0.5, note }

/** Samples of what an event is about; the conversation stands before them. */
const samplePayloads: Readonly<Record<WebhookEvent, JsonObject>> = {
  'leads.submit': { ...customer, note, budget: 1.5 },
  'message.sent': { messageId: 'message_1', text: `Voilà 👋 ${note}`, seconds: 1.5 },
  'tool.executed': { actionName: 'look_up', success: true, seconds: 0.5, result: `Größe 4/5 ✅ ${note}` },
  'booking.created': booking,
  'booking.cancelled': { ...booking, reason: 'Verspätung / delay 🚆' },
  'booking.rescheduled': { ...booking, startedAt: '2030-01-01T19:30:00Z' },
  'order.confirmed': { orderId: 'order_1', ...price, items: [{ name: 'Crème brûlée 🍮', count: 2 }], note },
  'custom_form.submitted': { formId: 'form_1', answers: { größe: 1.5, straße: 'Allée 3/4 🏠', note } },
  'payment.proof_received': { ...payment, proofUrl: 'https://example.com/proofs/1.png' },
  'payment.verification_pending': { ...payment, waitsFor: 'owner' },
  'payment.verified': { ...payment, verifiedBy: 'René' },
  'payment.rejected': { ...payment, reason: 'Betrag fehlt / missing amount ❌' },
  'record.created': { recordId: 'record_1', log: 'Gäste / guests 📒', values: { weight: 1.5, note } },
  'procedure.alert.created': { ...procedure, alert: 'Kühlung über 8.5 °C ⚠️' },
  'procedure.approval.requested': { ...procedure, approvalId: 'approval_1' },
  'procedure.approval.resolved': { ...procedure, approvalId: 'approval_1', approved: true },
  'procedure.handoff.requested': { ...procedure, team: 'Küche 👩‍🍳' },
  'procedure.escalated': { ...procedure, step: 'fallback' },
}

/** What is known of an event: its conversation, and members that take the place of the sample's. */
export interface PayloadContext {
  readonly conversationId: string
  readonly members?: JsonObject
}

const isEvent = (event: string): event is WebhookEvent => Object.hasOwn(samplePayloads, event)

export function namedPayload(event: string, { conversationId, members = {} }: PayloadContext): JsonObject {
  return { conversationId, ...(isEvent(event) ? samplePayloads[event] : {}), ...members }
}

/** The conversation alone, but for the one event whose members are known. */
export function barePayload(event: string, context: PayloadContext): JsonObject {
  return event === 'leads.submit' ? namedPayload(event, context) : { conversationId: context.conversationId }
}

/** How a request shows that it is a delivery. */
export const headerOfAnyVendor = (name: 'deliveryIdHeader' | 'signatureHeader'): RegExp =>
  new RegExp(`^${identifierForms[name].from('VENDOR').replace('VENDOR', '[a-z0-9-]+')}$`, 'i')

const deliveryIdOfAnyVendor = headerOfAnyVendor('deliveryIdHeader')

/**
 * Whether a request to the service is a delivery of any tenant. By this name alone: clients may send a value that looks
 * like the id of a delivery, such as an idempotency key that begins with `test_`.
 */
export const isDelivery = (
  { headers }: Pick<Call, 'headers'>,
  { deliveryIdHeader }: Pick<Identifiers, 'deliveryIdHeader'>,
): boolean =>
  headers.some(
    ([name]) => deliveryIdOfAnyVendor.test(name) || name.toLowerCase() === deliveryIdHeader.toLowerCase(),
  )
