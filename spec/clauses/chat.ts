/** Clauses of the chat endpoint, but for what idempotency keys and streams are about. */
import { advised, implied, must, should, stated } from '../clause.ts'
import { quoted } from '../quoted.ts'

const body = 'Resources, Chat request body'
const message = '`message` | string | yes'
const length = '1 to 10,000 characters'
const conversationId = '`conversation_id` | uuid | no'
const invalid = '400 | invalid body'

export const chatRequestClauses = {
  'REQ-ROUTE': must(
    'A valid customer message posted to the chat route of an agent is answered 200.',
    stated('Endpoints, Chat', 'Response 200 | see Chat success response'),
  ),
  'REQ-MESSAGE-REQUIRED': must(
    'A body without `message` is refused with 400.',
    stated(`${body}, message`, [message, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-STRING': must(
    'A `message` that is not a string is refused with 400.',
    stated(`${body}, message`, [message, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-EMPTY': must(
    'An empty `message` is refused with 400.',
    stated(`${body}, message`, [length, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-MIN': must('A `message` of one character is accepted.', stated(`${body}, message`, length)),
  'REQ-MESSAGE-MAX': must(
    'A `message` of 10,000 characters is accepted.',
    stated(`${body}, message`, length),
  ),
  'REQ-MESSAGE-OVER': must(
    'A `message` of 10,001 characters is refused with 400.',
    stated(`${body}, message`, [length, quoted.invalidBody]),
  ),
  'REQ-MESSAGE-UNICODE': must(
    'A `message` may hold any text, whatever its script.',
    implied(`${body}, message`, [message, length]),
  ),
  'REQ-MESSAGE-WITH-INTERACTION': must(
    'An `interaction` does not replace the message: without `message` it is refused with 400.',
    stated(`${body}, message`, ['Still required when `interaction` is sent', quoted.invalidBody]),
  ),
  'REQ-CONVERSATION-OPTIONAL': must(
    'A body without `conversation_id` is accepted.',
    stated(`${body}, conversation_id`, 'omit to start a new one'),
  ),
  'REQ-CONVERSATION-STRING': must(
    'A `conversation_id` that is not a string is refused with 400.',
    stated(`${body}, conversation_id`, [conversationId, quoted.invalidBody]),
  ),
  'REQ-CONVERSATION-UUID': must(
    'A `conversation_id` that is not a uuid is refused with 400.',
    stated(`${body}, conversation_id`, [conversationId, quoted.invalidBody]),
  ),
  'REQ-STREAM-DEFAULT': must(
    'Without `stream` the reply comes as JSON.',
    stated(`${body}, stream`, ['Default `false`', quoted.jsonBodies]),
  ),
  'REQ-STREAM-FALSE': must(
    'With `stream` false the reply comes as JSON.',
    stated(`${body}, stream`, ['`true` selects Server-Sent Events', quoted.jsonBodies]),
  ),
  'REQ-INTERACTION-OBJECT': must(
    'An `interaction` that is not an object is refused with 400.',
    stated(`${body}, interaction`, ['`interaction` | object | no', quoted.invalidBody]),
  ),
  'REQ-JSON-MALFORMED': must(
    'A body that is not JSON is refused with 400.',
    stated('Errors, Chat status codes, 400', [quoted.jsonBodies, invalid]),
  ),
  'REQ-JSON-OBJECT': must(
    'A JSON body that is not an object is refused with 400.',
    implied('Errors, Chat status codes, 400', [quoted.messageRequired, invalid]),
  ),
  'REQ-BODY-EMPTY': must(
    'A request without a body is refused with 400.',
    implied('Errors, Chat status codes, 400', [quoted.messageRequired, invalid]),
  ),
} as const

const reply = 'Resources, Chat success response'

export const chatResponseClauses = {
  'RES-JSON': must(
    'A reply that is not streamed is one JSON object with a JSON content type.',
    stated('Endpoints, Base address', 'Bodies and responses are JSON unless streaming'),
  ),
  'RES-RESPONSE-STRING': must(
    '`response` is a string, the text of the reply to the message that was sent.',
    stated(`${reply}, response`, '`response` | string | Agent reply text'),
  ),
  'RES-RESPONSE-FILLED': must(
    'While AI replies are active, `response` is filled.',
    stated('States and transitions, AI replies active', 'reply produced | `response` filled'),
  ),
  'RES-CONVERSATION-UUID': must(
    '`conversation_id` is a uuid.',
    stated(
      `${reply}, conversation_id`,
      '`conversation_id` | uuid | Conversation to continue on the next turn',
    ),
  ),
  'RES-CREDITS-USED': must(
    '`credits_used` is a number.',
    stated(`${reply}, credits_used`, '`credits_used` | number'),
  ),
  'RES-CREDITS-REMAINING': must(
    '`credits_remaining` is a number.',
    stated(`${reply}, credits_remaining`, '`credits_remaining` | number'),
  ),
  'RES-CREDITS-WITHOUT-BILLING': must(
    'Both credit fields come back even when the key lacks `billing_read`.',
    stated(`${reply}, credits_remaining`, [
      'Always returned on chat, even when the key lacks `billing_read`',
      quoted.creditsReported,
    ]),
  ),
  'RES-NO-CUSTOMER-MESSAGE': must(
    'While AI replies are active no `customer_message` is marked as paused.',
    implied(`${reply}, customer_message`, [
      'Present when the message was stored while AI replies are paused',
      quoted.replyFilled,
    ]),
  ),
  'RES-NO-PRESENTATION': must(
    'A turn without Workflow messages, buttons or media has no `presentation`.',
    stated(`${reply}, presentation`, 'Present only when the turn has Workflow messages, buttons or media'),
  ),
} as const

const turns = 'What the service does, Multi-turn'
const oneThread = 'is sent on later turns to keep one thread'

export const conversationClauses = {
  'CONV-NEW': must(
    'A turn without `conversation_id` starts a conversation of its own.',
    implied('Resources, Chat request body, conversation_id', 'omit to start a new one'),
  ),
  'CONV-CONTINUE': must(
    'A turn that names a conversation is answered in that conversation.',
    stated(turns, oneThread),
  ),
  'CONV-CONTINUE-STREAM': must(
    'A streamed turn that names a conversation ends in that conversation.',
    implied(turns, [oneThread, quoted.finalFields]),
  ),
  'CONV-AFTER-STREAM': must(
    'A conversation that began with a stream can be continued.',
    implied(turns, [oneThread, quoted.finalFields]),
  ),
} as const

const paused = 'States and transitions, AI replies paused'
const state = { state: 'chat.paused' } as const
const interaction = 'chat request with `interaction` | any | unchanged | 409 `AI_REPLY_PAUSED`'

export const pauseClauses = {
  'PAUSE-STATUS': must(
    'A message sent while AI replies are paused is answered 200.',
    implied(paused, ['no `interaction` | message stored', quoted.successBody], state),
  ),
  'PAUSE-RESPONSE-EMPTY': must('`response` is then empty.', stated(paused, quoted.emptyWhilePaused, state)),
  'PAUSE-CUSTOMER-MESSAGE': must(
    '`customer_message` is then present as an object.',
    stated(paused, ['`response` empty, `customer_message` present', quoted.customerMessage], state),
  ),
  'PAUSE-AI-REPLY': must(
    '`customer_message` carries `ai_reply`, marked as paused.',
    stated(
      'Resources, Chat success response, customer_message',
      'it carries `ai_reply` marked as paused',
      state,
    ),
  ),
  'PAUSE-FIELDS': must(
    'The conversation and both credit fields come with a stored message too.',
    implied(
      'Resources, Chat success response',
      ['Chat success response (JSON, HTTP 200)', 'Always returned on chat'],
      state,
    ),
  ),
  'PAUSE-STREAM-NO-TEXT': must(
    'Streamed while paused, no token carries text.',
    implied(paused, [quoted.storedUnanswered, quoted.replyText], state),
  ),
  'PAUSE-STREAM-DONE': must(
    'Streamed while paused, `done` has an empty `response` and a `customer_message`.',
    implied(
      'Resources, Streaming events, done',
      [quoted.storedWhilePaused, 'same final fields as a non-streaming reply'],
      state,
    ),
  ),
  'PAUSE-INTERACTION-STATUS': must(
    'An interaction sent while AI replies are paused is refused with 409.',
    stated(paused, interaction, state),
  ),
  'PAUSE-INTERACTION-CODE': must('That refusal names `AI_REPLY_PAUSED`.', stated(paused, interaction, state)),
  'PAUSE-INTERACTION-FREE': must(
    'It consumes no credits.',
    implied(paused, [interaction, quoted.chargedAtEnd], state),
  ),
  'PAUSE-RESUME': must(
    'Once AI replies are active again, a message gets a reply.',
    implied(
      'States and transitions, AI replies active',
      'AI replies active | chat request | normal | reply produced',
      state,
    ),
  ),
} as const

const workflowBody = 'Resources, Chat request body, interaction'
const workflowReply = 'Resources, Chat success response, presentation'
const current = 'States and transitions, Workflow button current'
const superseded = 'States and transitions, Workflow button superseded'
const workflowState = { state: 'workflow.current' } as const
const continues = 'copied `interaction` | selection still current | turn continues'
const stale = 'selection no longer current | unchanged | 409 `WORKFLOW_INTERACTION_STALE`'
const unchanged = 'selection no longer current | unchanged'
const noOther = 'It cannot start an arbitrary Workflow'

export const workflowClauses = {
  'FLOW-PRESENTATION-OBJECT': must(
    '`presentation` is an object.',
    stated(workflowReply, '`presentation` | object', workflowState),
  ),
  'FLOW-PRESENTATION-VERSION': must(
    'The version of a presentation is 1.',
    stated(workflowReply, 'Its version is 1', workflowState),
  ),
  'FLOW-BUTTON-COPYABLE': must(
    'A button can be copied: `runId`, `nodeId` and `payload` of an interaction are found in the presentation.',
    implied(
      workflowBody,
      '`type`, `runId`, `nodeId`, `payload`, copied from the previous `presentation`',
      workflowState,
    ),
  ),
  'FLOW-STREAM-PRESENTATION': must(
    '`done` of a streamed Workflow turn has the presentation.',
    implied('Resources, Streaming events, done', 'same final fields as a non-streaming reply', workflowState),
  ),
  'FLOW-PRESS-STATUS': must(
    'A current button, sent with a new key, is answered 200.',
    stated(current, continues, workflowState),
  ),
  'FLOW-PRESS-CONVERSATION': must(
    'The turn goes on in the same conversation.',
    implied(
      current,
      ['selection still current | turn continues', quoted.continuesConversation],
      workflowState,
    ),
  ),
  'FLOW-PRESS-STREAM': must(
    'A button can be pressed with a streamed turn.',
    implied(current, [continues, quoted.eventStream], workflowState),
  ),
  'FLOW-PRESS-REPLAY': must(
    'Pressing again with the same key never runs a second turn: it is a replay.',
    implied(
      'States and transitions, Key completed',
      ['identical request with same key', '200 with reply replayed'],
      workflowState,
    ),
  ),
  'FLOW-STALE-STATUS': must(
    'A superseded button is refused with 409.',
    stated(superseded, stale, workflowState),
  ),
  'FLOW-STALE-CODE': must(
    'That refusal names `WORKFLOW_INTERACTION_STALE`.',
    stated(superseded, stale, workflowState),
  ),
  'FLOW-STALE-UNCHANGED': must(
    'After that refusal the current button still works.',
    implied(superseded, [unchanged, 'picks a current button'], workflowState),
  ),
  'FLOW-STALE-FREE': must(
    'It consumes no credits.',
    implied(superseded, [unchanged, quoted.chargedAtEnd], workflowState),
  ),
  'FLOW-FORGED': must(
    'An interaction that no presentation offered is refused, or counts as its text alone.',
    implied(workflowBody, [noOther, 'copied from the previous `presentation`'], workflowState),
  ),
  'FLOW-FORGED-TYPE': must(
    'An interaction of another type than `workflow_button` is refused, or counts as its text alone.',
    implied(workflowBody, ['A `workflow_button` selection', noOther], workflowState),
  ),
} as const

const turn = 'Resources, Chat success response, credits_used and credits_remaining'
const table = 'States and transitions, Chat key unused'
const empty = 'Errors, Chat status codes, 402'
const exhausted = { state: 'credits.exhausted' } as const
const consumed = 'Credits consumed by this request'
const left = 'Credits left after this request'
const insufficient = '402 | `INSUFFICIENT_CREDITS`'
const amounts = '`credits_required` and `credits_remaining` when known'

export const creditsClauses = {
  'CRED-NOT-NEGATIVE': must('The credits used by a turn are not negative.', implied(turn, consumed)),
  'CRED-BALANCE': must(
    'The credits left after a turn are those before less those used.',
    implied(turn, [consumed, left]),
  ),
  'CRED-BALANCE-STREAM': must(
    'The same holds for streamed turns.',
    implied(turn, [quoted.finalFields, left]),
  ),
  'CRED-BALANCE-CONCURRENT': must(
    'The same holds over turns that run at once.',
    implied(turn, [consumed, left]),
  ),
  'CRED-REFUSAL-FREE': must(
    'A refused request consumes no credits.',
    implied(table, 'credits are consumed when the turn completes'),
  ),
  'CRED-EMPTY-STATUS': must(
    'A turn that the credits left do not cover is refused with 402.',
    stated(empty, insufficient, exhausted),
  ),
  'CRED-EMPTY-CODE': must(
    'That refusal names `INSUFFICIENT_CREDITS`.',
    stated(empty, insufficient, exhausted),
  ),
  'CRED-EMPTY-AMOUNTS': must(
    '`credits_required` and `credits_remaining`, where the refusal has them, are amounts.',
    implied(empty, amounts, exhausted),
  ),
  'CRED-EMPTY-SHORT': must(
    'Where the refusal has both amounts, what is left is not more than what is required.',
    implied(empty, [insufficient, amounts], exhausted),
  ),
  'CRED-EMPTY-STREAM': must(
    'The same refusal comes when a stream was asked for.',
    implied(empty, [insufficient, 'Chat errors are a flat JSON object with a text `error`'], exhausted),
  ),
} as const

const rate = 'Limits, Chat rate'
const rateLimitBody = 'Errors, Chat status codes, last paragraph'
const limited = { state: 'rate.limited' } as const
const perMinute = '60 requests per minute per API key'
const members = 'body also carries `retry_after_seconds`, `limit` and `remaining`'
const backsOff = 'the client backs off before retrying'

export const rateLimitClauses = {
  'RATE-UPPER': must(
    'More than 120 requests of one key within a minute meet a 429.',
    implied(rate, perMinute, limited),
  ),
  'RATE-LOWER': must(
    'A key that sends requests more than a second apart never meets a 429.',
    implied(rate, perMinute),
  ),
  'RATE-PER-KEY': must(
    'A key that is limited does not limit another, and is limited at every agent.',
    implied(rate, perMinute, limited),
  ),
  'RATE-BODY-RETRY': must(
    'The body of a 429 has `retry_after_seconds`, a number that is not negative or a text of one.',
    stated(rateLimitBody, members, limited),
  ),
  'RATE-BODY-LIMIT': must('The body of a 429 has `limit`.', stated(rateLimitBody, members, limited)),
  'RATE-BODY-REMAINING': must(
    'The body of a 429 has `remaining`, which is less than `limit`.',
    stated(rateLimitBody, members, limited),
  ),
  'RATE-STREAM-JSON': must(
    'A key that is limited is refused, as JSON, also when a stream was asked for.',
    implied(rateLimitBody, ['Chat errors are a flat JSON object with a text `error`', members], limited),
  ),
  'RATE-RECOVERS': should(
    'After `retry_after_seconds` a request is accepted again.',
    advised(rateLimitBody, [], limited),
  ),
  'RATE-KEY-USABLE': must(
    'A request that met a 429 can be sent again with its idempotency key.',
    implied(rateLimitBody, [backsOff, quoted.keyUnseen], limited),
  ),
  'RATE-HEADERS': must(
    'Chat answers carry rate-limit headers.',
    stated('Limits, last paragraph before the gaps', 'Rate-limit headers are included on chat responses'),
  ),
} as const

const chat = 'Authentication, Chat and operations'
const unauthorized = '401 means the key is invalid or missing'

export const authClauses = {
  'AUTH-MISSING': must(
    'A request without an API key is refused with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'AUTH-UNKNOWN': must(
    'A request with a key that is not valid is refused with 401.',
    stated(`${chat}, 5`, unauthorized),
  ),
  'AUTH-SCHEME': should(
    'A key sent with another scheme than Bearer is refused with 401.',
    advised(`${chat}, 1`),
  ),
  'AUTH-EMPTY': must(
    'A Bearer scheme without a key is refused with 401.',
    implied(`${chat}, 5`, unauthorized),
  ),
  'AUTH-STREAM': must(
    'The same refusal comes when a stream was asked for.',
    implied(`${chat}, 5`, unauthorized),
  ),
  'AUTH-NO-CHAT': must(
    'A key without the scope `chat` is refused with 403.',
    stated(`${chat}, 4 and 5`, '403 means the key lacks `chat`'),
  ),
  'AUTH-AGENT-SCOPE': must(
    'A key restricted to one agent is refused with 403 at another.',
    stated(`${chat}, 5`, 'is outside its agent scope'),
  ),
  'AUTH-AGENT-OWN': must(
    'A key restricted to one agent works there.',
    implied(`${chat}, 2`, 'optionally restricted to a single agent'),
  ),
  'AUTH-PLAN': must(
    'An agent that the plan does not allow is refused with 403.',
    stated(`${chat}, 5`, 'or the plan does not allow the agent', { state: 'plan.disallows' }),
  ),
  'AUTH-AGENT-UNKNOWN': must(
    'An agent that does not exist is answered 404.',
    stated('Errors, Chat status codes, 404', '404 | agent not found'),
  ),
  'AUTH-AGENT-FOREIGN': should('An agent of another account is not reachable.', advised(`${chat}, 5`)),
  'AUTH-KEY-PREFIX': must('API keys begin with `sk-`.', stated(`${chat}, 2`, 'Keys begin with `sk-`')),
  'AUTH-KEY-ONCE': must(
    'An API key is shown once, at its creation.',
    stated(`${chat}, 2`, 'are shown once, at creation', { observe: 'inside' }),
  ),
  'AUTH-NO-ECHO': should('An API key is never repeated in an answer.', advised(`${chat}, 3`)),
} as const

const flat = 'Errors, Chat status codes, last paragraph'
const flatError = 'Chat errors are a flat JSON object with a text `error`'

export const chatErrorsClauses = {
  'ERR-FLAT': must('A chat error is a JSON object with a text `error`.', stated(flat, flatError)),
  'ERR-JSON': must(
    'A chat error comes with a JSON content type.',
    implied('Endpoints, Base address', 'Bodies and responses are JSON unless streaming'),
  ),
  'ERR-NOT-RECEIPT': must(
    'A chat error is not an operation receipt: `error` is no object.',
    stated(flat, 'with a text `error`, not the operation receipt'),
  ),
  'ERR-KNOWN-STATUS': must(
    'The chat route answers with a status of its table.',
    implied('Errors, Chat status codes', ['400 | invalid body', '401 | invalid or missing API key']),
  ),
  'ERR-500': must(
    'A server error is answered 500 with a flat error.',
    stated('Errors, Chat status codes, 500', ['500 | server error', flatError], { state: 'server.500' }),
  ),
  'ERR-503': must(
    'While it is unavailable the service answers 503 with a flat error.',
    stated('Errors, Chat status codes, 503', ['503 | service temporarily unavailable', flatError], {
      state: 'server.503',
    }),
  ),
} as const
