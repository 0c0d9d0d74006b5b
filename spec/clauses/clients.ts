/** Clauses of clients: the library and the command line. */
import { advised, implied, keptBy, must, should, standard, stated } from '../clause.ts'
import { quoted } from '../quoted.ts'

const client = 'Endpoints, Client behaviour'
const codes = 'Errors, 409 codes'
const inside = { observe: 'inside' } as const

export const libraryChatClauses = keptBy('library', {
  'LIB-THIN': must(
    'The library calls the HTTP API and holds no agent runtime.',
    stated('What the service does, Clients', 'thin wrappers over the same HTTP API', inside),
  ),
  'LIB-KEY-SERVER-SIDE': must(
    'An API key never gets into browser code, a mobile bundle or a public repository.',
    stated(
      'Authentication, Chat and operations, 3',
      'never placed in browser code, mobile bundles or public repositories',
      inside,
    ),
  ),
  'LIB-AUTHORIZATION': must(
    'Every request carries the key with the scheme Bearer.',
    stated(
      'Authentication, Chat and operations, 1',
      'Every request carries `Authorization: Bearer <API_KEY>`',
    ),
  ),
  'LIB-CHAT': must(
    '`sendMessage` posts the message as JSON to the chat route of the agent.',
    stated(client, ['Library methods: `sendMessage`', quoted.chatRoute]),
  ),
  'LIB-KEY-HEADER': must(
    'The idempotency key is sent in `Idempotency-Key`.',
    stated(client, 'The library sends the idempotency key as header `Idempotency-Key`'),
  ),
  'LIB-KEY-REQUIRED': must(
    'A chat call without `idempotencyKey` fails before anything is sent.',
    stated(client, '`idempotencyKey` is required for chat'),
  ),
  'LIB-CAMEL-CASE': must(
    'A reply has `conversationId`, `creditsUsed`, `creditsRemaining` and, where stored, `customerMessage`.',
    stated(
      'Resources, Chat success response, client library',
      'maps `conversation_id`, `credits_used`, `credits_remaining` and `customer_message` to camelCase',
    ),
  ),
  'LIB-PRESENTATION': must(
    '`presentation` keeps its name, and only the parts that are there are shown.',
    stated('Resources, Chat success response, presentation', [
      quoted.presentationNamed,
      'a client renders only the parts present',
    ]),
  ),
  'LIB-INTERACTION': must(
    'A chosen button is sent as it was copied, together with a message.',
    implied('Resources, Chat request body, interaction', [
      'copied from the previous `presentation`',
      quoted.messageWithInteraction,
    ]),
  ),
  'LIB-CONVERSATION': must(
    'The conversation that a turn continues is sent as `conversation_id`.',
    stated('What the service does, Multi-turn', 'is sent on later turns to keep one thread'),
  ),
  'LIB-UNKNOWN-MEMBERS': must(
    'Members of a reply that are not in the contract do no harm.',
    implied(
      'Resources, Chat success response, diagnostic fields',
      'may also appear; they are not part of the contract',
    ),
  ),
  'LIB-IN-PROGRESS': must(
    'After `REQUEST_IN_PROGRESS` it waits before the same request goes out again, with the same key.',
    stated(codes, 'the key is still being processed; wait and resend the same request'),
  ),
  'LIB-SENT-AGAIN': must(
    'A turn that is sent again carries the same key and the same message.',
    implied(
      'What the service does, Idempotency',
      'every billable chat turn carries an idempotency key, so retries are safe',
    ),
  ),
  'LIB-NO-FALSE-REPLY': must(
    'A finished reply has the text that the service sent; a refusal, or an answer that broke off, is none.',
    implied('Resources, Chat success response', ['`response` | string | Agent reply text', quoted.flatError]),
  ),
  'LIB-UNCERTAIN': must(
    'After `OUTCOME_UNCERTAIN` the turn is never sent with a new key.',
    stated(codes, 'reconcile the earlier turn first; do not use a new key'),
  ),
  'LIB-STALE': must(
    'A superseded button is not sent again.',
    implied(codes, 'read the latest turn and select a current button'),
  ),
  'LIB-RATE-WAIT': must(
    'After a 429 nothing is sent again at once.',
    stated('Errors', ['the client backs off before retrying', 'is not retried immediately']),
  ),
  'LIB-RATE-SECONDS': must(
    'A rate-limit error carries `retryAfterSeconds`.',
    stated(
      'Errors, Operation errors',
      'A rate-limit error in the client library carries `retryAfterSeconds`',
    ),
  ),
  'LIB-REFUSED': must(
    'A 401 or 403 reaches the caller and is not worked around.',
    stated(
      'Authentication, Chat and operations, 6',
      'Permission failures and invalid sessions are not bypassed by the clients',
    ),
  ),
} as const)

