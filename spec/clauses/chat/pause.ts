import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

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
