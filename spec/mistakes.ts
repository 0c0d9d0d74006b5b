/** The frequent mistake behind a failed clause, and its fix: for authors of servers, receivers and clients. */
import type { Clause } from './clause.ts'
import { clauses, type ClauseId } from './clauses/index.ts'

type Mistake = `${string} → ${string}`

const claimed =
  'the key is looked up and stored in two steps → claim it in one atomic step (unique index, insert if absent) before the turn'
const lostClient =
  'the turn or its key ends with the connection → finish and store the turn without the client'
const inFlight =
  'a repeat waits, or starts a second turn → while the turn runs, answer 409 `REQUEST_IN_PROGRESS`'
const unmarked =
  'the header is missing at a replay, or not `true`; a proxy may remove it → set it before the body is sent, for streams, too'
const runsAgain =
  'a used key runs again: it is not stored, or not looked up → store the reply with its key, and look there first'
const storedReply =
  'the reply is generated anew → store the reply with its key, and answer repeats from the store'
const refusedAsJson =
  'stream headers are written before the request is checked → decide on the refusal first; then start the stream'
const keyedOnTurn =
  'the key is bound to the serialized body → bind it to the meaning of the request: message, conversation, interaction'
const rawBody =
  'the signature is computed over parsed, re-serialized JSON → compute it over the bytes received, before any body parser'
const thrown = 'an exception of the check becomes a 500 → answer 401'
const decoded =
  'the body is decoded to text before the signature is computed → compute it over the bytes received'
const brokeOff = 'the stream broke off before its end → look for an exception, or a timeout of a proxy'
const partOnly = 'only a part of the signature is checked → compare the whole value; refuse with 401'
const caseOfNames = 'headers are looked up as written → compare their names without case'
const verified =
  'the check depends on something besides the signature → verify every delivery, and refuse before doing any work'

