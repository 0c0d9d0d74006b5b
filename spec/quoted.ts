/** Phrases of the contract that decide clauses of other sections too, by name. */
import type { Quotation } from './clause.ts'

export const quoted = {
  httpApi: { source: 'What the service does', phrase: 'sent to an agent over HTTP' },
  creditsReported: {
    source: 'What the service does, Credits',
    phrase: 'each chat turn reports the credits it used and the credits left',
  },
  neverTwice: { source: 'What the service does, Idempotency', phrase: 'the same turn is never run twice' },
  storedUnanswered: {
    source: 'What the service does, Paused AI replies',
    phrase: 'a customer message is stored and no AI reply is produced',
  },
  messageRequired: { source: 'Resources, Chat request body, message', phrase: '`message` | string | yes' },
  messageWithInteraction: {
    source: 'Resources, Chat request body, message',
    phrase: 'Still required when `interaction` is sent',
  },
  continuesConversation: {
    source: 'Resources, Chat request body, conversation_id',
    phrase: 'Continues an existing conversation',
  },
  eventStream: {
    source: 'Resources, Chat request body, stream',
    phrase: '`true` selects Server-Sent Events',
  },
  keyCarriers: {
    source: 'Resources, Chat request body, idempotency_key',
    phrase: 'May instead be sent in header `Idempotency-Key` or `X-Idempotency-Key`',
  },
  successBody: {
    source: 'Resources, Chat success response',
    phrase: 'Chat success response (JSON, HTTP 200)',
  },
  emptyWhilePaused: {
    source: 'Resources, Chat success response, response',
    phrase: 'Empty when the customer message was accepted while AI replies are paused',
  },
  creditsLeft: {
    source: 'Resources, Chat success response, credits_remaining',
    phrase: 'Credits left after this request',
  },
  presentationOnly: {
    source: 'Resources, Chat success response, presentation',
    phrase: 'Present only when the turn has Workflow messages, buttons or media',
  },
  customerMessage: {
    source: 'Resources, Chat success response, customer_message',
    phrase: '`customer_message` | object',
  },
  presentationNamed: {
    source: 'Resources, Chat success response, client library',
    phrase: '`presentation` keeps its name',
  },
  replyText: { source: 'Resources, Streaming events, token', phrase: 'Partial reply text' },
  finalFields: {
    source: 'Resources, Streaming events, done',
    phrase: 'same final fields as a non-streaming reply',
  },
  streamFinished: { source: 'Resources, Streaming events, done', phrase: 'Stream finished' },
  failedMidStream: { source: 'Resources, Streaming events, error', phrase: 'Request failed mid-stream' },
  waitsForOwner: {
    source: 'Resources, Operation receipt, pending_approval',
    phrase: 'Waits for owner review',
  },
  subscribedEvents: { source: 'Resources, Webhook resource, events', phrase: 'Subscribed event names' },
  sentWithDeliveries: {
    source: 'Resources, Webhook resource, custom_headers',
    phrase: 'sent with every delivery',
  },
  keyUnseen: {
    source: 'States and transitions, Chat key unused',
    phrase: 'first time the key is seen | turn runs',
  },
  chargedAtEnd: {
    source: 'States and transitions, Chat key unused',
    phrase: 'credits are consumed when the turn completes',
  },
  identicalRequest: {
    source: 'States and transitions, Key completed',
    phrase: 'identical request with same key',
  },
  replyReplayed: { source: 'States and transitions, Key completed', phrase: '200 with reply replayed' },
  replyFilled: {
    source: 'States and transitions, AI replies active',
    phrase: 'reply produced | `response` filled',
  },
  storedWhilePaused: {
    source: 'States and transitions, AI replies paused',
    phrase: '`response` empty, `customer_message` present',
  },
  jsonBodies: { source: 'Endpoints, Base address', phrase: 'Bodies and responses are JSON unless streaming' },
  chatRoute: { source: 'Endpoints, Chat', phrase: 'Method and path | `POST /api/v1/chat/{agentId}`' },
  inspection: {
    source: 'Endpoints, Operations catalog, last paragraph',
    phrase: '`agent_setup.inspect` takes `agentId` and needs `agent_design_read`',
  },
  discoveryRules: {
    source: 'Endpoints, Operations catalog, last paragraph',
    phrase: 'discovery is authoritative for a key',
  },
  olderStatuses: {
    source: 'Endpoints, Older variant of the chat interface, Statuses',
    phrase: 'Statuses | 200, 400',
  },
  keyRefused: {
    source: 'Authentication, Chat and operations, 5',
    phrase: '401 means the key is invalid or missing',
  },
  signatureForm: {
    source: 'Authentication, Webhook delivery signing, 2',
    phrase: 'sent as `sha256=<hex_digest>` in header',
  },
  duplicatesDropped: {
    source: 'Events, Webhook deliveries, at least once',
    phrase: 'the delivery id is used to drop duplicates',
  },
  invalidBody: { source: 'Errors, Chat status codes, 400', phrase: '400 | invalid body' },
  keyMissing: {
    source: 'Errors, Chat status codes, 400',
    phrase: '400 | invalid body, or `IDEMPOTENCY_KEY_REQUIRED` when no key is sent',
  },
  flatError: {
    source: 'Errors, Chat status codes, last paragraph',
    phrase: 'Chat errors are a flat JSON object with a text `error`',
  },
  reconcileFirst: { source: 'Errors, 409 codes', phrase: 'reconcile the earlier turn first' },
  failedDelivery: {
    source: 'Errors, Webhook receiver side',
    phrase: 'A delivery counts as failed on a non-2xx answer',
  },
  chatRate: { source: 'Limits, Chat rate', phrase: '60 requests per minute per API key' },
  httpsOnly: {
    source: 'Limits, Webhook endpoint scheme',
    phrase: 'HTTPS only (localhost excepted in development)',
  },
  deliveryAgent: { source: 'Versioning', phrase: 'Webhook `User-Agent` carries the version 1.0' },
} as const satisfies Record<string, Quotation>
