import { must } from '../clause.ts'

const routes = 'Endpoints, Webhook management'
const session = 'Authentication, Webhook management'
const row = 'Resources, Webhook resource'
const implied = { basis: 'implied' } as const

export const webhookManagement = {
  'HOOK-NO-SESSION': must('Each management route refuses a call without a session.', session),
  'HOOK-KEY-CREATE': must('A project key cannot create a webhook.', session),
  'HOOK-KEY-EDIT': must('A project key cannot change or remove a webhook.', session),
  'HOOK-KEY-READ': must('A project key cannot list webhooks, send a test or read a log.', session),
  'HOOK-CREATE': must('Creating a webhook returns its `id` and its `secret_key`.', `${routes}, create`),
  'HOOK-CREATE-EVENTS': must(
    'Each of the eighteen events can be selected.',
    'Events, Webhook deliveries',
    implied,
  ),
  'HOOK-CREATE-UNKNOWN-EVENT': must(
    'An event name that does not exist cannot be selected.',
    `${row}, events`,
    implied,
  ),
  'HOOK-CREATE-RETIRED-EVENT': must(
    '`action.executed` cannot be selected on a new webhook.',
    'Events, Webhook deliveries, action.executed',
  ),
  'HOOK-CREATE-NO-DESCRIPTION': must(
    'A webhook can be created without `description`.',
    `${row}, description`,
  ),
  'HOOK-LIST': must('The list is an object with an array `webhooks`.', `${routes}, list`),
  'HOOK-LIST-AS-SENT': must(
    'A created webhook is listed with the name, endpoint, events, description and headers it was given.',
    `${routes}, list`,
    implied,
  ),
  'HOOK-LIST-ACTIVE': must('A listed webhook has a boolean `is_active`.', `${row}, is_active`),
  'HOOK-LIST-CREATED-AT': must('`created_at` is an ISO 8601 time in UTC.', `${row}, created_at`),
  'HOOK-LIST-NO-SECRET': must('The list never has a `secret_key`.', `${row}, secret_key`),
  'HOOK-LIST-PREVIEW': must(
    'A listed webhook has a `secret_key_preview` that does not give the secret away.',
    `${row}, secret_key`,
  ),
  'HOOK-UPDATE-NAME': must('The name can be changed.', `${routes}, update`),
  'HOOK-UPDATE-HEADERS': must(
    'The custom headers can be changed; later deliveries carry the new ones.',
    `${routes}, update`,
  ),
  'HOOK-UPDATE-ENDPOINT': must(
    'The endpoint can be changed; deliveries then go to the new one.',
    `${routes}, update`,
  ),
  'HOOK-UPDATE-EVENTS': must(
    'The events can be changed; from then on only those are sent.',
    `${routes}, update`,
  ),
  'HOOK-UPDATE-REST': must(
    'What an update does not name stays as it was, the secret too.',
    `${routes}, update`,
    implied,
  ),
  'HOOK-UPDATE-NO-SECRET': must('The answer to an update does not show the secret.', `${row}, secret_key`),
  'HOOK-DELETE': must('A removed webhook is not listed any more.', `${routes}, delete`),
  'HOOK-DELETE-SILENT': must(
    'Events that come after the removal are not sent; a delivery under way may still complete.',
    `${routes}, delete`,
    implied,
  ),
  'HOOK-INACTIVE': must('A webhook that was turned off gets no deliveries.', `${row}, is_active`, {
    ...implied,
    state: 'webhook.inactive',
  }),
  'HOOK-TEST': must('The test route sends a sample event at once.', `${routes}, test`),
} as const