export const mistakes: Partial<Record<ClauseId, Mistake>> = {
  'REQ-MESSAGE-MAX': 'the limit counts bytes, or is lower → accept 10,000 characters, up to 40,000 bytes',
  'REQ-MESSAGE-OVER': 'the length is not checked → refuse more than 10,000 characters with 400',
  'REQ-MESSAGE-EMPTY': 'only a missing `message` is refused → refuse an empty one too, with 400',
  'REQ-STREAM-DEFAULT': 'the reply is always streamed → stream only if `stream` is true',
  'RES-JSON': 'content type or compression of a proxy → send `application/json`, as it was asked for',
  'CONV-CONTINUE': '`conversation_id` is ignored → load that conversation, and return its id',
  'SSE-CONTENT-TYPE': '`stream` is ignored, or a proxy rewrites the type → send `text/event-stream`',
  'SSE-DATA-PREFIX': 'the framework writes `data:` without a blank → write `data: ` before each object',
  'SSE-DATA-JSON':
    '`[DONE]`, or JSON that is cut or over several lines → one whole JSON object per data line',
  'SSE-SEPARATED': 'events end with one line end → end each event with an empty line',
  'SSE-FINAL-BLANK': 'the last event ends with one line end → end it with an empty line, too',
  'SSE-NO-INJECTION': 'text is written to the stream as it is → serialize each event as JSON on one line',
  'SSE-ONE-TERMINAL': 'both branches send their own `done` → send it in one place, when the turn has ended',
  'SSE-NOTHING-AFTER': 'a writer goes on after `done` → close the stream with its terminal event',
  'SSE-TOKENS-JOIN': 'tokens are trimmed, or the reply is edited → `done` has the text as it was streamed',
  'SSE-REFUSAL-JSON': refusedAsJson,
  'IDEM-KEY-REQUIRED': 'a missing key is replaced by a random one → refuse the request with 400',
  'IDEM-KEY-MAX': 'the column or the validation is shorter → accept keys of 255 characters',
  'IDEM-CARRIER-HEADER': 'only the body is read → read `Idempotency-Key`, too',
  'IDEM-FRESH-UNMARKED': 'every answer has the header → set it only on replies from the store',
  'IDEM-REPLAY-HEADER': unmarked,
  'IDEM-REPLAY-AT-ONCE': 'the reply is sent before it is stored → commit it first',
  'IDEM-REPLAY-FREE': 'credits are booked before the look-up → look the key up first; book with the turn',
  'IDEM-STREAM-REPLAY-HEADER': unmarked,
  'IDEM-CONFLICT-STATUS': 'the stored reply answers any message → compare a digest of the request',
  'IDEM-OTHER-MODE': 'the key is bound to `stream` → replay in the form that is asked for, or refuse',
  'IDEM-OTHER-AGENT': 'keys are global → store them per account and agent',
  'IDEM-OTHER-ACCOUNT': 'keys are global → store them per account and agent',
  'IDEM-IN-FLIGHT-CODE': inFlight,
  'IDEM-ABORT-ONE-RUN': lostClient,
  'IDEM-ABORT-CHARGE': lostClient,
  'IDEM-UNCERTAIN-STATUS': 'a crash releases the key → keep it, and answer 409 `OUTCOME_UNCERTAIN`',
  'CRED-REFUSAL-FREE': 'credits are booked before validation → book when the turn starts',
  'RATE-BODY-RETRY': 'the wait is in the header, or another unit → put the seconds into the body',
  'RATE-STREAM-JSON': refusedAsJson,
  'ERR-FLAT': 'the default error page of the framework → answer `{"error":"CODE"}` from one handler',
  'ERR-NOT-RECEIPT': 'one error format for all routes → chat errors have a text `error`',
  'ERR-KNOWN-STATUS': 'a status of the framework, such as 422 → map validation errors to 400',
  'ATT-SAME-ID': 'each attempt creates an id → create it with the delivery, before the first attempt',
  'ATT-SECOND-REDIRECT': 'redirects are followed, or count as delivered → only 2xx is delivered',
  'SIGN-HEADER': 'not every attempt is signed → sign each one, of tests and repeats, too',
  'SIGN-RAW': 'the body is serialized twice → serialize once; sign and send the same bytes',
  'RECV-GENUINE': 'wrong secret, or no prefix → compare with `sha256=` and the hex of the raw body',
  'RECV-RAW': rawBody,
  'RECV-RESERIALIZED': rawBody,
  'RECV-CHANGED-BODY': verified,
  'RECV-WRONG-SECRET': verified,
  'RECV-UNSIGNED': 'the check runs only if the header is there → a missing signature is refused with 401',
  'RECV-MALFORMED': partOnly,
  'RECV-401': thrown,
  'RECV-DUPLICATE': 'ids are stored per process, or not at all → store each id where all workers see it',
  'RECV-DUPLICATE-2XX': 'a repeat is refused, so that it is sent again → answer 2xx without working',
  'RECV-DUPLICATE-RACE': 'the id is looked up and stored in two steps → insert it under a unique index first',
  'RECV-QUICK': 'the work is done before the answer → store the delivery, answer, then work',
  'RECV-HEADER-CASE': caseOfNames,
  'RECV-OPEN': 'unknown events or members are refused → ignore them, and answer 2xx',
  'LIB-CHAT':
    'address, type, encoding or text are others → post UTF-8 JSON as `application/json`, and the text as it is',
  'LIB-KEY-HEADER':
    'the key is missing, changed or made anew → send that of the task as it is in `Idempotency-Key`, each time',
  'LIB-UNKNOWN-MEMBERS': 'replies are parsed strictly → ignore members that you do not know',
  'LIB-IN-PROGRESS':
    'every 409 is retried, or with another key or body → if in progress: wait, resend the same bytes',
  'LIB-SENT-AGAIN': 'each retry has a new key or body → send the same body and the same key again',
  'LIB-NO-FALSE-REPLY': 'status, end or encoding is not checked → hand on `response` as sent, or an error',
  'LIB-UNCERTAIN': 'each retry has a new key → reconcile first; then send the same body and key again',
  'LIB-RATE-WAIT': 'a 429 is retried too soon → wait for `retry_after_seconds` of its JSON body',
  'LIB-STALE': 'a refused button is sent again → read the latest turn, and select a current button',
  'LIB-CONVERSATION': 'the id is lost, or not sent → send `conversation_id` of a reply with the next turn',
  'LIB-INTERACTION': 'a button is rebuilt, or sent alone → copy it unchanged; send a message with it',
  'LIB-STREAM':
    'events are lost, or not read as UTF-8 → hand on each event in order; decode the whole stream as UTF-8',
  'LIB-STREAM-SPLIT-LINE': 'each chunk is treated as whole lines → buffer the incomplete last line',
  'LIB-STREAM-SPLIT-CHARACTER':
    'each chunk is decoded separately → one decoder for the stream: `{ stream: true }`, `codecs.getincrementaldecoder`',
  'LIB-STREAM-GRAMMAR': 'only `\n` ends a line, or comments count → end at CR, LF, CR LF; ignore comments',
  'LIB-STREAM-UNKNOWN': 'an unknown type throws → ignore it',
  'LIB-STREAM-CUT': 'the end of the connection ends the reply, too → a reply is complete only with `done`',
  'LIB-STREAM-ERROR': 'an `error` event is shown as a reply → report an error; retry with the same key',
  'LIB-TASK-WAIT': '`running` or `input_required` is final → poll until completed, failed or cancelled',
  'LIB-APPROVAL': 'work that waits for approval counts as done → read the approval first',
  'LIB-WRITE-KEY': 'each attempt of a write has a new key → create the key where the work is decided',
}

