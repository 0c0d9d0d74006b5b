import { implied, must, stated } from '../../clause.ts'

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
