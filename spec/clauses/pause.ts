import { must } from '../clause.ts'

const paused = 'States and transitions, AI replies paused'
const state = { state: 'chat.paused' } as const
const implied = { basis: 'implied', state: 'chat.paused' } as const

export const pause = {
  'PAUSE-STATUS': must('A message sent while AI replies are paused is answered 200.', paused, implied),
  'PAUSE-RESPONSE-EMPTY': must('`response` is then empty.', paused, state),
  'PAUSE-CUSTOMER-MESSAGE': must('`customer_message` is then present as an object.', paused, state),
  'PAUSE-AI-REPLY': must(
    '`customer_message` carries `ai_reply`, marked as paused.',
    'Resources, Chat success response, customer_message',
    state,
  ),
  'PAUSE-FIELDS': must(
    'The conversation and both credit fields come with a stored message too.',
    'Resources, Chat success response',
    implied,
  ),
  'PAUSE-STREAM-NO-TEXT': must('Streamed while paused, no token carries text.', paused, implied),
  'PAUSE-STREAM-DONE': must(
    'Streamed while paused, `done` has an empty `response` and a `customer_message`.',
    'Resources, Streaming events, done',
    implied,
  ),
  'PAUSE-INTERACTION-STATUS': must(
    'An interaction sent while AI replies are paused is refused with 409.',
    paused,
    state,
  ),
  'PAUSE-INTERACTION-CODE': must('That refusal names `AI_REPLY_PAUSED`.', paused, state),
  'PAUSE-INTERACTION-FREE': must('It consumes no credits.', paused, implied),
  'PAUSE-RESUME': must(
    'Once AI replies are active again, a message gets a reply.',
    'States and transitions, AI replies active',
    implied,
  ),
} as const