/** Of MUST clauses without a row above: the first whose expression fits their id. */
export const usualMistakes: Readonly<Record<string, Mistake>> = {
  '^REQ-(?:ROUTE|MESSAGE-(?:MIN|UNICODE)|CONVERSATION-OPTIONAL)|^IDEM-KEY-MIN':
    'the validation is stricter than the contract → accept what the contract does not refuse',
  '^REQ-STREAM-FALSE': '`stream` is read by its presence → stream only if it is `true`',
  '^REQ-|^IDEM-KEY-(?:EMPTY|OVER|STRING)|^OLD-MESSAGE':
    'the body is used before it is validated → check types and lengths first; refuse with 400',
  '^RES-NO-|^SSE-DONE-NO-': 'optional members are always sent → add them only to a turn that has them',
  '^SSE-(?:CHARSET|UTF8)': 'the writer uses another encoding → encode text as UTF-8, whatever its script',
  '^SSE-CLEAN-END': 'the connection is destroyed with the last event → end the response instead',
  '^SSE-': 'the event is built apart from the JSON reply → fill each member from the finished turn',
  '^CONV-': 'JSON and streams store turns in different places → use one store for both',
  '^(?:IDEM|PAUSE|FLOW)-.*-CODE$': 'the code is missing or differs → send exactly the code of the contract',
  '^(?:IDEM|PAUSE|FLOW)-.*-FREE$': 'credits are booked before the decision → book them only when a turn runs',
  '^IDEM-(?:CARRIER|HEADER-CASE)': 'the key is read in one place only → read body and both headers',
  '^IDEM-KEY-DISTINCT': 'keys are normalized or shortened → compare them byte for byte',
  '^IDEM-(?:STREAM-)?REPLAY|^IDEM-OTHER-MODE': storedReply,
  '^IDEM-OTHER': keyedOnTurn,
  '^IDEM-(?:RACE|POLL)': claimed,
  '^IDEM-CONFLICT': 'the second request replaces the first → compare a digest; keep the stored turn',
  '^IDEM-IN-FLIGHT': inFlight,
  '^(?:IDEM|RCPT)-UNCERTAIN': 'a crash releases the key → keep it, and answer `OUTCOME_UNCERTAIN` each time',
  '^PAUSE-': 'the pause is checked too late → check first: store a message, refuse an interaction with 409',
  '^FLOW-(?:PRESENTATION|BUTTON|STREAM)':
    'the presentation is sent as the screen needs it → version 1, with the ids of each button, in JSON and `done`',
  '^FLOW-': 'buttons are not bound to their presentation → accept current ones only, once for each key',
  '^CRED-EMPTY': 'credits are checked too late → check first; answer 402 `INSUFFICIENT_CREDITS` with amounts',
  '^OLD-': 'the older routes are an old copy → call one implementation from both; translate names and shapes',
  '^CRED-|^BILL-USAGE-AGREES': 'the balance is cached or rounded → read it in the transaction of the turn',
  '^RATE-(?:BODY|HEADERS)': 'a gateway answers instead of the limiter → send the amounts in headers and body',
  '^RATE-': 'the limit counts by address or account → count by API key; release keys of refused turns',
  '^AUTH-KEY-PREFIX': 'keys come from another generator → issue keys that begin with `sk-`',
  '^(?:AUTH-AGENT|TASK|APPR|EXEC)-UNKNOWN': 'an unknown id gets a default → look it up, and answer 404',
  '^AUTH-(?:NO-CHAT|AGENT|PLAN)|^PLAN-|^SCOPE-(?:INSPECT|READ|AGENT)|-SCOPE$|^OPS-(?:LISTED|UNLISTED|PER)':
    'each route checks permission by itself → check scope, agent and plan in one place, before the work',
  '^AUTH-|^SCOPE-|^HOOK-(?:NO-SESSION|KEY)':
    'the route runs before authentication, or accepts other credentials → check credentials first, on every route',
  '^ERR-': 'the framework answers → map each failure to its status and `{"error":"CODE"}` as JSON',
  '^OPS-|^EXEC-(?:RECEIPT|LISTED|INPUT|INSPECT)': 'the list is written by hand → generate it from the routes',
  '^(?:EXEC|UPL)-RETRY': 'the key is not claimed with the write → claim it in an atomic step before the work',
  '^EXEC-DRAFT': 'a draft is written to the live agent → store drafts apart until they are published',
  '^BILL-NO-CARD|^HOOK-.*-(?:NO-SECRET|PREVIEW)|^LOG-NO-SECRET': 'a whole record is sent → list what to show',
  '^BILL-NO-CHANGE': 'a read shares its handler with a write → change nothing on GET',
  '^TASK-(?:FINAL|DURABLE|CONTINUES)': 'the work lives with its request → run it in a worker; keep its state',
  '^UPL-SHEET': 'documents and spreadsheets share one rule → hold documents only; accept CSV and Excel',
  '^UPL-RENEWAL': 'the failure says only that it failed → name in `error` what is pending',
  '^(?:APPR-(?:HELD|APPROVED|REJECTED|CONFIRM)|UPL-)':
    'the client decides on approval → store the decision on the server, and start the work only with it',
  '^HOOK-LIST-OWN': 'the query is not limited to the agent → filter by the agent of the path',
  '^HOOK-UPDATE': 'the answer changes, or the whole record → store named fields; read them for each delivery',
  '^HOOK-CREATE': 'events or endpoints are checked against another list → accept those of the contract',
  '^HOOK-(?:DELETE|INACTIVE)|^EVT-(?:SELECTED|OWN|EVERY)':
    'recipients are chosen too early or too widely → for each event, take the active webhooks of the agent that selected it',
  '^HOOK-TEST': 'the test is queued like an event → send one sample to this webhook at once',
  '^EVT-LEADS-PAYLOAD|^(?:RES|RCPT|TASK|APPR|BILL|HOOK-LIST)':
    'an internal model is serialized → map each member to its name and type in the contract',
  '^EVT-': 'the event is not emitted where this happens, or misnamed → emit it there, as in the contract',
  '^DLV-': 'live, test and repeat deliveries are built apart → build method, headers, envelope in one place',
  '^ATT-PAUSE': 'the pause is a switch of the webhook → keep it apart from `is_active`, with an end',
  '^ATT-': 'the HTTP client decides → three attempts, a timeout of ten seconds, only 2xx is delivered',
  '^SIGN-SECRET': 'the secret belongs to the service → generate one for each webhook',
  '^SIGN-(?:PREFIX|LENGTH|HEX)': 'the digest is encoded otherwise → send `sha256=` and 64 hexadecimal digits',
  '^SIGN-':
    'other bytes, another algorithm or secret → HMAC-SHA256 of the bytes sent, with the whole secret, for each attempt',
  '^TGT-(?:PRIVATE|INTERNAL|SP|RE)':
    'the address is checked as text, or only at creation → check the resolved address at each connection, redirects included',
  '^TGT-': 'the URL is checked on one route only → validate it at creation, update and delivery',
  '^LOG-': 'the log is written apart from the attempt → write status, time and outcome from the attempt',
}

