import { must } from '../clause.ts'

const entry = 'Resources, Webhook log entry'

export const webhookLogs = {
  'LOG-READ': must(
    'The log of a webhook has an entry for each of its deliveries.',
    'Endpoints, Webhook management, logs',
  ),
  'LOG-EVENT': must('An entry has the event type and a timestamp.', entry),
  'LOG-STATUS': must('An entry has the HTTP status that the endpoint returned.', entry),
  'LOG-TIME': must('An entry has the response time.', entry),
  'LOG-SUCCESS': must('An entry tells a delivery that succeeded from one that failed.', entry),
  'LOG-RETRIES': must('An entry has the number of retry attempts.', entry),
  'LOG-NO-SECRET': must('The log does not show the secret.', 'Resources, Webhook resource, secret_key', {
    basis: 'implied',
  }),
} as const
