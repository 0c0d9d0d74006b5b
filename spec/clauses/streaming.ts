import { must, should } from '../clause.ts'

const events = 'Resources, Streaming events'
const standard = { basis: 'standard' } as const
const implied = { basis: 'implied' } as const
const advised = { basis: 'advised' } as const

export const streaming = {
  'SSE-CONTENT-TYPE': must(
    'With `stream` true the answer is `text/event-stream`; parameters are allowed.',
    'Resources, Chat request body, stream',
    standard,
  ),
  'SSE-CHARSET': must('A charset parameter of the stream, if any, is utf-8.', events, standard),
  'SSE-ENCODING': must(
    'A stream asked for without compression is not compressed.',
    'Endpoints, Chat',
    standard,
  ),
  'SSE-CLEAN-END': must(
    'The body of a stream ends cleanly after its last event.',
    `${events}, done`,
    standard,
  ),
  'SSE-UTF8': must('A stream is valid UTF-8.', events, standard),
  'SSE-FIELDS': should('Every line is empty, a comment or a known field.', events, standard),
  'SSE-DATA-PREFIX': must('Each data line starts with exactly `data: `.', `${events}, first sentence`),
  'SSE-DATA-JSON': must('What follows on each data line is one JSON object.', `${events}, first sentence`),
  'SSE-DATA-TYPE': must('That object has a string `type`.', `${events}, first sentence`),
  'SSE-SEPARATED': must('An empty line stands between two data lines.', events, standard),
  'SSE-FINAL-BLANK': must('An empty line stands after the last event.', events, standard),
  'SSE-NO-INJECTION': must(
    'Text of a message that looks like an event never becomes a line of the stream.',
    `${events}, first sentence`,
    implied,
  ),
  'SSE-TOKEN': must('A `token` event has a string `token`.', `${events}, token`),
  'SSE-ACTION-START': must('An `action_start` event has `actionName`.', `${events}, action_start`, {
    state: 'stream.tool',
  }),
  'SSE-ACTION-COMPLETE': must(
    'An `action_complete` event has `actionName` and `success`.',
    `${events}, action_complete`,
    { state: 'stream.tool' },
  ),
  'SSE-ACTION-SUCCESS': should(
    '`success` of an `action_complete` event is a boolean.',
    `${events}, action_complete`,
    {
      ...advised,
      state: 'stream.tool',
    },
  ),
  'SSE-ACTION-PAIRED': should(
    'An `action_complete` follows an `action_start` of the same name.',
    `${events}, action_complete`,
    { ...advised, state: 'stream.tool' },
  ),
  'SSE-GATE': must('A `gate_triggered` event has `decision` and `reason`.', `${events}, gate_triggered`, {
    state: 'stream.gate',
  }),
  'SSE-DONE-RESPONSE': must('`done` has a string `response`.', `${events}, done`),
  'SSE-DONE-CONVERSATION': must('`done` has a uuid `conversation_id`.', `${events}, done`),
  'SSE-DONE-CREDITS-USED': must('`done` has a number `credits_used`.', `${events}, done`),
  'SSE-DONE-CREDITS-REMAINING': must('`done` has a number `credits_remaining`.', `${events}, done`),
  'SSE-DONE-FILLED': must(
    'While AI replies are active, `response` of `done` is filled.',
    'States and transitions, AI replies active',
    implied,
  ),
  'SSE-DONE-NO-EXTRAS': must(
    '`done` of a plain turn has neither `presentation` nor `customer_message`.',
    `${events}, done`,
    implied,
  ),
  'SSE-ONE-TERMINAL': must(
    'A stream has exactly one `done` or `error` event.',
    `${events}, done and error`,
    implied,
  ),
  'SSE-NOTHING-AFTER': must('No event follows `done` or `error`.', `${events}, done and error`, implied),
  'SSE-ERROR': must('An `error` event has `error`.', `${events}, error`, { state: 'stream.error' }),
  'SSE-ERROR-ENDS': must('An `error` event ends the stream: no `done` follows.', `${events}, error`, {
    ...implied,
    state: 'stream.error',
  }),
  'SSE-ERROR-ONE-CHARGE': should(
    'A turn that failed while it was streamed is charged at most once, even after a retry.',
    `${events}, error`,
    { ...advised, state: 'stream.error' },
  ),
  'SSE-CLOSES': should(
    'The body ends within five seconds after the terminal event.',
    `${events}, done`,
    advised,
  ),
  'SSE-TOKENS-JOIN': should(
    'Without a gate, the tokens joined are the `response` of `done`.',
    `${events}, token`,
    advised,
  ),
  'SSE-REFUSAL-JSON': must(
    'A refusal of a request with `stream` true comes as a status and a JSON error, not as a stream.',
    'Errors, Chat status codes',
    implied,
  ),
} as const
