import { must, should } from '../clause.ts'

const headers = 'Events, Webhook deliveries, headers'
const envelope = 'Resources, Webhook delivery envelope'
const sender = { actor: 'sender' } as const
const implied = { actor: 'sender', basis: 'implied' } as const
const advised = { actor: 'sender', basis: 'advised' } as const

export const delivery = {
  'DLV-POST': must('A delivery is an HTTP POST.', 'Events, Webhook deliveries', sender),
  'DLV-CONTENT-TYPE': must('Its content type is `application/json`.', headers, sender),
  'DLV-USER-AGENT': must('Its user agent is `Service-Webhooks/1.0`.', `${headers}; Versioning`, sender),
  'DLV-EVENT-HEADER': must('`x-service-event` is the `eventType` of the envelope.', headers, sender),
  'DLV-ID-LIVE': must('The `x-service-delivery-id` of a live delivery begins with `whd_`.', headers, sender),
  'DLV-ID-TEST': must('The `x-service-delivery-id` of a test begins with `test_`.', headers, sender),
  'DLV-ID-UNIQUE': must('No two deliveries have the same id.', headers, sender),
  'DLV-CUSTOM-HEADERS': must(
    'Every delivery carries the custom headers of its webhook.',
    'Resources, Webhook resource, custom_headers',
    sender,
  ),
  'DLV-RESERVED-HEADERS': should(
    'A custom header does not replace a header of the service, however it is spelt.',
    headers,
    advised,
  ),
  'DLV-BODY': must('The body is one JSON object.', envelope, sender),
  'DLV-EVENT-TYPE': must('`eventType` is one of the eighteen event names.', `${envelope}, eventType`, sender),
  'DLV-CHATBOT': must(
    '`chatbotId` is the id of the agent that the webhook belongs to.',
    `${envelope}, chatbotId`,
    implied,
  ),
  'DLV-TIMESTAMP': must('`timestamp` is an ISO 8601 time in UTC.', `${envelope}, timestamp`, sender),
  'DLV-PAYLOAD': must('`payload` is an object.', `${envelope}, payload`, sender),
  'DLV-TEST-FLAG': must(
    'A mark that a delivery is a test stands inside `payload`, never beside it.',
    `${envelope}, payload`,
    sender,
  ),
} as const
