/** Clauses of deliveries, and of who receives them. */
import { advised, implied, keptBy, must, should, standard, stated } from '../clause.ts'
import { contractIdentifiers } from '../identifiers.ts'
import { quoted } from '../quoted.ts'

const headers = 'Events, Webhook deliveries, headers'
const envelope = 'Resources, Webhook delivery envelope'
const post = 'HTTP POST with these headers'

export const deliveryClauses = keptBy('sender', {
  'DLV-POST': must('A delivery is an HTTP POST.', stated('Events, Webhook deliveries', post)),
  'DLV-CONTENT-TYPE': must(
    'Its content type is `application/json`.',
    stated(headers, '`Content-Type` | `application/json`'),
  ),
  'DLV-USER-AGENT': must(
    'Its user agent is `{userAgent}`, compared without case.',
    stated(headers, [post, quoted.deliveryAgent]),
  ),
  'DLV-EVENT-HEADER': must(
    '`{eventHeader}` is the `eventType` of the envelope.',
    stated(headers, 'the envelope `eventType`'),
  ),
  'DLV-ID-LIVE': must(
    'The `{deliveryIdHeader}` of a live delivery begins with `whd_`.',
    stated(headers, 'live ids start with `whd_`'),
  ),
  'DLV-ID-TEST': must(
    'The `{deliveryIdHeader}` of a test begins with `test_`.',
    stated(headers, 'test ids start with `test_`'),
  ),
  'DLV-ID-UNIQUE': must('No two deliveries have the same id.', stated(headers, 'unique per delivery')),
  'DLV-CUSTOM-HEADERS': must(
    'Every delivery carries the custom headers of its webhook.',
    stated('Resources, Webhook resource, custom_headers', 'sent with every delivery'),
  ),
  'DLV-RESERVED-HEADERS': should(
    'A custom header does not replace a header of the service, in any letter case.',
    advised(headers),
  ),
  'DLV-HEADER-LINES': must(
    'A line break in a custom header makes no other header of it.',
    implied('Resources, Webhook resource, custom_headers', 'Map of header name to string value'),
  ),
  'DLV-BODY': must('The body is one JSON object.', stated(envelope, 'Webhook delivery envelope (JSON body)')),
  'DLV-EVENT-TYPE': must(
    '`eventType` is one of the eighteen event names.',
    stated(`${envelope}, eventType`, 'One of the event names'),
  ),
  'DLV-CHATBOT': must(
    '`chatbotId` is the id of the agent that the webhook belongs to.',
    implied(`${envelope}, chatbotId`, '`chatbotId` | string | Agent identifier'),
  ),
  'DLV-TIMESTAMP': must(
    '`timestamp` is an ISO 8601 time in UTC.',
    stated(`${envelope}, timestamp`, '`timestamp` | string | ISO 8601, UTC'),
  ),
  'DLV-PAYLOAD': must(
    '`payload` is an object.',
    stated(`${envelope}, payload`, '`payload` | object | Event data'),
  ),
  'DLV-TEST-FLAG': must(
    'A mark that a delivery is a test stands inside `payload`, never beside it.',
    stated(`${envelope}, payload`, 'There is no top-level test flag'),
  ),
} as const)

const table = 'States and transitions, Webhook delivery'
const limit = 'Limits, Webhook attempts per delivery'
const wait = 'Limits, Webhook response wait'
const failing = 'States and transitions, Webhook endpoint failing repeatedly'
const state = { observe: 'state' } as const
const three = '3 in total (first immediate)'
const delivered = 'endpoint returns 2xx | delivered | none'
const nextAttempt = 'non-2xx, no response in about 10 s, or unreachable | next attempt'
const aboutTen = 'Webhook response wait | about 10 seconds'
const paused = 'deliveries paused for a while, then retried'

