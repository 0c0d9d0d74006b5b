import { must } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const paused = 'States and transitions, AI replies paused'
const state = { state: 'chat.paused' } as const
const implied = { basis: 'implied', state: 'chat.paused' } as const
const interaction = 'chat request with `interaction` | any | unchanged | 409 `AI_REPLY_PAUSED`'

export const pauseClauses = {
  'PAUSE-STATUS': must(
    'A message sent while AI replies are paused is answered 200.',
    paused,
    ['no `interaction` | message stored', quoted.successBody],
    implied,
  ),
  'PAUSE-RESPONSE-EMPTY': must('`response` is then empty.', paused, quoted.emptyWhilePaused, state),
  'PAUSE-CUSTOMER-MESSAGE': must(
    '`customer_message` is then present as an object.',
    paused,
    ['`response` empty, `customer_message` present', quoted.customerMessage],
    state,
  ),
  'PAUSE-AI-REPLY': must(
    '`customer_message` carries `ai_reply`, marked as paused.',
    'Resources, Chat success response, customer_message',
    'it carries `ai_reply` marked as paused',
    state,
  ),
  'PAUSE-FIELDS': must(
    'The conversation and both credit fields come with a stored message too.',
    'Resources, Chat success response',
    ['Chat success response (JSON, HTTP 200)', 'Always returned on chat'],
    implied,
  ),
  'PAUSE-STREAM-NO-TEXT': must(
    'Streamed while paused, no token carries text.',
    paused,
    [quoted.storedUnanswered, quoted.replyText],
    implied,
  ),
  'PAUSE-STREAM-DONE': must(
    'Streamed while paused, `done` has an empty `response` and a `customer_message`.',
    'Resources, Streaming events, done',
    [quoted.storedWhilePaused, 'same final fields as a non-streaming reply'],
    implied,
  ),
  'PAUSE-INTERACTION-STATUS': must(
    'An interaction sent while AI replies are paused is refused with 409.',
    paused,
    interaction,
    state,
  ),
  'PAUSE-INTERACTION-CODE': must('That refusal names `AI_REPLY_PAUSED`.', paused, interaction, state),
  'PAUSE-INTERACTION-FREE': must(
    'It consumes no credits.',
    paused,
    [interaction, quoted.chargedAtEnd],
    implied,
  ),
  'PAUSE-RESUME': must(
    'Once AI replies are active again, a message gets a reply.',
    'States and transitions, AI replies active',
    'AI replies active | chat request | normal | reply produced',
    implied,
  ),
} as const
