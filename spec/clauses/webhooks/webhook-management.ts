import { advised, implied, must, should, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

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
