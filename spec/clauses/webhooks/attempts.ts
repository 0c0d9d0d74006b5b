import { implied, must, should, stated } from '../../clause.ts'
import { contractIdentifiers } from '../../identifiers.ts'
import { quoted } from '../../quoted.ts'

const table = 'States and transitions, Webhook delivery'
const limit = 'Limits, Webhook attempts per delivery'
const wait = 'Limits, Webhook response wait'
const failing = 'States and transitions, Webhook endpoint failing repeatedly'
const sender = { actor: 'sender' } as const
const state = { actor: 'sender', observe: 'state' } as const
const three = '3 in total (first immediate)'
const delivered = 'endpoint returns 2xx | delivered | none'
const nextAttempt = 'non-2xx, no response in about 10 s, or unreachable | next attempt'
const aboutTen = 'Webhook response wait | about 10 seconds'
const paused = 'deliveries paused for a while, then retried'

export const attemptsClauses = {
  'ATT-FIRST': must('The first attempt comes at once.', stated(limit, three, sender)),
  'ATT-DELIVERED': should(
    'After an answer 200 there is no further attempt.',
    stated(`${table} attempt 1`, delivered, sender),
  ),
  'ATT-DELIVERED-2XX': must(
    'Any other 2xx ends the delivery just so.',
    stated(`${table} attempt 1`, delivered, sender),
  ),
  'ATT-DELIVERED-LATE': should(
    'A delivery that succeeds at the second attempt has no third.',
    implied(table, [delivered, quoted.failedDelivery], sender),
  ),
  'ATT-SECOND-STATUS': must(
    'After a 4xx or 5xx a second attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt, sender),
  ),
  'ATT-SECOND-REDIRECT': must(
    'A 3xx that is not followed is a failure too: a second attempt comes.',
    implied(`${table} attempt 1 or 2`, [nextAttempt, quoted.failedDelivery], sender),
  ),
  'ATT-SECOND-SILENT': must(
    'After an endpoint that never answers a second attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt, sender),
  ),
  'ATT-SECOND-UNREACHABLE': must(
    'After an endpoint that cannot be reached a second attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt, sender),
  ),
  'ATT-THIRD': must(
    'After a second failure a third attempt comes.',
    stated(`${table} attempt 1 or 2`, nextAttempt, sender),
  ),
  'ATT-NO-FOURTH': must('After a third failure there is no fourth attempt.', stated(limit, three, sender)),
  'ATT-WAIT-LOWER': must(
    'An answer 2xx within six seconds counts as delivered.',
    implied(wait, aboutTen, sender),
  ),
  'ATT-WAIT-UPPER': must(
    'No answer within fifteen seconds counts as a failure.',
    implied(wait, aboutTen, sender),
  ),
  'ATT-SAME-ID': must(
    'All attempts of a delivery carry the same delivery id.',
    implied(
      `Events, Webhook deliveries, ${contractIdentifiers.deliveryIdHeader}`,
      ['unique per delivery', quoted.duplicatesDropped],
      sender,
    ),
  ),
  'ATT-BACKOFF': must(
    'Some time passes between a failure and the next attempt.',
    stated(`${table} attempt 1 or 2`, 'retry after a short backoff', sender),
  ),
  'ATT-FAILED': must(
    'A delivery whose third attempt fails is logged as failed.',
    stated(`${table} attempt 3`, 'marked failed and logged', sender),
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
} as const
