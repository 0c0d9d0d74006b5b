import { advised, implied, must, should, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const headers = 'Events, Webhook deliveries, headers'
const envelope = 'Resources, Webhook delivery envelope'
const sender = { actor: 'sender' } as const
const post = 'HTTP POST with these headers'

export const deliveryClauses = {
  'DLV-POST': must('A delivery is an HTTP POST.', stated('Events, Webhook deliveries', post, sender)),
  'DLV-CONTENT-TYPE': must(
    'Its content type is `application/json`.',
    stated(headers, '`Content-Type` | `application/json`', sender),
  ),
  'DLV-USER-AGENT': must(
    'Its user agent is `{userAgent}`, compared without case.',
    stated(headers, [post, quoted.deliveryAgent], sender),
  ),
  'DLV-EVENT-HEADER': must(
    '`{eventHeader}` is the `eventType` of the envelope.',
    stated(headers, 'the envelope `eventType`', sender),
  ),
  'DLV-ID-LIVE': must(
    'The `{deliveryIdHeader}` of a live delivery begins with `whd_`.',
    stated(headers, 'live ids start with `whd_`', sender),
  ),
  'DLV-ID-TEST': must(
    'The `{deliveryIdHeader}` of a test begins with `test_`.',
    stated(headers, 'test ids start with `test_`', sender),
  ),
  'DLV-ID-UNIQUE': must(
    'No two deliveries have the same id.',
    stated(headers, 'unique per delivery', sender),
  ),
  'DLV-CUSTOM-HEADERS': must(
    'Every delivery carries the custom headers of its webhook.',
    stated('Resources, Webhook resource, custom_headers', 'sent with every delivery', sender),
  ),
  'DLV-RESERVED-HEADERS': should(
    'A custom header does not replace a header of the service, in any letter case.',
    advised(headers, [], sender),
  ),
  'DLV-HEADER-LINES': must(
    'A line break in a custom header makes no other header of it.',
    implied('Resources, Webhook resource, custom_headers', 'Map of header name to string value', sender),
  ),
  'DLV-BODY': must(
    'The body is one JSON object.',
    stated(envelope, 'Webhook delivery envelope (JSON body)', sender),
  ),
  'DLV-EVENT-TYPE': must(
    '`eventType` is one of the eighteen event names.',
    stated(`${envelope}, eventType`, 'One of the event names', sender),
  ),
  'DLV-CHATBOT': must(
    '`chatbotId` is the id of the agent that the webhook belongs to.',
    implied(`${envelope}, chatbotId`, '`chatbotId` | string | Agent identifier', sender),
  ),
  'DLV-TIMESTAMP': must(
    '`timestamp` is an ISO 8601 time in UTC.',
    stated(`${envelope}, timestamp`, '`timestamp` | string | ISO 8601, UTC', sender),
  ),
  'DLV-PAYLOAD': must(
    '`payload` is an object.',
    stated(`${envelope}, payload`, '`payload` | object | Event data', sender),
  ),
  'DLV-TEST-FLAG': must(
    'A mark that a delivery is a test stands inside `payload`, never beside it.',
    stated(`${envelope}, payload`, 'There is no top-level test flag', sender),
  ),
} as const
