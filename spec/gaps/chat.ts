import { ambiguous, notShownGap, silentGap } from '../gap.ts'

/** What the contract leaves open about chat. Every interpretation below can be switched on in the simulator. */
export const chatGaps = {
  'GAP-ERROR-CODE-MEMBER': ambiguous({
    question: 'Which member of a chat error carries its code?',
    source: 'Errors, Chat status codes, last paragraph',
    unjudged: 'The name of the member; a code counts wherever it stands as a word in a top-level text.',
    interpretations: {
      error: '`error` is the code, `message` says it in words.',
      code: '`error` says it in words, `code` is the code.',
      sentence: '`error` is a sentence that begins with the code.',
      'error-code': '`error` says it in words, `error_code` is the code.',
    },
  }),
  'GAP-CHARACTER-UNIT': ambiguous({
    question: 'What is a character of a message or of a key?',
    source: 'Limits, message length and idempotency key length',
    unjudged: 'Lengths on which code points and UTF-16 units disagree; bytes are not characters.',
    interpretations: { 'code-points': 'A Unicode code point.', utf16: 'A UTF-16 code unit.' },
  }),
  'GAP-IDENTICAL': ambiguous({
    question:
      'Is a request with the same key and message but another conversation, interaction or stream value identical?',
    source: 'States and transitions, Key completed and Key used',
    unjudged: 'Whether it is replayed or refused as a conflict; only a second turn is judged.',
    interpretations: {
      replay: 'Only the message counts: it is replayed.',
      conflict: 'All of them count: it is refused with 409.',
    },
  }),
  'GAP-SPELLING': ambiguous({
    question: 'Is the same JSON with other spacing, member order, escapes or one unknown member identical?',
    source: 'States and transitions, Key completed and Key used',
    unjudged: 'Whether it is replayed or refused as a conflict.',
    interpretations: {
      replay: 'Meaning counts: it is replayed.',
      conflict: 'Bytes count: it is refused with 409.',
    },
  }),
  'GAP-KEY-SCOPE': ambiguous({
    question: 'Within what is an idempotency key unique?',
    source: 'What the service does, Idempotency',
    unjudged: 'Whether another API key of the account, or another agent, shares it.',
    interpretations: {
      account: 'The account: all its API keys and agents share it.',
      'api-key': 'One API key.',
      agent: 'One agent of the account.',
    },
  }),
  'GAP-IN-FLIGHT-OTHER': ambiguous({
    question: 'Which 409 does a different message meet while the turn of its key runs?',
    source: 'States and transitions, Key in flight and Key used',
    unjudged: 'Which of the two codes.',
    interpretations: { 'in-progress': '`REQUEST_IN_PROGRESS`.', conflict: '`IDEMPOTENCY_CONFLICT`.' },
  }),
  'GAP-REFUSED-KEY': ambiguous({
    question: 'Does a refused turn use up its key?',
    source: 'States and transitions, Chat key unused',
    unjudged: 'What the same key meets after a 402, 409 for a pause or a stale button, or 5xx.',
    interpretations: {
      released: 'No: the next request with it is the first.',
      kept: 'Yes: the refusal is given again, and a different message is a conflict.',
    },
  }),
  'GAP-CHECK-ORDER': ambiguous({
    question: 'In which order are the rules of a request checked?',
    source: 'Errors, Chat status codes',
    unjudged: 'Which refusal comes when a request breaks more than one rule.',
    interpretations: {
      'agent-first': 'Agent and permissions before the body.',
      'body-first': 'The body before agent and permissions.',
    },
  }),
  'GAP-PAUSED-OR-STALE': ambiguous({
    question: 'Which 409 does a superseded button meet while AI replies are paused?',
    source: 'States and transitions, AI replies paused and Workflow button superseded',
    unjudged: 'Which of the two codes.',
    interpretations: { paused: '`AI_REPLY_PAUSED`.', stale: '`WORKFLOW_INTERACTION_STALE`.' },
  }),
  'GAP-RATE-COUNTED': ambiguous({
    question: 'Which requests count against the rate limit?',
    source: 'Limits, Chat rate',
    unjudged: 'Whether refusals and replays count.',
    interpretations: {
      all: 'Every request with a valid API key.',
      turns: 'Only requests that reach a turn.',
    },
  }),
  'GAP-RATE-WINDOW': ambiguous({
    question: 'Over what kind of minute is the rate counted?',
    source: 'Limits, Chat rate',
    unjudged: 'Bursts between 60 and 120 requests in a minute.',
    interpretations: {
      sliding: 'Any sixty seconds.',
      fixed: 'Minutes by the clock.',
      bucket: 'A bucket of sixty that fills by one a second.',
    },
  }),
  'GAP-RATE-HEADERS': notShownGap({
    question: 'What are the rate-limit headers of the chat endpoint called?',
    source: 'Limits, paragraph after the table',
    unjudged: 'Their names and values, unless the target declares them.',
    interpretations: {
      'x-ratelimit': '`X-RateLimit-Limit`, `-Remaining` and `-Reset`.',
      ratelimit: '`RateLimit-Limit`, `-Remaining` and `-Reset`.',
      'x-rate-limit': '`X-Rate-Limit-Limit`, `-Remaining` and `-Reset`.',
    },
  }),
  'GAP-REPLAY-MODE': ambiguous({
    question: 'Is a turn answered as JSON replayed as a stream when a stream is asked for, and the reverse?',
    source: 'Resources, Streaming events, last sentence',
    unjudged: 'The form of such a replay.',
    interpretations: { requested: 'As asked for now.', original: 'As it was answered first.' },
  }),
  'GAP-REPLAY-TOKENS': ambiguous({
    question: 'Does a replayed stream repeat its tokens?',
    source: 'Resources, Streaming events, last sentence',
    unjudged: 'Whether events come before `done`.',
    interpretations: { 'done-only': 'Only `done` is sent.', 'with-tokens': 'The tokens are sent again.' },
  }),
  'GAP-REPLAY-CREDITS': ambiguous({
    question: 'What do the credit fields of a replay say?',
    source: 'Resources, Chat success response, credits_used',
    unjudged: 'Their values on a replay.',
    interpretations: {
      original: 'What they said in the original.',
      free: 'Nothing used, and what is left now.',
    },
  }),
  'GAP-PAUSED-COST': notShownGap({
    question: 'Does a message stored while paused cost credits?',
    source: 'Limits, Other gaps, credit cost per turn',
    unjudged: 'The amount.',
    interpretations: { free: 'No.', charged: 'As a turn does.' },
  }),
  'GAP-CREDIT-COST': notShownGap({
    question: 'What does a turn cost?',
    source: 'Limits, Other gaps, credit cost per turn',
    unjudged: 'The amount.',
    interpretations: { one: 'One credit.', fraction: 'A fraction that depends on the length of the reply.' },
  }),
  'GAP-CREDIT-AMOUNTS': ambiguous({
    question: 'When are the amounts of a 402 known?',
    source: 'Errors, Chat status codes, 402',
    unjudged: 'Whether the body has them.',
    interpretations: { both: 'Always.', none: 'Never.' },
  }),
  'GAP-UNKNOWN-CONVERSATION': ambiguous({
    question: 'What happens to a turn that names a conversation that does not exist?',
    source: 'Resources, Chat request body, conversation_id',
    unjudged: 'Whether it is refused, and how.',
    interpretations: { refuse: 'It is refused with 400.', start: 'It starts a conversation with that id.' },
  }),
  'GAP-STREAM-TYPE': ambiguous({
    question: 'What happens to a `stream` that is not a boolean?',
    source: 'Resources, Chat request body, stream',
    unjudged: 'Whether it is refused or read as a boolean.',
    interpretations: {
      refuse: 'It is refused with 400.',
      coerce: 'The text `true` and the number 1 count as true.',
    },
  }),
  'GAP-UNKNOWN-MEMBER': ambiguous({
    question: 'What happens to a body with a member that the contract does not know?',
    source: 'Resources, Chat request body',
    unjudged: 'Whether it is refused.',
    interpretations: { ignore: 'It is ignored.', refuse: 'It is refused with 400.' },
  }),
  'GAP-CONTENT-TYPE': ambiguous({
    question: 'What happens to a JSON body sent with another content type?',
    source: 'Endpoints, Chat, Headers',
    unjudged: 'Whether it is refused.',
    interpretations: { ignore: 'The body is read as JSON.', refuse: 'It is refused with 400.' },
  }),
  'GAP-TWO-KEYS': ambiguous({
    question: 'Which of two different keys in body and headers counts?',
    source: 'Resources, Chat request body, idempotency_key',
    unjudged: 'Whether it is refused, or which key wins.',
    interpretations: {
      refuse: 'It is refused with 400.',
      body: 'The one in the body.',
      header: 'The one in the header.',
    },
  }),
  'GAP-PRESENTATION-SHAPE': notShownGap({
    question: 'What are the members of a presentation called?',
    source: 'Resources, Chat success response, presentation',
    unjudged: 'Every member but the version.',
    interpretations: {
      grouped: 'One list each of messages, buttons, images and media.',
      items: 'One ordered list of items, each with its kind.',
    },
  }),
  'GAP-INTERACTION-TYPES': notShownGap({
    question: 'What types do `runId`, `nodeId` and `payload` have?',
    source: 'Resources, Chat request body, interaction',
    unjudged: 'Their types; they are copied as they came.',
    interpretations: { texts: 'All are texts.', mixed: 'A number, a text and an object.' },
  }),
  'GAP-FORGED': ambiguous({
    question: 'How is an interaction refused that no presentation offered?',
    source: 'Resources, Chat request body, interaction',
    unjudged: 'Which 4xx it is.',
    interpretations: { stale: 'As superseded, with 409.', invalid: 'As an invalid body, with 400.' },
  }),
  'GAP-CUSTOMER-MESSAGE': notShownGap({
    question: 'How does `customer_message` mark `ai_reply` as paused, and what else is in it?',
    source: 'Resources, Chat success response, customer_message',
    unjudged: 'The form of the mark, as long as it says paused, and every other member.',
    interpretations: {
      text: '`ai_reply` is the text `paused`.',
      object: '`ai_reply` is an object whose `status` is `paused`.',
      flag: '`ai_reply` is an object whose `paused` is true.',
    },
  }),
  'GAP-FAILED-STREAM': ambiguous({
    question: 'What does the key of a turn meet that failed while it was streamed, or ended in a 5xx?',
    source: 'Resources, Streaming events, error',
    unjudged: 'Whether it runs again, is uncertain or repeats the error.',
    interpretations: { released: 'The key is free again.', uncertain: '409 `OUTCOME_UNCERTAIN`.' },
  }),
  'GAP-CLIENT-GONE': ambiguous({
    question: 'What becomes of a turn whose client went away?',
    source: 'States and transitions, Key in flight and Earlier turn uncertain',
    unjudged: 'Whether it finishes or becomes uncertain.',
    interpretations: {
      finishes: 'It finishes and can be replayed.',
      uncertain: 'It ends uncertain, nothing is charged.',
    },
  }),
  'GAP-FOREIGN-AGENT': ambiguous({
    question: 'How is an agent of another account answered?',
    source: 'Errors, Chat status codes, 403 and 404',
    unjudged: 'Which of the two statuses.',
    interpretations: { 'not-found': '404.', forbidden: '403.' },
  }),
  'GAP-BODY-SIZE': silentGap({
    question: 'How large may a body be, and how is a larger one refused?',
    source: 'Limits',
    unjudged: 'The limit and the answer.',
    interpretations: { 'one-mebibyte': 'Above 1 MiB it is refused with 400 and the connection is closed.' },
  }),
  'GAP-KEY-LIFE': notShownGap({
    question: 'How long is an idempotency key remembered?',
    source: 'Limits, Other gaps, how long a key is remembered',
    unjudged: 'Replays after the run.',
    interpretations: { run: 'As long as the simulator runs.' },
  }),
  'GAP-REFUSAL-CODES': notShownGap({
    question: 'Which codes do 401, 403, 404, 500 and 503 carry?',
    source: 'Errors, Operation errors, last paragraph',
    unjudged: 'Any code in these bodies.',
    interpretations: {
      words: 'A code of the simulator’s own, such as `INVALID_API_KEY`.',
      none: 'No code, words only.',
    },
  }),
  'GAP-VALIDATION-WORDS': notShownGap({
    question: 'How does a 400 say which member is wrong?',
    source: 'Errors, Operation errors, last paragraph',
    unjudged: 'Its words, and whether it names the member at all.',
    interpretations: { sentence: 'In a sentence that names the member.' },
  }),
} as const
