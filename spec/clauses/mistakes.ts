/** The frequent mistake behind a failed clause, and its fix: for authors of servers, receivers and clients. */
import type { ClauseId } from './index.ts'

type Mistake = `${string} → ${string}`

const claimed =
  'the key is looked up and stored in two steps → claim it in one atomic step (unique index, insert if absent) before the turn'
const inFlight =
  'a repeat waits, or starts a second turn → while the turn runs, answer 409 `REQUEST_IN_PROGRESS`'
const unmarked =
  'the replay header is not set on each replay, or a proxy removes it → set it before the body is sent, for JSON and streams'
const storedReply =
  'the reply is generated anew → store the reply with its key, and answer repeats from the store'
const refusedAsJson =
  'stream headers are written before the request is checked → decide on the refusal first; then start the stream'
const keyedOnTurn =
  'the key is bound to the serialized body → bind it to the meaning of the request: message, conversation, interaction'
const rawBody =
  'the signature is computed over parsed, re-serialized JSON → compute it over the bytes received, before any body parser'
const verified =
  'the check depends on something besides the signature → verify every delivery, and refuse before doing any work'

export const mistakes: Partial<Record<ClauseId, Mistake>> = {
  'REQ-MESSAGE-MAX': 'the limit counts bytes, or is lower → accept 10,000 characters, up to 40,000 bytes',
  'REQ-MESSAGE-OVER': 'the length is not checked → refuse more than 10,000 characters with 400',
  'REQ-MESSAGE-STRING': 'other types are converted to text → validate the type; refuse with 400',
  'REQ-MESSAGE-EMPTY': 'only a missing `message` is refused → refuse an empty one too, with 400',
  'REQ-STREAM-DEFAULT': 'the reply is always streamed → stream only if `stream` is true',
  'REQ-JSON-MALFORMED': 'the parser error becomes a 500 → map it to 400 with a flat error',
  'RES-JSON': 'content type or compression of a proxy → send `application/json`, as it was asked for',
  'CONV-CONTINUE': '`conversation_id` is ignored → load that conversation, and return its id',
  'SSE-CONTENT-TYPE': '`stream` is ignored, or a proxy rewrites the type → send `text/event-stream`',
  'SSE-CLEAN-END': 'the connection is destroyed after the last event → end the response regularly',
  'SSE-DATA-PREFIX': 'the framework writes `data:` without a blank → write `data: ` before each object',
  'SSE-DATA-JSON':
    'a marker such as `[DONE]`, or JSON over several lines → send one JSON object per data line',
  'SSE-SEPARATED': 'events end with one line end → end each event with an empty line',
  'SSE-FINAL-BLANK': 'the last event ends with one line end → end it with an empty line, too',
  'SSE-UTF8': 'text is cut within a character → cut by characters, not by bytes',
  'SSE-NO-INJECTION': 'text is written to the stream as it is → serialize each event as JSON on one line',
  'SSE-ONE-TERMINAL': 'both branches send their own `done` → send it in one place, when the turn has ended',
  'SSE-NOTHING-AFTER': 'a writer goes on after `done` → close the stream with its terminal event',
  'SSE-TOKENS-JOIN':
    'tokens are trimmed, or the reply is edited later → send text as generated; `done` has the same',
  'SSE-CLOSES': 'the response is left open after `done` → end it at once',
  'SSE-REFUSAL-JSON': refusedAsJson,
  'IDEM-KEY-REQUIRED':
    'a missing key is replaced by a random one → refuse with 400 `IDEMPOTENCY_KEY_REQUIRED`',
  'IDEM-KEY-MAX': 'the column or the validation is shorter → accept keys of 255 characters',
  'IDEM-KEY-OVER': 'long keys are cut to the column → refuse them with 400',
  'IDEM-KEY-DISTINCT': 'keys are compared without case, or cut → compare them byte by byte',
  'IDEM-CARRIER-HEADER': 'only the body is read → read `Idempotency-Key`, too',
  'IDEM-CARRIER-X-HEADER': 'only the standard header is read → read `X-Idempotency-Key`, too',
  'IDEM-CARRIER-ONE': 'each carrier has its own store → reduce all carriers to one key first',
  'IDEM-FRESH-UNMARKED':
    'the header is set on every answer → set it only when the reply comes from the store',
  'IDEM-REPLAY-STATUS': 'a completed key is refused → answer 200 with the stored reply',
  'IDEM-REPLAY-HEADER': unmarked,
  'IDEM-REPLAY-RESPONSE': storedReply,
  'IDEM-REPLAY-CONVERSATION': storedReply,
  'IDEM-REPLAY-AT-ONCE': 'the reply is sent before it is stored → commit it first',
  'IDEM-REPLAY-FREE': 'credits are booked before the look-up → look the key up first; book with the turn',
  'IDEM-STREAM-REPLAY-STATUS': 'streamed turns are not stored → store them when they end, as others',
  'IDEM-STREAM-REPLAY-HEADER': unmarked,
  'IDEM-STREAM-REPLAY-RESPONSE': storedReply,
  'IDEM-CONFLICT-STATUS':
    'the stored reply is returned for any message → store a digest of the request, and compare it',
  'IDEM-CONFLICT-CODE': 'the code is generic → answer `IDEMPOTENCY_CONFLICT`',
  'IDEM-OTHER-MODE': 'the key is bound to `stream` → replay in the form that is asked for, or refuse',
  'IDEM-OTHER-SPELLING': keyedOnTurn,
  'IDEM-OTHER-MEMBER': keyedOnTurn,
  'IDEM-OTHER-AGENT': 'keys are global → store them per account and agent',
  'IDEM-OTHER-ACCOUNT': 'keys are global → store them per account and agent',
  'IDEM-SQUATTING': 'the key is claimed before authentication → authenticate first',
  'IDEM-IN-FLIGHT-STATUS': inFlight,
  'IDEM-IN-FLIGHT-CODE': inFlight,
  'IDEM-IN-FLIGHT-JSON': refusedAsJson,
  'IDEM-RACE-ONE-RUN': claimed,
  'IDEM-RACE-STREAM': claimed,
  'IDEM-RACE-CARRIERS': claimed,
  'IDEM-RACE-CHARGE': claimed,
  'IDEM-ABORT-ONE-RUN':
    'the turn ends, or its key is released, with the connection → finish and store the turn without the client',
  'IDEM-ABORT-CHARGE':
    'the turn ends, or its key is released, with the connection → finish and store the turn without the client',
  'IDEM-UNCERTAIN-STATUS':
    'the key is released after a crash → keep it as uncertain, and answer 409 `OUTCOME_UNCERTAIN`',
  'CRED-BALANCE-CONCURRENT': 'the balance is read and written in two steps → book in one atomic step',
  'CRED-REFUSAL-FREE': 'credits are booked before validation → book when the turn starts',
  'RATE-BODY-RETRY': 'only the header says when → put `retry_after_seconds` into the body, in seconds',
  'RATE-STREAM-JSON': refusedAsJson,
  'RATE-KEY-USABLE': 'the idempotency key is claimed before the limiter → limit first',
  'AUTH-UNKNOWN': 'a key that is not found becomes a 403, 404 or 500 → answer 401 with a flat error',
  'AUTH-AGENT-SCOPE': 'the key is checked, not its agents → compare the agent of the path; answer 403',
  'AUTH-STREAM': refusedAsJson,
  'ERR-FLAT': 'the default error page of the framework → answer `{"error":"CODE"}` from one handler',
  'ERR-JSON': 'an error page of the framework or a proxy → send `application/json`',
  'ERR-NOT-RECEIPT': 'one error format for all routes → chat errors have a text `error`',
  'ERR-KNOWN-STATUS': 'a status of the framework, such as 422 → map validation errors to 400',
  'RCPT-STATUS-KNOWN': 'internal states are returned → map them to the four of a receipt',
  'TASK-FINAL': 'a late worker writes its state → update only tasks that are not finished',
  'DLV-ID-UNIQUE': 'the id is that of the event → create one per delivery',
  'ATT-SAME-ID': 'each attempt creates an id → create it with the delivery, before the first attempt',
  'ATT-SECOND-REDIRECT': 'redirects are followed, or count as delivered → only 2xx is delivered',
  'ATT-NO-FOURTH': 'the queue retries, too → count attempts in one place; stop after three',
  'SIGN-VALUE':
    'key or body of the digest is not what was sent → use HMAC-SHA256, the secret as text, the exact bytes',
  'SIGN-RAW': 'the body is serialized twice → serialize once; sign and send the same bytes',
  'SIGN-RETRY': 'an attempt serializes the body anew → sign the bytes of each attempt',
  'SIGN-HEX': 'the digest is written as base64 → write 64 hexadecimal digits',
  'RECV-GENUINE':
    'wrong secret, or the digest compared without its prefix → compare `sha256=` and hex of the raw body',
  'RECV-RAW': rawBody,
  'RECV-RESERIALIZED': rawBody,
  'RECV-CHANGED-BODY': verified,
  'RECV-WRONG-SECRET': verified,
  'RECV-UNSIGNED': 'the check runs only if the header is there → a missing signature is refused with 401',
  'RECV-MALFORMED': 'comparing texts of unequal length throws → compare lengths first; answer 401',
  'RECV-401': 'an exception of the check becomes a 500 → answer 401',
  'RECV-DUPLICATE':
    'ids are not stored, or only in this process → store each id with its effect, for all workers',
  'RECV-DUPLICATE-2XX': 'a repeat is refused, so that it is sent again → answer 2xx without working',
  'RECV-DUPLICATE-RACE': 'the id is looked up and stored in two steps → insert it under a unique index first',
  'RECV-QUICK': 'the work is done before the answer → store the delivery, answer, then work',
  'RECV-HEADER-CASE': 'headers are looked up as written → compare their names without case',
  'RECV-OPEN': 'unknown events or members are refused → ignore them, and answer 2xx',
  'LIB-AUTHORIZATION': 'the key is sent in another header or scheme → `Authorization: Bearer KEY`',
  'LIB-KEY-HEADER': 'the key is sent in the body only → send `Idempotency-Key`',
  'LIB-UNKNOWN-MEMBERS': 'replies are parsed strictly → ignore members that you do not know',
  'LIB-IN-PROGRESS':
    'every 409 is retried, or this one with a new key → only `REQUEST_IN_PROGRESS`: wait, then resend the same bytes',
  'LIB-SENT-AGAIN': 'the body or the key is built anew for a retry → keep the bytes and the key',
  'LIB-NO-FALSE-REPLY':
    'the status, or the end of the body, is not checked → report an error unless the reply is complete',
  'LIB-UNCERTAIN': 'a new key after `OUTCOME_UNCERTAIN` runs the turn twice → reconcile instead',
  'LIB-RATE-WAIT': 'a 429 is retried at once → wait `retry_after_seconds`, in seconds',
  'LIB-INTERACTION':
    'a button is rebuilt, or sent without a message → copy it unchanged; send a message with it',
  'LIB-STREAM': 'events are collected, merged or lost → hand each on as its empty line arrives',
  'LIB-STREAM-SPLIT-LINE': 'each chunk is treated as whole lines → buffer the incomplete last line',
  'LIB-STREAM-SPLIT-CHARACTER':
    'each chunk is decoded separately → one decoder for the stream: `{ stream: true }`, `codecs.getincrementaldecoder`',
  'LIB-STREAM-GRAMMAR':
    'only `\\n` ends a line, or comments count as data → end lines at CR, LF and CR LF; ignore comments',
  'LIB-STREAM-UNKNOWN': 'an unknown type throws → ignore it',
  'LIB-STREAM-CUT':
    'the end of the connection counts as the end of the reply → a reply is complete only with `done`',
  'LIB-STREAM-ERROR': 'an `error` event is shown as a reply → report an error; retry with the same key',
  'LIB-TASK-WAIT':
    '`running` or `input_required` counts as final → poll until `completed`, `failed` or `cancelled`',
  'LIB-APPROVAL': 'work that waits for approval counts as done → read the approval first',
  'LIB-WRITE-KEY': 'each attempt of a write has a new key → create the key where the work is decided',
  'LIB-UPLOAD-KEYS': 'a retry creates new keys → keep the prepare and finalize keys with the upload',
}

const byClause: ReadonlyMap<string, Mistake> = new Map(Object.entries(mistakes))

/** What is mostly wrong if a clause fails, and what to do; null for clauses that fail in many ways. */
export function mistakeOf(clause: string): { cause: string; fix: string } | null {
  const [cause = '', fix = ''] = byClause.get(clause)?.split(' → ') ?? []
  return cause === '' ? null : { cause, fix }
}