export const attemptsClauses = keptBy('sender', {
  'ATT-FIRST': must('The first attempt comes at once.', stated(limit, three)),
  'ATT-DELIVERED': should(
    'After an answer 200 there is no further attempt.',
    stated(`${table} attempt 1`, delivered),
  ),
  'ATT-DELIVERED-2XX': must(
    'Any other 2xx ends the delivery just so.',
    stated(`${table} attempt 1`, delivered),
  ),
  'ATT-DELIVERED-LATE': should(
    'A delivery that succeeds at the second attempt has no third.',
    implied(table, [delivered, quoted.failedDelivery]),
  ),
  'ATT-SECOND-STATUS': must(
    'After a 4xx or 5xx a second attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt),
  ),
  'ATT-SECOND-REDIRECT': must(
    'A 3xx that is not followed is a failure too: a second attempt comes.',
    implied(`${table} attempt 1 or 2`, [nextAttempt, quoted.failedDelivery]),
  ),
  'ATT-SECOND-SILENT': must(
    'After an endpoint that never answers a second attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt),
  ),
  'ATT-SECOND-UNREACHABLE': must(
    'After an endpoint that cannot be reached a second attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt),
  ),
  'ATT-THIRD': must(
    'After a second failure a third attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt),
  ),
  'ATT-NO-FOURTH': must('After a third failure there is no fourth attempt.', stated(limit, three)),
  'ATT-WAIT-LOWER': must('An answer 2xx within six seconds counts as delivered.', implied(wait, aboutTen)),
  'ATT-WAIT-UPPER': must('No answer within fifteen seconds counts as a failure.', implied(wait, aboutTen)),
  'ATT-SAME-ID': must(
    'All attempts of a delivery carry the same delivery id.',
    implied(`Events, Webhook deliveries, ${contractIdentifiers.deliveryIdHeader}`, [
      'unique per delivery',
      quoted.duplicatesDropped,
    ]),
  ),
  'ATT-BACKOFF': must(
    'Some time passes between a failure and the next attempt.',
    stated(`${table} attempt 1 or 2`, 'retry after a short backoff'),
  ),
  'ATT-FAILED': must(
    'A delivery whose third attempt fails is logged as failed.',
    stated(`${table} attempt 3`, 'marked failed and logged'),
  ),
  'ATT-PAUSE': must(
    'An endpoint that keeps failing gets no deliveries for a while.',
    stated(failing, paused, state),
  ),
  'ATT-PAUSE-OWN': must(
    'A pause of one endpoint holds back no delivery to another.',
    stated(failing, ['Webhook endpoint failing repeatedly', paused], state),
  ),
  'ATT-PAUSE-ENDS': must('After that while deliveries are tried again.', stated(failing, paused, state)),
  'ATT-PAUSE-ACTIVE': must(
    'Such a pause does not turn `is_active` off.',
    stated(failing, 'separate from `is_active` being turned off', state),
  ),
} as const)

const rules = 'Authentication, Webhook delivery signing'
const hex = 'hex encoded, 64 characters'
const hmac = 'HMAC-SHA256, keyed with the secret, over the exact raw JSON request body'

export const signingClauses = {
  ...keptBy('sender', {
    'SIGN-HEADER': must(
      'Every delivery, a test too, carries `{signatureHeader}`.',
      stated('Events, Webhook deliveries, headers', 'HTTP POST with these headers'),
    ),
    'SIGN-PREFIX': must(
      'Its value begins with `sha256=`.',
      stated(`${rules}, 2`, 'sent as `sha256=<hex_digest>` in header'),
    ),
    'SIGN-LENGTH': must('64 characters follow the prefix.', stated(`${rules}, 2`, hex)),
    'SIGN-HEX': must('These are hexadecimal digits.', stated(`${rules}, 2`, hex)),
    'SIGN-VALUE': must(
      'They are the HMAC-SHA256 of the body, keyed with the secret of the webhook.',
      stated(`${rules}, 2`, hmac),
    ),
    'SIGN-RAW': must(
      'What is signed are the bytes that were sent, also where the body holds text beyond ASCII.',
      stated(`${rules}, 2`, 'over the exact raw JSON request body'),
    ),
    'SIGN-RETRY': must('Every attempt carries a signature of its own body.', implied(`${rules}, 2`, hmac)),
  } as const),
  'SIGN-SECRET-OWN': must(
    'No two webhooks have the same secret.',
    implied(`${rules}, 1`, 'Each webhook has a secret generated at creation'),
  ),
} as const

const endpoint = 'Resources, Webhook resource, endpoint_url'
const blocked = 'Authentication, Webhook delivery signing, 4; Limits, Webhook targets'

const https = 'Must be HTTPS'
const isBlocked = 'Delivery to private IP ranges and internal networks is blocked'

const reached = { actor: 'sender', observe: 'state' } as const

