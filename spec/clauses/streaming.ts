/** Clauses of streams, versions and the older variant of the chat interface. */
import { advised, implied, must, should, standard, stated } from '../clause.ts'
import { quoted } from '../quoted.ts'

const events = 'Resources, Streaming events'
const finished = 'Stream finished'
const dataLine = 'Each data line is the text `data: ` followed by a JSON object'
const finalFields = 'same final fields as a non-streaming reply'
const failed = 'Request failed mid-stream'

export const streamingClauses = {
  'SSE-CONTENT-TYPE': must(
    'With `stream` true the answer is `text/event-stream`; parameters are allowed.',
    standard('Resources, Chat request body, stream', '`true` selects Server-Sent Events'),
  ),
  'SSE-CHARSET': must(
    'A charset parameter of the stream, if any, is utf-8.',
    standard(events, quoted.eventStream),
  ),
  'SSE-ENCODING': should(
    'A reply asked for without compression is not compressed.',
    standard('Endpoints, Chat', quoted.httpApi),
  ),
  'SSE-CLEAN-END': must(
    'The body of a stream ends cleanly after its last event.',
    standard(`${events}, done`, [quoted.httpApi, finished]),
  ),
  'SSE-UTF8': must('A stream is valid UTF-8.', standard(events, quoted.eventStream)),
  'SSE-FIELDS': should(
    'Every line is empty, a comment or a known field.',
    standard(events, quoted.eventStream),
  ),
  'SSE-DATA-PREFIX': must(
    'Each data line starts with exactly `data: `.',
    stated(`${events}, first sentence`, dataLine),
  ),
  'SSE-DATA-JSON': must(
    'What follows on each data line is one JSON object.',
    stated(`${events}, first sentence`, dataLine),
  ),
  'SSE-DATA-TYPE': must(
    'That object has a string `type`.',
    stated(`${events}, first sentence`, 'followed by a JSON object with a `type`'),
  ),
  'SSE-SEPARATED': must('An empty line stands between two data lines.', standard(events, quoted.eventStream)),
  'SSE-FINAL-BLANK': must('An empty line stands after the last event.', standard(events, quoted.eventStream)),
  'SSE-NO-INJECTION': must(
    'Text of a message that looks like an event never becomes a line of the stream.',
    implied(`${events}, first sentence`, dataLine),
  ),
  'SSE-TOKEN': must(
    'A `token` event has a string `token`, a part of the reply to the message that was sent.',
    stated(`${events}, token`, '`token` | `token` | Partial reply text'),
  ),
  'SSE-ACTION-START': must(
    'An `action_start` event has `actionName`.',
    stated(`${events}, action_start`, '`action_start` | `actionName` | A tool started', {
      state: 'stream.tool',
    }),
  ),
  'SSE-ACTION-COMPLETE': must(
    'An `action_complete` event has `actionName` and `success`.',
    stated(`${events}, action_complete`, '`action_complete` | `actionName`, `success` | A tool finished', {
      state: 'stream.tool',
    }),
  ),
  'SSE-ACTION-SUCCESS': should(
    '`success` of an `action_complete` event is a boolean.',
    advised(`${events}, action_complete`, [], { state: 'stream.tool' }),
  ),
  'SSE-ACTION-PAIRED': should(
    'An `action_complete` follows an `action_start` of the same name.',
    advised(`${events}, action_complete`, [], { state: 'stream.tool' }),
  ),
  'SSE-GATE': must(
    'A gate that changed a streamed turn is reported by a `gate_triggered` event, with `decision` and `reason`.',
    stated(
      `${events}, gate_triggered`,
      ['`gate_triggered` | `decision`, `reason`', 'A safety or policy gate changed the turn'],
      { state: 'stream.gate' },
    ),
  ),
  'SSE-DONE-RESPONSE': must('`done` has a string `response`.', stated(`${events}, done`, finalFields)),
  'SSE-DONE-CONVERSATION': must(
    '`done` has a uuid `conversation_id`.',
    stated(`${events}, done`, finalFields),
  ),
  'SSE-DONE-CREDITS-USED': must(
    '`done` has a number `credits_used`.',
    stated(`${events}, done`, finalFields),
  ),
  'SSE-DONE-CREDITS-REMAINING': must(
    '`done` has a number `credits_remaining`.',
    stated(`${events}, done`, finalFields),
  ),
  'SSE-DONE-FILLED': must(
    'While AI replies are active, `response` of `done` is filled.',
    implied('States and transitions, AI replies active', [
      'reply produced | `response` filled',
      quoted.finalFields,
    ]),
  ),
  'SSE-DONE-NO-EXTRAS': must(
    '`done` of a plain turn has no `presentation`, and no `customer_message` that is marked as paused.',
    implied(`${events}, done`, [quoted.presentationOnly, finalFields]),
  ),
  'SSE-ONE-TERMINAL': must(
    'A stream has one `done`, an `error`, or an `error` and then a `done`.',
    implied(`${events}, done and error`, [finished, failed]),
  ),
  'SSE-NOTHING-AFTER': must(
    'No event follows `done` or, where there is none, `error`.',
    implied(`${events}, done and error`, finished),
  ),
  'SSE-ERROR': must(
    'An `error` event has `error`.',
    stated(`${events}, error`, '`error` | `error` | Request failed mid-stream', { state: 'stream.error' }),
  ),
  'SSE-ERROR-ENDS': should(
    'After an `error` event nothing more of a reply comes, but a `done` at most.',
    advised(`${events}, error`, [], { state: 'stream.error' }),
  ),
  'SSE-ERROR-ONE-CHARGE': should(
    'A turn that failed while it was streamed is charged at most once, even after a retry.',
    advised(`${events}, error`, [], { state: 'stream.error' }),
  ),
  'SSE-CLOSES': should(
    'The body ends within five seconds after the terminal event.',
    advised(`${events}, done`),
  ),
  'SSE-TOKENS-JOIN': should(
    'Without a gate, the tokens joined are the `response` of `done`.',
    advised(`${events}, token`),
  ),
  'SSE-REFUSAL-JSON': must(
    'A refusal of a request with `stream` true comes as a status and a JSON error, not as a stream.',
    implied('Errors, Chat status codes', [
      'Chat errors are a flat JSON object with a text `error`',
      quoted.failedMidStream,
    ]),
  ),
} as const

export const versioningClauses = {
  'VER-PREFIX': must(
    'Chat and operation routes are served under `/api/v1`.',
    stated('Versioning, first row', 'current chat and operation routes sit under the path prefix `/api/v1`'),
  ),
  'VER-EMBEDDED': must(
    'Library and command line carry the versioned contracts they were built with.',
    stated(
      'Versioning, client library and command line',
      'embed the versioned contracts they were built with',
      { actor: 'library', observe: 'inside' },
    ),
  ),
  'VER-SERVER-FIX': must(
    'A fix on the server to an operation that exists needs no new client.',
    stated(
      'Versioning, client library and command line',
      'Server-side fixes to an existing operation need no client update',
      { observe: 'inside' },
    ),
  ),
  'VER-NEW-OPERATION': must(
    'An operation published after a client was built cannot be called by its name in that client.',
    stated(
      'Versioning, client library and command line',
      'needs a newer client before it can be called locally',
      { actor: 'library', observe: 'inside' },
    ),
  ),
} as const

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
