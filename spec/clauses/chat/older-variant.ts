import { must, should, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const older = 'Endpoints, Older variant of the chat interface'

/** Held against a target only where it is opted into: whether the variant is served is not shown. */
export const olderVariantClauses = {
  'OLD-SEND': must(
    'A message posted to `/v1/agents/{agent_id}/chat` is answered 200.',
    stated(`${older}, Send`, ['`POST {base_url}/v1/agents/{agent_id}/chat`', quoted.olderStatuses]),
  ),
  'OLD-MESSAGE-REQUIRED': must(
    'A body without a string `message` is refused with 400.',
    stated(`${older}, Send`, ['body `message` (string, required)', quoted.olderStatuses]),
  ),
  'OLD-REPLY': must(
    'A reply has `response`, `conversation_id`, `message_id` and `credits_used`.',
    stated(`${older}, Response`, '`response`, `conversation_id`, `message_id`, `confidence` (number)'),
  ),
  'OLD-CONFIDENCE': must(
    'A reply has a number `confidence`.',
    stated(`${older}, Response`, '`confidence` (number)'),
  ),
  'OLD-SOURCES': must(
    'A reply has an array `sources` of objects with `type`, `title` and `relevance`.',
    stated(`${older}, Response`, '`sources` (array of objects with `type`, `title`, `relevance`)'),
  ),
  'OLD-STREAM': must(
    'With `stream` true the events are `text`, `sources` and `done`.',
    stated(`${older}, Streaming events`, 'Streaming events | `text`, `sources`, `done`'),
  ),
  'OLD-CONVERSATION': must(
    'A conversation is read with `id`, `agent_id`, the one `created_at` that it has, and `messages`.',
    stated(`${older}, Read conversation`, 'response `id`, `agent_id`, `created_at`, `messages`'),
  ),
  'OLD-CONVERSATION-MESSAGES': must(
    'Its messages are listed, streamed ones among them, each with `role`, its whole `content`, and `timestamp`.',
    stated(`${older}, Read conversation`, '`messages` (array of `role`, `content`, `timestamp`)'),
  ),
  'OLD-KEY': must(
    'A key of the variant begins with `ak_` and is good for one agent.',
    stated(`${older}, Keys`, 'created per agent, prefix `ak_`'),
  ),
  'OLD-RATE-HEADERS': must(
    'Answers carry `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, a Unix time.',
    stated(
      `${older}, Rate headers`,
      'Rate headers | `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset` (Unix timestamp)',
    ),
  ),
  'OLD-RATE': must(
    'Above the limit a request is answered 429.',
    stated(`${older}, Rate headers`, 'exceeding gives 429', { observe: 'state' }),
  ),
  'OLD-BACKOFF': should(
    'After a 429 a client waits longer each time it tries again.',
    stated(`${older}, Rate headers`, 'use exponential backoff', { actor: 'library' }),
  ),
  'OLD-REFUSALS': must(
    'A key that is not valid meets 401, one without the permission 403, an unknown agent 404.',
    stated(`${older}, Statuses`, '401 invalid key, 403 insufficient permissions, 404 agent not found'),
  ),
  'OLD-ERROR': must(
    '`error` is an object with `code` and `message`, and `retry_after` where it says when.',
    stated(`${older}, Error body`, 'object `error` with `code`, `message`, `retry_after`'),
  ),
  'OLD-WEBHOOK': must(
    'A delivery of the variant has `event` and `data`.',
    stated(`${older}, Webhook sample`, 'object with `event` (for example `message.received`) and `data`', {
      actor: 'sender',
      observe: 'state',
    }),
  ),
} as const
