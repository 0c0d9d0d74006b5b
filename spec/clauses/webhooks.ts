/** Clauses of webhooks: how they are managed, and which events lead to a delivery. */
import { advised, implied, must, should, stated } from '../clause.ts'
import type { WebhookEvent } from '../events.ts'
import { quoted } from '../quoted.ts'
import { eventState } from '../states.ts'

const routes = 'Endpoints, Webhook management'
const session = 'Authentication, Webhook management'
const row = 'Resources, Webhook resource'
const signedIn = 'Requires a signed-in user session; project keys are refused'
const noProjectKey = 'A project API key cannot create or edit webhooks'
const eventNames = 'Subscribed event names (see Events)'
const webhooks = 'object with array `webhooks` of webhook resources'
const onlyAtCreation = 'Returned only in the creation response'
const updated = 'Update name, endpoint URL, events or custom headers'

export const webhookManagementClauses = {
  'HOOK-NO-SESSION': must(
    'Each management route refuses a call without a session.',
    stated(session, signedIn),
  ),
  'HOOK-KEY-CREATE': must('A project key cannot create a webhook.', stated(routes, noProjectKey)),
  'HOOK-KEY-EDIT': must('A project key cannot change or remove a webhook.', stated(routes, noProjectKey)),
  'HOOK-KEY-READ': must(
    'A project key cannot list webhooks, send a test or read a log.',
    stated(session, signedIn),
  ),
  'HOOK-CREATE': must(
    'Creating a webhook returns its `id` and its `secret_key`.',
    stated(`${routes}, create`, 'Response: `id`, `secret_key`'),
  ),
  'HOOK-CREATE-EVENTS': must(
    'Each of the eighteen events can be selected.',
    implied(`${row}, events`, eventNames),
  ),
  'HOOK-CREATE-UNKNOWN-EVENT': should(
    'An event name that does not exist cannot be selected.',
    implied(`${row}, events`, eventNames),
  ),
  'HOOK-CREATE-RETIRED-EVENT': must(
    '`action.executed` cannot be selected on a new webhook.',
    stated('Events, Webhook deliveries, action.executed', 'it cannot be selected on a new webhook'),
  ),
  'HOOK-CREATE-NO-DESCRIPTION': should(
    'A webhook can be created without `description`.',
    advised(`${row}, description`),
  ),
  'HOOK-LIST': must('The list is an object with an array `webhooks`.', stated(`${routes}, list`, webhooks)),
  'HOOK-LIST-OWN': must(
    'The list of an agent shows no webhook of another agent.',
    implied(`${routes}, list`, '`GET /api/agents/{agentId}/webhooks`'),
  ),
  'HOOK-LIST-AS-SENT': must(
    'A created webhook is listed with the name, endpoint, events, description and headers it was given.',
    implied(`${routes}, list`, [
      webhooks,
      'Body: `name`, `endpoint_url`, `events`, `description`, `custom_headers`',
    ]),
  ),
  'HOOK-LIST-ACTIVE': must(
    'A listed webhook has a boolean `is_active`.',
    stated(`${row}, is_active`, '`is_active` | boolean'),
  ),
  'HOOK-LIST-CREATED-AT': must(
    '`created_at` is an ISO 8601 time in UTC.',
    stated(`${row}, created_at`, 'ISO 8601 UTC timestamp'),
  ),
  'HOOK-LIST-NO-SECRET': must(
    'The list never has a `secret_key`.',
    stated(`${row}, secret_key`, onlyAtCreation),
  ),
  'HOOK-LIST-PREVIEW': must(
    'A listed webhook has a `secret_key_preview` that does not give the secret away.',
    stated(`${row}, secret_key`, 'Listing shows `secret_key_preview` (masked) instead'),
  ),
  'HOOK-UPDATE-NAME': must('The name can be changed.', stated(`${routes}, update`, updated)),
  'HOOK-UPDATE-HEADERS': must(
    'The custom headers can be changed; later deliveries carry the new ones.',
    stated(`${routes}, update`, [updated, quoted.sentWithDeliveries]),
  ),
  'HOOK-UPDATE-ENDPOINT': must(
    'The endpoint can be changed; deliveries then go to the new one.',
    stated(`${routes}, update`, updated),
  ),
  'HOOK-UPDATE-EVENTS': must(
    'The events can be changed; from then on only those are sent.',
    stated(`${routes}, update`, [updated, quoted.subscribedEvents]),
  ),
  'HOOK-UPDATE-REST': must(
    'What an update does not name stays as it was, the secret too.',
    implied(`${routes}, update`, [updated, '`PATCH /api/agents/{agentId}/webhooks/{webhookId}`']),
  ),
  'HOOK-UPDATE-NO-SECRET': must(
    'The answer to an update does not show the secret.',
    stated(`${row}, secret_key`, onlyAtCreation),
  ),
  'HOOK-DELETE': must(
    'A removed webhook is not listed any more.',
    stated(`${routes}, delete`, 'Remove permanently'),
  ),
  'HOOK-DELETE-SILENT': must(
    'Events that come after the removal are not sent; a delivery under way may still complete.',
    implied(`${routes}, delete`, 'Remove permanently; in-flight deliveries may still complete'),
  ),
  'HOOK-INACTIVE': must(
    'A webhook that was turned off gets no deliveries.',
    implied(`${row}, is_active`, 'Whether the webhook is on', { state: 'webhook.inactive' }),
  ),
  'HOOK-TEST': must(
    'The test route sends a sample event at once.',
    stated(`${routes}, test`, 'Send a sample event immediately'),
  ),
} as const

