import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const client = 'Endpoints, Client behaviour'
const codes = 'Errors, 409 codes'
const by = { actor: 'library' } as const
const inside = { actor: 'library', observe: 'inside' } as const

export const libraryChatClauses = {
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
      by,
    ),
  ),
  'LIB-CHAT': must(
    '`sendMessage` posts the message as JSON to the chat route of the agent.',
    stated(client, ['Library methods: `sendMessage`', quoted.chatRoute], by),
  ),
  'LIB-KEY-HEADER': must(
    'The idempotency key is sent in `Idempotency-Key`.',
    stated(client, 'The library sends the idempotency key as header `Idempotency-Key`', by),
  ),
  'LIB-KEY-REQUIRED': must(
    'A chat call without `idempotencyKey` fails before anything is sent.',
    stated(client, '`idempotencyKey` is required for chat', by),
  ),
  'LIB-CAMEL-CASE': must(
    'A reply has `conversationId`, `creditsUsed`, `creditsRemaining` and, where stored, `customerMessage`.',
    stated(
      'Resources, Chat success response, client library',
      'maps `conversation_id`, `credits_used`, `credits_remaining` and `customer_message` to camelCase',
      by,
    ),
  ),
  'LIB-PRESENTATION': must(
    '`presentation` keeps its name, and only the parts that are there are shown.',
    stated(
      'Resources, Chat success response, presentation',
      [quoted.presentationNamed, 'a client renders only the parts present'],
      by,
    ),
  ),
  'LIB-INTERACTION': must(
    'A chosen button is sent as it was copied, together with a message.',
    implied(
      'Resources, Chat request body, interaction',
      ['copied from the previous `presentation`', quoted.messageWithInteraction],
      by,
    ),
  ),
  'LIB-CONVERSATION': must(
    'The conversation that a turn continues is sent as `conversation_id`.',
    stated('What the service does, Multi-turn', 'is sent on later turns to keep one thread', by),
  ),
  'LIB-UNKNOWN-MEMBERS': must(
    'Members of a reply that are not in the contract do no harm.',
    implied(
      'Resources, Chat success response, diagnostic fields',
      'may also appear; they are not part of the contract',
      by,
    ),
  ),
  'LIB-IN-PROGRESS': must(
    'After `REQUEST_IN_PROGRESS` it waits before the same request goes out again, with the same key.',
    stated(codes, 'the key is still being processed; wait and resend the same request', by),
  ),
  'LIB-SENT-AGAIN': must(
    'A turn that is sent again carries the same key and the same message.',
    implied(
      'What the service does, Idempotency',
      'every billable chat turn carries an idempotency key, so retries are safe',
      by,
    ),
  ),
  'LIB-NO-FALSE-REPLY': must(
    'A refusal, or an answer that broke off, does not look like a finished reply.',
    implied(
      'Errors, Chat status codes',
      [
        '200 | success, including an idempotent replay',
        'Chat errors are a flat JSON object with a text `error`',
      ],
      by,
    ),
  ),
  'LIB-UNCERTAIN': must(
    'After `OUTCOME_UNCERTAIN` the turn is never sent with a new key.',
    stated(codes, 'reconcile the earlier turn first; do not use a new key', by),
  ),
  'LIB-STALE': must(
    'A superseded button is not sent again.',
    implied(codes, 'read the latest turn and select a current button', by),
  ),
  'LIB-RATE-WAIT': must(
    'After a 429 nothing is sent again at once.',
    stated('Errors, Operation errors', 'is not retried immediately', by),
  ),
  'LIB-RATE-SECONDS': must(
    'A rate-limit error carries `retryAfterSeconds`.',
    stated(
      'Errors, Operation errors',
      'A rate-limit error in the client library carries `retryAfterSeconds`',
      by,
    ),
  ),
  'LIB-REFUSED': must(
    'A 401 or 403 reaches the caller and is not worked around.',
    stated(
      'Authentication, Chat and operations, 6',
      'Permission failures and invalid sessions are not bypassed by the clients',
      by,
    ),
  ),
} as const