/** Of clauses that a client or a receiver violates in several ways, by scenario. */
export const mistakesInScenarios: Readonly<Record<string, Mistake>> = {
  'client-stream-chunks/long-line': 'a buffer cuts long lines → read lines of any length',
  'client-stream-chunks/together': 'of each chunk one event is read → handle each complete line of a chunk',
  'client-stream-grammar/byte-order-mark': 'a byte order mark counts as text → drop U+FEFF at the beginning',
  'client-stream-grammar/separators': 'lines end as with `splitlines()` → split at CR, LF, CR LF only',
  'receiver-duplicates/remembered': 'too few ids are kept → keep them by time, for example 24 hours',
  'client-stream-grammar/tight': 'a blank behind `data:` is required → drop one if it is there',
}

/** A status that no frequent mistake is about, but for those of a server that refuses too much. */
const tooStrict = new RegExp(
  `^(?!${[
    '(?:REQ-(?:ROUTE|MESSAGE-M|MESSAGE-UNICODE|CONVERSATION-OPT)|IDEM-(?:KEY-M|CARRIER|HEADER-CASE)|HOOK-CREATE|UPL-SHEET)\\S* .*: status 400',
    '(?:AUTH-(?:AGENT|PLAN)|PLAN-|OPS-LISTED|SCOPE-)\\S* .*: status 403',
    '(?:IDEM-(?:KEY-DISTINCT|(?:STREAM-)?REPLAY)|RATE-KEY)\\S* .*: status 409',
  ].join('|')}).*: status [134]`,
)