export const deliveryTargetClauses = {
  'TGT-HTTPS': must('A webhook with an HTTPS endpoint can be created.', stated(endpoint, https)),
  'TGT-HTTP': must('A webhook with a plain HTTP endpoint is refused.', stated(endpoint, quoted.httpsOnly)),
  'TGT-HTTP-UPDATE': must(
    'An endpoint cannot be changed to plain HTTP.',
    implied(endpoint, quoted.httpsOnly),
  ),
  'TGT-NO-DOWNGRADE': must(
    'What cannot be delivered over HTTPS is not delivered over plain HTTP.',
    implied(endpoint, [https, quoted.httpsOnly], reached),
  ),
  'TGT-NOT-URL': must('An endpoint that is not a URL is refused.', implied(endpoint, https)),
  'TGT-LOCALHOST': must(
    'In development an endpoint at localhost need not be HTTPS.',
    stated(endpoint, 'localhost is allowed for development', { observe: 'state' }),
  ),
  'TGT-PRIVATE': must(
    'Nothing is delivered to an address in 10/8, 172.16/12 or 192.168/16.',
    stated(blocked, isBlocked, reached),
  ),
  'TGT-INTERNAL': must(
    'Nothing is delivered to a loopback, link-local or unique local address, development apart.',
    implied(blocked, isBlocked, reached),
  ),
  'TGT-SPELLING': must(
    'Another spelling of a blocked address, such as one number, is blocked too.',
    implied(blocked, isBlocked, reached),
  ),
  'TGT-RESOLVED': must(
    'A name that resolves to a blocked address is blocked too.',
    implied(blocked, isBlocked, reached),
  ),
  'TGT-REDIRECT': must(
    'A redirect never leads a delivery to a blocked address, or to plain HTTP.',
    implied(blocked, [isBlocked, quoted.httpsOnly], reached),
  ),
} as const

const receiverRules = 'Authentication, Webhook delivery signing, 3'
const twice = 'Events, Webhook deliveries, at least once'
const quickly = 'Receivers should answer 2xx quickly'
const compared = 'against a signature computed from the raw body'
const rejected = 'A mismatch should be rejected with 401'
const raw = 'computed from the raw body (not a re-serialized one)'
const afterwards = 'Receivers should answer 2xx quickly and process afterwards'
const skipRepeats = 'receivers keep ids, for example for 24 hours, and skip repeats'

export const receiverClauses = keptBy('receiver', {
  'RECV-GENUINE': must(
    'A delivery with a true signature is answered 2xx.',
    implied(twice, [quickly, quoted.failedDelivery]),
  ),
  'RECV-CHANGED-BODY': must(
    'A delivery whose body was changed after signing is not accepted.',
    implied(receiverRules, [compared, rejected]),
  ),
  'RECV-WRONG-SECRET': must(
    'A delivery signed with another secret is not accepted.',
    implied(receiverRules, [compared, rejected]),
  ),
  'RECV-UNSIGNED': must(
    'A delivery without a signature is not accepted.',
    implied(receiverRules, [compared, rejected]),
  ),
  'RECV-MALFORMED': must(
    'A signature without its prefix or with too few digits is not accepted.',
    implied(receiverRules, [quoted.signatureForm, rejected]),
  ),
  'RECV-401': should(
    'A delivery that is not accepted for its signature is answered 401.',
    stated(receiverRules, rejected),
  ),
  'RECV-RAW': must(
    'A true signature over unusually spaced or escaped JSON is accepted.',
    stated(receiverRules, raw),
  ),
  'RECV-RESERIALIZED': must(
    'A signature that fits only the re-serialised body is not accepted.',
    stated(receiverRules, raw),
  ),
  'RECV-CONSTANT-TIME': must(
    'Signatures are compared in constant time.',
    stated(receiverRules, 'Receivers compare in constant time', { observe: 'inside' }),
  ),
  'RECV-DUPLICATE': must(
    'A delivery id that was seen before is not processed again.',
    stated(twice, skipRepeats),
  ),
  'RECV-DUPLICATE-2XX': should(
    'The repeat is still answered 2xx.',
    implied(twice, ['skip repeats', quickly]),
  ),
  'RECV-DUPLICATE-RACE': must(
    'Of two copies that come at once only one is processed.',
    implied(twice, skipRepeats),
  ),
  'RECV-QUICK': should('A delivery is answered well within ten seconds.', stated(twice, afterwards)),
  'RECV-PROCESS-LATER': should(
    'The work a delivery causes is done after the answer.',
    stated(twice, afterwards, { observe: 'inside' }),
  ),
  'RECV-HEADER-CASE': must(
    'Header names count in any casing.',
    standard('Events, Webhook deliveries, headers', 'HTTP POST with these headers'),
  ),
  'RECV-OPEN': should(
    'An unknown event or an unknown member of a payload is answered 2xx.',
    advised('Events, Webhook deliveries'),
  ),
} as const)