const libraryStreamClient = 'Endpoints, Client behaviour, streamMessage'
const events = 'Resources, Streaming events'
const iteration = 'async iteration of events with camelCase members'
const buffers = 'A client buffers incomplete lines'

export const libraryStreamClauses = keptBy('library', {
  'LIB-STREAM': must(
    '`streamMessage` gives the events one by one, in their order.',
    stated(libraryStreamClient, iteration),
  ),
  'LIB-STREAM-CAMEL-CASE': must(
    'The members of its events are in camelCase.',
    stated(libraryStreamClient, iteration),
  ),
  'LIB-STREAM-SPLIT-LINE': must(
    'A line that arrives in two chunks is one line.',
    stated(`${events}, last paragraph`, buffers),
  ),
  'LIB-STREAM-SPLIT-CHARACTER': must(
    'A character whose bytes arrive in two chunks is one character.',
    implied(`${events}, last paragraph`, buffers),
  ),
  'LIB-STREAM-UNKNOWN': must(
    'An event of an unknown type does not end the stream.',
    stated(`${events}, last paragraph`, 'handles unknown types without failing'),
  ),
  'LIB-STREAM-GRAMMAR': must(
    'Comments and fields other than `data` are passed over, and a line may end with LF or CR LF.',
    standard(events, quoted.eventStream),
  ),
  'LIB-STREAM-ERROR': must(
    'An `error` event does not look like a finished reply.',
    implied(`${events}, error`, '`error` | `error` | Request failed mid-stream'),
  ),
  'LIB-STREAM-CUT': must(
    'A stream that breaks off before `done` does not look like a finished reply.',
    implied(`${events}, done`, ['same final fields as a non-streaming reply', 'Stream finished']),
  ),
  'LIB-STREAM-ONCE': should(
    'A finished reply is given once, whatever comes behind its `done`.',
    advised(`${events}, done`),
  ),
} as const)

const uploads = 'Endpoints, Operations catalog, upload routes'
const receipt = 'Resources, Operation receipt'

export const libraryOperationsClauses = keptBy('library', {
  'LIB-BILLING': must(
    '`getBillingSubscription`, `getBillingUsage`, `listBillingPlans` and `listBillingInvoices` read what they are named after.',
    stated(
      `${client}; Resources, Billing reads`,
      '`getBillingSubscription`, `getBillingUsage`, `listBillingPlans`, `listBillingInvoices`',
    ),
  ),
  'LIB-OPERATIONS': must(
    '`discoverOperations` and `executeOperation` list and run operations.',
    stated(client, '`discoverOperations`, `executeOperation(operationId, input)`'),
  ),
  'LIB-NOT-PERMITTED': must(
    'An operation that is in the package but refused by the server stays refused.',
    stated(
      'What the service does, Clients',
      'Having an operation in an installed package is not permission to run',
    ),
  ),
  'LIB-WRITE-KEY': must(
    'A write that is sent again carries the same key.',
    stated(
      'Endpoints, Operations catalog, POST /api/v1/operation-executions/{operationId}',
      'write requests pass the same idempotency key on retry',
    ),
  ),
  'LIB-TASK-WAIT': must(
    'After an accepted receipt the task is read until it is completed, failed or cancelled, and no longer.',
    stated(client, 'poll until the task state is completed, failed or cancelled'),
  ),
  'LIB-TASK-NOT-DONE': must(
    'A task that is queued, running or in need of input does not count as finished.',
    stated('States and transitions, Task states', 'the first three mean not finished'),
  ),
  'LIB-APPROVAL': must(
    'A held operation does not count as finished before its approval was read.',
    stated(`${receipt}, pending_approval`, 'the approval must be read before the work counts as finished'),
  ),
  'LIB-FAILED': must(
    'A failed receipt reaches the caller with its code and its way out.',
    implied(`${receipt}, failed`, '`failed` | Carries `error.code` and `error.resolution`'),
  ),
  'LIB-UPLOAD-KEYS': must(
    '`uploadFileSource` and `uploadStructuredDataFile` use the same prepare and finalize key when tried again.',
    stated(uploads, 'each using a stable prepare key and finalize key'),
  ),
  'LIB-UPLOAD-NOT-DONE': must(
    'A finished spreadsheet call is not shown as a finished import or training.',
    stated(
      'States and transitions, Spreadsheet upload',
      'a finished call does not mean training or import is finished',
    ),
  ),
} as const)