/** Of a forged delivery, if none above fits: a genuine one that ends the process is cited by another role. */
const forgedReset = /^RECV\S* \S+ reset(?: forged, ended it|$)/

/**
 * By what fails, each as `CLAUSE exchange result`, which is a status or how the connection ended: the first of which one
 * is in the group, and all failed in the run, goes before the clause. Of receivers, the role of a cited delivery follows;
 * of others, the kind of body, and the actual for the expected value. Null where the clause alone says too little: its
 * frequent mistake is about content, or about what had to be refused and was not.
 */
export const mistakesSeen: readonly (readonly [fitting: readonly RegExp[], Mistake | null])[] = [
  [
    [/^LIB-STREAM\S* .*: (?!.* for .*\ufffd).*\ufffd/],
    'each chunk is decoded separately, or not as UTF-8 → one decoder for the stream: `codecs.getincrementaldecoder`',
  ],
  [
    [/^LIB-SENT-AGAIN.*: another message/],
    'the key of a message is used for another → make a key for each message; keep it to send that again',
  ],
  [[/^REQ-MESSAGE-(?:MAX|UNICODE) .*: status 413/], 'a proxy or parser limits the body → allow 120 kB'],
  [
    [/: status (?:40[45]|410)\b.* for (?!.*\b4\d\d)/],
    'the path has no route, or the id is not known → serve the route as the contract names it',
  ],
  [
    [/^\S+ \S+ (?:(?:200|50[234]) page|3\d\d) .*:/],
    'a gateway or login page answered → let requests through to the service',
  ],
  [[/ [45]\d\d page /], 'the framework answers with a page → answer errors as JSON from one handler'],
  [[/: status 5/], 'the service failed → look for this request in its log'],
  [[/^(?:REQ|IDEM-KEY|ERR)-\S* .*: status 422/], 'validation errors of the framework → map them to 400'],
  [
    [/: status 20[1-9] for status 200/],
    'the framework chooses the status → answer with the status of the contract',
  ],
  [[/event.stream.* (?:reset|timeout|protocol):/], brokeOff],
  [[/^SSE-(?:DATA-JSON|FINAL-BLANK|ONE-TERM)/, /^SSE-ONE-TERMINAL .*: neither /], brokeOff],
  [[/ mistyped /], 'a framework or proxy sets another content type → send the one that fits the body'],
  [[/ undecodable /], 'the JSON is in another encoding → encode it as UTF-8'],
  [[/ 200 unparsable /], 'the JSON is cut short or changed → compare `Content-Length` with what is sent'],
  [[/^IDEM-(?!KEY|OTHER)/, /^IDEM-(?:STREAM-)?REPLAY\S* .*: a second turn/], runsAgain],
  [[tooStrict], null],
  [
    [/^RECV-(?!DUP)\S+ \S+ 2/, / value-changed 2/, / another-secret 2/, / no-prefix 2/],
    'no signature is checked → compute the signature of each delivery, and refuse with 401 before doing any work',
  ],
  [[/ ended it after its response$/], 'what it does after its answer throws → handle errors of that work'],
  [[/ again \S+ ended it/], 'a repeat makes its handler throw → answer 2xx without working'],
  [[/ unknown-\S+ \S+ ended it/], 'its handler throws at what it does not know → ignore it, and answer 2xx'],
  [[/^RECV-RAW before 40[013]$/, /^RECV-GENUINE genuine 40[013]$/], rawBody],
  [[/^RECV-(?:GENUINE (?:not-ascii|emoji)|RAW \S+) 40/, /^RECV-CHANGED-BODY line-end-added 2/], rawBody],
  [
    [/^RECV-(?:GENUINE|RAW|OPEN|HEADER-CASE|DUPLICATE-2XX) \S+ (?:reset$|\S+ ended it)/],
    'its handler throws, and the connection is dropped → find the exception in its output; answer 2xx',
  ],
  [
    [forgedReset, /^RECV\S* (?:value-changed|another-secret|compact|twin) reset/],
    'a mismatch ends the connection, or its handler throws → answer 401',
  ],
  [
    [forgedReset, /^RECV\S* (?:no-prefix|other-prefix|one-digit|half-the-digits|two-digits-more) reset/],
    'the check throws at a signature of another length or form → compare lengths first; refuse with 401',
  ],
  [[/^RECV\S* not-ascii\S* reset/], 'the check throws at what is not ASCII → compare bytes of equal length'],
  [[/^RECV\S* (?:no-header|unsigned|claiming) reset/], 'the check throws without a header → answer 401'],
  [[/^RECV\S* \S+ reset/], null],
  [
    [/^RECV\S* (?!genuine )\S+ 501$/],
    'an unread body is taken for a request → read it, or close the connection',
  ],
  [[/^RECV-(?:CHANGED|WRONG|UNSIGNED|MALFORMED)\S* \S+ 5/], thrown],
  [[/^RECV-(?:CHANGED-BODY changed|UNSIGNED unsigned) 4/], 'the work is done before the check → check first'],
  [[/ claimed 2/, / (?:claimed|unsigned) 2/], 'the id is remembered before the check → check first'],
  [[/ (?:empty-secret|secret-\S+) 2/], 'an empty or unset secret counts as one → do not start without it'],
  [[/^RECV-MALFORMED (?:twice|wrong|true)-\S+ 2/], 'one of several signatures is picked → refuse several'],
  [[/^RECV-(?:CHANGED-BODY (?:digest|first-digit)-of|MALFORMED \S+) 2/], partOnly],
  [[/^RECV-401 \S+ [34]/], 'a refusal has another status → answer 401, as the contract says'],
  [[/^RECV-GENUINE (?:not-ascii|emoji|separators|in-several-\S+|in-two-writes-within\S+) 40[013]$/], decoded],
  [[/^RECV-GENUINE in-other-case 2/], caseOfNames],
  [[/^RECV-GENUINE (?:test|marked) 4/], 'test deliveries are refused → accept `test_` ids, and `_test`'],
  [[/^RECV-GENUINE (?:in-two-writes 40[013]|of-\S+ 401)$/], 'the body is read in part → read it to its end'],
  [[/^RECV-GENUINE (?!genuine 40[013]$)/], null],
  [[/^RECV-DUPLICATE equal-body /], 'deliveries are recognised by their body → use their id alone'],
  [
    [/^RECV-DUPLICATE (?:longer-id|shorter-id|other-case|without-hyphens|number|long) /],
    'ids are shortened, or read as numbers → store and compare whole ids as text',
  ],
  [[/^RECV-DUPLICATE(?!-2)/, / (?:another|other) 2/], 'one delivery is processed twice → process it once'],
]