const events = 'Events, Webhook deliveries'
const subscribed = 'Subscribed event names'

function when(event: WebhookEvent) {
  return { observe: 'state', state: eventState(event) } as const
}

const gets = (event: WebhookEvent, cause: string, phrase: string) =>
  must(`A webhook gets \`${event}\` when ${cause}`, stated(`${events}, ${event}`, phrase, when(event)))

/** One clause for each event, named after it; a webhook in these texts has the event selected. */
export const webhookEventsClauses = {
  'EVT-LEADS-SUBMIT': gets(
    'leads.submit',
    'a customer leaves lead or contact details.',
    'customer submits lead or contact details',
  ),
  'EVT-LEADS-PAYLOAD': must(
    'The payload of `leads.submit` has the strings `conversationId`, `customerEmail` and `customerName`.',
    stated(
      `${events}, Payload members`,
      'carries `conversationId`, `customerEmail`, `customerName` (strings)',
      when('leads.submit'),
    ),
  ),
  'EVT-MESSAGE-SENT': gets('message.sent', 'the AI sends a message.', 'the AI sends a message'),
  'EVT-TOOL-EXECUTED': gets(
    'tool.executed',
    'an action of the AI succeeds.',
    'an AI action completes successfully',
  ),
  'EVT-BOOKING-CREATED': gets('booking.created', 'a booking is made.', 'a booking is created'),
  'EVT-BOOKING-CANCELLED': gets('booking.cancelled', 'a booking is called off.', 'a booking is cancelled'),
  'EVT-BOOKING-RESCHEDULED': gets(
    'booking.rescheduled',
    'a booking gets another time.',
    'a booking moves to a new time',
  ),
  'EVT-ORDER-CONFIRMED': gets(
    'order.confirmed',
    'a customer confirms an order.',
    'a customer confirms an order',
  ),
  'EVT-CUSTOM-FORM-SUBMITTED': gets(
    'custom_form.submitted',
    'a custom form is sent in.',
    'a custom form is submitted',
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
  'EVT-PAYMENT-VERIFIED': gets('payment.verified', 'a payment is approved.', 'a payment is approved'),
  'EVT-PAYMENT-REJECTED': gets('payment.rejected', 'a payment is rejected.', 'a payment is rejected'),
  'EVT-RECORD-CREATED': gets(
    'record.created',
    'a record is added to a Data Log.',
    'a Data Log record is created',
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

const entry = 'Resources, Webhook log entry'
const records = 'response time, success or failure, and number of retry attempts'

export const webhookLogsClauses = {
  'LOG-READ': must(
    'The log of a webhook has an entry for each of its deliveries.',
    stated('Endpoints, Webhook management, logs', 'Delivery history'),
  ),
  'LOG-EVENT': must(
    'An entry has the event type and a timestamp.',
    stated(entry, 'Each entry records: event type and timestamp'),
  ),
  'LOG-STATUS': must(
    'An entry has the HTTP status that the endpoint returned.',
    stated(entry, 'HTTP status returned by the endpoint'),
  ),
  'LOG-TIME': must('An entry has the response time.', stated(entry, records)),
  'LOG-SUCCESS': must(
    'An entry distinguishes a delivery that succeeded from one that failed.',
    stated(entry, records),
  ),
  'LOG-RETRIES': must('An entry has the number of retry attempts.', stated(entry, records)),
  'LOG-NO-SECRET': must(
    'The log does not show the secret.',
    implied('Resources, Webhook resource, secret_key', 'Returned only in the creation response'),
  ),
} as const
