import { ambiguous, notShownGap, silentGap } from '../gap.ts'

const routes = 'Endpoints, Webhook management'
const signing = 'Authentication, Webhook delivery signing'

export const webhooksGaps = {
  'GAP-SESSION': silentGap({
    question: 'How does a request carry a signed-in session?',
    source: 'Authentication, Webhook management',
    unjudged: 'The way; the target declares it.',
    interpretations: {
      cookie: 'In a cookie called `session`.',
      bearer: 'As a Bearer token that is not an API key.',
    },
  }),
  'GAP-SESSION-REFUSAL': silentGap({
    question: 'With which status is a project key refused where a session is needed?',
    source: 'Authentication, Webhook management',
    unjudged: 'Which of the two, and its body.',
    interpretations: { unauthorized: '401.', forbidden: '403.' },
  }),
  'GAP-WEBHOOK-PLAN': silentGap({
    question: 'How are webhook settings refused to a plan without them?',
    source: 'What the service does, Plans',
    unjudged: 'The status.',
    interpretations: { forbidden: 'With 403.', payment: 'With 402.' },
  }),
  'GAP-WEBHOOK-REQUIRED': notShownGap({
    question: 'Which members have to be sent when a webhook is created?',
    source: 'Resources, Webhook resource, after the table',
    unjudged: 'A creation that leaves one of them out; a suite sends name, endpoint and events.',
    interpretations: {
      three: '`name`, `endpoint_url` and `events`.',
      two: '`endpoint_url` and `events`; the name is taken from the endpoint.',
    },
  }),
  'GAP-WEBHOOK-REFUSAL': silentGap({
    question: 'With which status is a webhook refused that breaks a rule?',
    source: routes,
    unjudged: 'Which 4xx, and its body.',
    interpretations: { 'bad-request': '400.', unprocessable: '422.' },
  }),
  'GAP-WEBHOOK-BODIES': notShownGap({
    question: 'What do update, delete and test answer?',
    source: `${routes}, response bodies`,
    unjudged: 'Status within 2xx and body.',
    interpretations: {
      objects: 'The webhook, an object that says it was removed, and the delivery id of the test.',
      empty: 'Nothing, with 204.',
    },
  }),
  'GAP-WEBHOOK-CREATED': silentGap({
    question: 'What does a creation answer besides `id` and `secret_key`, and with which status?',
    source: `${routes}, create`,
    unjudged: 'Which 2xx, and every other member.',
    interpretations: { whole: '201 with the whole webhook.', two: '200 with these two members alone.' },
  }),
  'GAP-SECRET-PREVIEW': silentGap({
    question: 'How is a secret masked?',
    source: 'Resources, Webhook resource, secret_key',
    unjudged: 'The form, as long as the secret cannot be read from it.',
    interpretations: { 'last-four': 'Only its last four characters show.', none: 'Only stars.' },
  }),
  'GAP-TURN-OFF': ambiguous({
    question: 'Can `is_active` be changed by an update?',
    source: `${routes}, update; Resources, Webhook resource, is_active`,
    unjudged: 'What an update with `is_active` does.',
    interpretations: { ignored: 'It is ignored: only the dashboard can.', taken: 'It is taken.' },
  }),
  'GAP-UPDATE-DESCRIPTION': silentGap({
    question: 'Can `description` be changed by an update?',
    source: `${routes}, update`,
    unjudged: 'What an update with `description` does.',
    interpretations: { ignored: 'It is ignored: an update does not name it.', taken: 'It is taken.' },
  }),
  'GAP-WEBHOOK-LIMITS': silentGap({
    question: 'How many webhooks may an agent have, and how long or large are the members of one?',
    source: 'Resources, Webhook resource',
    unjudged: 'Every number, as long as what is refused is refused with a 4xx.',
    interpretations: {
      roomy:
        'A hundred; a name of 200 characters, a description of 1,000, an endpoint of 2,048, 50 custom headers of 8 KiB each and 16 KiB in all. Names and values of headers are those that RFC 9110 lets through.',
    },
  }),
  'GAP-LOG-FIELDS': notShownGap({
    question: 'What are the members of a log entry called?',
    source: 'Resources, Webhook log entry',
    unjudged: 'Their names; the target declares them.',
    interpretations: {
      snake: '`event_type`, `timestamp`, `status_code`, `response_time_ms`, `success` and `retry_count`.',
      camel: 'The same in camelCase.',
    },
  }),
  'GAP-LOG-LIST': notShownGap({
    question: 'How does the answer of the log route hold its entries?',
    source: `${routes}, response bodies`,
    unjudged: 'Where they stand and their order.',
    interpretations: { logs: 'In `logs`, the newest first.', bare: 'It is a list, the oldest first.' },
  }),
  'GAP-LOG-GRAIN': ambiguous({
    question: 'Is there one log entry for a delivery, or one for each attempt?',
    source: 'Resources, Webhook log entry',
    unjudged: 'The number of entries of a delivery that was tried more than once.',
    interpretations: {
      delivery: 'One for a delivery; it counts its retries.',
      attempt: 'One for each attempt; it says which retry it was.',
    },
  }),
  'GAP-TEST-EVENT': silentGap({
    question: 'Which event does the test route send?',
    source: 'Events, Webhook deliveries, test route',
    unjudged: 'Which of the eighteen.',
    interpretations: { first: 'The first that the webhook has selected.', leads: 'Always `leads.submit`.' },
  }),
  'GAP-TEST-FLAG': ambiguous({
    question: 'Which test payloads say that they are tests?',
    source: 'Resources, Webhook delivery envelope, payload',
    unjudged: 'Whether `_test` is there.',
    interpretations: { all: 'All of them.', none: 'None of them.' },
  }),
  'GAP-TEST-RETRY': silentGap({
    question: 'Is a test tried again when it fails, and does it show in the log?',
    source: 'Events, Webhook deliveries, test route',
    unjudged: 'Both.',
    interpretations: { 'as-live': 'Yes, like a live delivery.', once: 'It is tried once and not logged.' },
  }),
  'GAP-EVENT-PAYLOADS': notShownGap({
    question: 'What is in the payload of an event other than `leads.submit`?',
    source: 'Events, Webhook deliveries, Payload members',
    unjudged: 'Every member of it.',
    interpretations: {
      named: 'The conversation and what the event is about, in members of the simulator’s own.',
      bare: 'The conversation alone.',
    },
  }),
  'GAP-EVENT-TRIGGERS': notShownGap({
    question: 'Which call of the API emits which event?',
    source: 'Events, Webhook deliveries',
    unjudged: 'That a call emits an event; a target declares what brings an event about.',
    interpretations: {
      turns:
        'A turn with a reply emits `message.sent`, a tool in it `tool.executed`; the rest are emitted on demand.',
      demand: 'No call emits anything; every event is emitted on demand.',
    },
  }),
  'GAP-EVENT-ORDER': silentGap({
    question: 'Do deliveries arrive in the order of their events?',
    source: 'Events, Webhook deliveries',
    unjudged: 'Their order.',
    interpretations: { ordered: 'Yes, while none of them fails.', any: 'In any order.' },
  }),
  'GAP-HEX-CASE': ambiguous({
    question: 'Are the hexadecimal digits of a signature small or capital letters?',
    source: `${signing}, 2`,
    unjudged: 'Their case.',
    interpretations: { lower: 'Small letters.', upper: 'Capital letters.' },
  }),
  'GAP-ATTEMPT-BODY': ambiguous({
    question: 'Do all attempts of a delivery send the same bytes?',
    source: 'Resources, Webhook delivery envelope, timestamp',
    unjudged: 'Whether `timestamp` moves on; each attempt is checked against its own bytes.',
    interpretations: {
      same: 'Yes: the time is that of the event.',
      fresh: 'No: the time is that of the attempt.',
    },
  }),
  'GAP-ATTEMPT-BACKOFF': notShownGap({
    question: 'How long is the wait between two attempts?',
    source: 'Limits, Other gaps, backoff between attempts',
    unjudged: 'Its length, beyond that there is one.',
    interpretations: { growing: 'Two seconds, then four.', fixed: 'Five seconds each time.' },
  }),
  'GAP-ENDPOINT-PAUSE': notShownGap({
    question: 'How many failures pause an endpoint, and for how long?',
    source: 'Limits, Other gaps, webhook pause',
    unjudged: 'Both numbers.',
    interpretations: {
      five: 'Five failed deliveries in a row, for ten minutes.',
      twenty: 'Twenty, for an hour.',
    },
  }),
  'GAP-PAUSED-EVENTS': ambiguous({
    question: 'What becomes of events that come while an endpoint is paused?',
    source: 'States and transitions, Webhook endpoint failing repeatedly',
    unjudged: 'Whether they are delivered later.',
    interpretations: {
      kept: 'They are kept and delivered afterwards.',
      dropped: 'They are logged as failed.',
    },
  }),
  'GAP-REDIRECT': ambiguous({
    question: 'Is a redirect of an endpoint followed?',
    source: 'Errors, Webhook receiver side',
    unjudged: 'Whether the next POST goes to the new address, as long as that is not a blocked one.',
    interpretations: { failure: 'No: a 3xx is not a 2xx.', followed: 'Yes, and the last answer counts.' },
  }),
  'GAP-RESERVED-HEADER': silentGap({
    question: 'What becomes of a custom header with the name of one that the service sends?',
    source: 'Resources, Webhook resource, custom_headers',
    unjudged: 'Whether it is refused or passed over.',
    interpretations: {
      'passed-over': 'The header of the service is sent.',
      refused: 'The webhook is refused.',
    },
  }),
  'GAP-BLOCKED-WHEN': ambiguous({
    question: 'When is a private address blocked?',
    source: `${signing}, 4`,
    unjudged: 'Whether the webhook is refused or its deliveries fail.',
    interpretations: {
      creation: 'Its literal is refused at creation, what a name resolves to at delivery.',
      delivery: 'Only at delivery.',
    },
  }),
  'GAP-DEVELOPMENT': silentGap({
    question: 'When does a service count as one in development?',
    source: 'Resources, Webhook resource, endpoint_url',
    unjudged: 'What localhost meets, unless the target says that it is in development.',
    interpretations: { always: 'Always: it is a simulator.', never: 'Never: localhost is blocked.' },
  }),
} as const