const options = 'Endpoints, Client behaviour, command line'
const source = 'Endpoints, Client behaviour, credential source'
const profiles = 'Authentication, Chat and operations, 7'
const flags = 'Options: `--conversation-id`, `--stream`, `--json`'

export const commandLineClauses = keptBy('command-line', {
  'CLI-CHAT-REQUIRED': must(
    'Chat needs `--agent`, `--message` and `--idempotency-key`.',
    stated(options, 'chat needs `--agent`, `--message`, `--idempotency-key`'),
  ),
  'CLI-CHAT-OPTIONS': must(
    '`--conversation-id` continues that conversation, `--stream` asks for a stream.',
    implied(options, flags),
  ),
  'CLI-JSON': must('`--json` prints JSON.', implied(options, flags)),
  'CLI-INTERACTION': must(
    '`--interaction` sends the selection of a button.',
    stated(options, '`--interaction` (a `workflow_button` selection)'),
  ),
  'CLI-BASE-URL': must(
    'The base address is taken from `--base-url` or `{baseUrlVariable}`.',
    stated(options, '`--base-url` (also env'),
  ),
  'CLI-CONFIRM': must(
    '`--confirm` only acknowledges here; what the server holds stays held.',
    stated(options, 'local acknowledgement of a destructive command; server approval still applies'),
  ),
  'CLI-INPUT-ONE-VALUE': must(
    '`--input` that is not one complete JSON value is rejected.',
    stated(options, 'must be one complete JSON value'),
  ),
  'CLI-INPUT-ELLIPSIS': must(
    '`--input` with an ellipsis or spread syntax is rejected.',
    stated(options, 'ellipses and spread syntax are rejected'),
  ),
  'CLI-PROFILE-WINS': must(
    'A profile chosen with `--profile` wins over `{apiKeyVariable}`.',
    stated(source, 'with `--profile`, that saved profile wins over env'),
  ),
  'CLI-ENV-WINS': must(
    'Where no profile is chosen, `{apiKeyVariable}` wins.',
    stated(source, 'with no profile chosen, the env key wins'),
  ),
  'CLI-PROFILE-VERIFIED': must(
    'A profile is saved only after the catalog accepted its key.',
    stated(profiles, 'saves named local profiles after verifying a key against the operation catalog'),
  ),
  'CLI-WHOAMI': must(
    'The whoami check names the source of the credential and counts reachable agents and operations.',
    stated(profiles, 'reports the credential source and the counts of reachable agents and operations'),
  ),
  'CLI-WHOAMI-NO-KEY': must('It does not print the key.', stated(profiles, 'without printing the key')),
  'CLI-REFUSED': must(
    'A permission failure or an invalid session is not worked around.',
    stated(
      'Authentication, Chat and operations, 6',
      'Permission failures and invalid sessions are not bypassed by the clients',
    ),
  ),
} as const)