/** `failures`: those that have one cause; `all`: those of the run. Undefined if no row fits. */
export function mistakeSeen(failures: readonly string[], all = failures): Mistake | null | undefined {
  const isIn = (failed: readonly string[]) => (one: RegExp) => failed.some((failure) => one.test(failure))
  return mistakesSeen.find(([fits]) => fits.some(isIn(failures)) && fits.every(isIn(all)))?.[1]
}

export function causeAndFix(mistake: string): { cause: string; fix: string } {
  const [cause = '', fix = ''] = mistake.split(' → ')
  return { cause, fix }
}

const known: ReadonlyMap<string, Mistake> = new Map(Object.entries({ ...mistakes, ...mistakesInScenarios }))

/** What is mostly wrong if a clause fails in a scenario, and what to do; null if it fails in many ways. */
export function mistakeOf(clause: string, scenario = ''): { cause: string; fix: string } | null {
  const isMust = new Map<string, Clause>(Object.entries(clauses)).get(clause)?.level === 'must'
  const usual = isMust
    ? Object.entries(usualMistakes).find(([fitting]) => new RegExp(fitting).test(clause))?.[1]
    : undefined
  const mistake = known.get(scenario) ?? known.get(clause) ?? usual
  return mistake === undefined ? null : causeAndFix(mistake)
}
