import { must } from '../clause.ts'

const client = 'Endpoints, Client behaviour'
const codes = 'Errors, 409 codes'
const by = { actor: 'library' } as const
const implied = { actor: 'library', basis: 'implied' } as const
const inside = { actor: 'library', observe: 'inside' } as const

export const libraryChat = {
  'LIB-THIN': must(
    'The library calls the HTTP API and holds no agent runtime.',
    'What the service does, Clients',
    inside,
  ),
  'LIB-KEY-SERVER-SIDE': must(
    'An API key never gets into browser code, a mobile bundle or a public repository.',
    'Authentication, Chat and operations, 3',
    inside,
  ),
  'LIB-AUTHORIZATION': must(
    'Every request carries the key with the scheme Bearer.',
    'Authentication, Chat and operations, 1',
    by,
  ),
  'LIB-CHAT': must('`sendMessage` posts the message as JSON to the chat route of the agent.', client, by),
  'LIB-KEY-HEADER': must('The idempotency key is sent in `Idempotency-Key`.', client, by),
  'LIB-KEY-REQUIRED': must('A chat call without `idempotencyKey` fails before anything is sent.', client, by),
  'LIB-CAMEL-CASE': must(
    'A reply has `conversationId`, `creditsUsed`, `creditsRemaining` and, where stored, `customerMessage`.',
    'Resources, Chat success response, client library',
    by,
  ),
  'LIB-PRESENTATION': must(
    '`presentation` keeps its name, and only the parts that are there are shown.',
    'Resources, Chat success response, presentation',
    by,
  ),
  'LIB-INTERACTION': must(
    'A chosen button is sent as it was copied, together with a message.',
    'Resources, Chat request body, interaction',
    implied,
  ),
  'LIB-CONVERSATION': must(
    'The conversation that a turn continues is sent as `conversation_id`.',
    'What the service does, Multi-turn',
    by,
  ),
  'LIB-UNKNOWN-MEMBERS': must(
    'Members of a reply that are not in the contract do no harm.',
    'Resources, Chat success response, diagnostic fields',
    implied,
  ),
  'LIB-IN-PROGRESS': must(
    'After `REQUEST_IN_PROGRESS` it waits before the same request goes out again, with the same key.',
    codes,
    by,
  ),
  'LIB-SENT-AGAIN': must(
    'A turn that is sent again carries the same key and the same message.',
    'What the service does, Idempotency',
    implied,
  ),
  'LIB-NO-FALSE-REPLY': must(
    'A refusal, or an answer that broke off, does not look like a finished reply.',
    'Errors, Chat status codes',
    implied,
  ),
  'LIB-UNCERTAIN': must('After `OUTCOME_UNCERTAIN` the turn is never sent with a new key.', codes, by),
  'LIB-STALE': must('A superseded button is not sent again.', codes, implied),
  'LIB-RATE-WAIT': must('After a 429 nothing is sent again at once.', 'Errors, Operation errors', by),
  'LIB-RATE-SECONDS': must('A rate-limit error carries `retryAfterSeconds`.', 'Errors, Operation errors', by),
  'LIB-REFUSED': must(
    'A 401 or 403 reaches the caller and is not worked around.',
    'Authentication, Chat and operations, 6',
    by,
  ),
} as const
