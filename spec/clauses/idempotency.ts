import { advised, implied, must, should, standard, stated } from '../clause.ts'
import { quoted } from '../quoted.ts'

const key = 'Resources, Chat request body, idempotency_key'
const table = 'States and transitions'
const codes = 'Errors, 409 codes'
const once = 'What the service does, Idempotency'
const replayed = 'Resources, Streaming events, last sentence'
const noKey = '400 | invalid body, or `IDEMPOTENCY_KEY_REQUIRED` when no key is sent'
const length = '1 to 255 characters'
const carriers = 'May instead be sent in header `Idempotency-Key` or `X-Idempotency-Key`'
const unseen = 'first time the key is seen | turn runs'
const neverTwice = 'the same turn is never run twice'
const identical = 'identical request with same key'
const replay = '200 with reply replayed'
const replayMarked = '200 with reply replayed, header'
const unchangedReplay = 'earlier turn finished | unchanged | 200 with reply replayed'
const notAgain = 'turn not run again'
const oneDone = 'sends exactly one `done` event carrying the original reply'
const conflict = 'same key, different message | any | unchanged | 409 `IDEMPOTENCY_CONFLICT`'
const conflictUnchanged = 'same key, different message | any | unchanged'
const inFlight = 'first turn still processing | unchanged | 409 `REQUEST_IN_PROGRESS`'
const safeRetries = 'so retries are safe and the same turn is never run twice'
const uncertain = 'outcome of earlier turn unknown | unchanged | 409 `OUTCOME_UNCERTAIN`'

export const idempotencyClauses = {
  'IDEM-KEY-REQUIRED': must(
    'A turn without a key is refused with 400.',
    stated('Errors, Chat status codes, 400', noKey),
  ),
  'IDEM-KEY-REQUIRED-CODE': must(
    'That refusal names `IDEMPOTENCY_KEY_REQUIRED`.',
    stated('Errors, Chat status codes, 400', noKey),
  ),
  'IDEM-KEY-EMPTY': must(
    'An empty key in the body is refused with 400.',
    stated(key, [length, quoted.keyMissing]),
  ),
  'IDEM-KEY-EMPTY-HEADER': must(
    'An empty key in the header is refused with 400.',
    implied(key, [length, quoted.keyMissing]),
  ),
  'IDEM-KEY-MIN': must('A key of one character is accepted.', stated(key, length)),
  'IDEM-KEY-MAX': must('A key of 255 characters is accepted.', stated(key, length)),
  'IDEM-KEY-OVER': must(
    'A key of 256 characters is refused with 400.',
    stated(key, [length, quoted.invalidBody]),
  ),
  'IDEM-KEY-OVER-HEADER': must(
    'A key of 256 characters in the header is refused with a status that blames the request.',
    implied(key, [length, carriers]),
  ),
  'IDEM-KEY-STRING': must(
    'A key in the body that is not a string is refused with 400.',
    stated(key, ['`idempotency_key` | string', quoted.invalidBody]),
  ),
  'IDEM-KEY-ODD': should('A key with unusual characters never leads to a server error.', advised(key)),
  'IDEM-KEY-DISTINCT': must(
    'Two keys that differ in one character belong to two turns.',
    implied(`${table}, Chat key unused`, unseen),
  ),
  'IDEM-CARRIER-BODY': must(
    'A key in the body counts.',
    stated(key, '`idempotency_key` | string | yes for a billable turn'),
  ),
  'IDEM-CARRIER-HEADER': must('A key in `Idempotency-Key` counts.', stated(key, carriers)),
  'IDEM-CARRIER-X-HEADER': must('A key in `X-Idempotency-Key` counts.', stated(key, carriers)),
  'IDEM-CARRIER-ONE': must(
    'The same key means the same turn, whichever way it is carried.',
    implied(key, [carriers, quoted.neverTwice]),
  ),
  'IDEM-CARRIER-AGREE': must(
    'A key carried twice with the same value counts as one, or is refused with 400.',
    implied(key, [carriers, quoted.neverTwice]),
  ),
  'IDEM-CARRIER-DISAGREE': must(
    'A request with two different keys, sent again as it was, never runs twice.',
    implied(once, neverTwice),
  ),
  'IDEM-HEADER-CASE': must(
    'The header name of the key counts in any casing.',
    standard(key, [quoted.httpApi, carriers]),
  ),
  'IDEM-FRESH-UNMARKED': must(
    'The first answer to a key is not marked as a replay.',
    implied(`${table}, Chat key unused and Key completed`, [unseen, 'reply replayed, header']),
  ),
  'IDEM-REPLAY-STATUS': must(
    'An identical request with a completed key is answered 200.',
    stated(`${table}, Key completed`, [identical, replay]),
  ),
  'IDEM-REPLAY-HEADER': must(
    'A replay carries `{replayHeader}: true`.',
    stated(`${table}, Key completed`, replayMarked),
  ),
  'IDEM-REPLAY-RESPONSE': must(
    'A replay has the `response` of the original.',
    stated(`${table}, Key completed`, replay),
  ),
  'IDEM-REPLAY-CONVERSATION': must(
    'A replay has the `conversation_id` of the original.',
    stated(`${table}, Key completed`, replay),
  ),
  'IDEM-REPLAY-PRESENTATION': must(
    'A replay has the `presentation` of the original; its URLs may have been signed anew.',
    stated(`${table}, Key completed`, replay, { state: 'workflow.current' }),
  ),
  'IDEM-REPLAY-AGAIN': must(
    'A replay can be had again and again, also with other turns between.',
    implied(`${table}, Key completed`, unchangedReplay),
  ),
  'IDEM-REPLAY-AT-ONCE': must(
    'A request sent right after the answer is a replay, not still in progress.',
    implied(`${table}, Key completed`, [unchangedReplay, quoted.chargedAtEnd]),
  ),
  'IDEM-REPLAY-FREE': must(
    'A replay consumes no credits.',
    implied(`${table}, Key completed`, [notAgain, quoted.chargedAtEnd]),
  ),
  'IDEM-REPLAY-PAUSED': must(
    'The replay of a message stored while paused has the same empty `response`.',
    implied(`${table}, Key completed and AI replies paused`, [replay, '`response` empty'], {
      state: 'chat.paused',
    }),
  ),
  'IDEM-STREAM-REPLAY-STATUS': must(
    'A streamed turn sent again is answered 200.',
    stated(`${table}, Key completed`, [identical, replay]),
  ),
  'IDEM-STREAM-REPLAY-HEADER': must(
    'The replay of a stream carries the replay header.',
    stated(`${table}, Key completed`, replayMarked),
  ),
  'IDEM-STREAM-REPLAY-ONE-DONE': must(
    'A replayed stream sends exactly one `done`.',
    stated(replayed, oneDone),
  ),
  'IDEM-STREAM-REPLAY-RESPONSE': must(
    '`done` of a replayed stream has the original `response`.',
    stated(replayed, oneDone),
  ),
  'IDEM-STREAM-REPLAY-CONVERSATION': must(
    '`done` of a replayed stream has the original `conversation_id`.',
    stated(replayed, oneDone),
  ),
  'IDEM-STREAM-REPLAY-CLEAN': must(
    'A replayed stream has no `error`, and nothing follows its `done`.',
    implied(replayed, [oneDone, 'Stream finished']),
  ),
  'IDEM-STREAM-REPLAY-FREE': must(
    'The replay of a stream consumes no credits.',
    implied(`${table}, Key completed`, [notAgain, quoted.chargedAtEnd]),
  ),
  'IDEM-CONFLICT-STATUS': must(
    'A used key with a different message is refused with 409.',
    stated(`${table}, Key used`, conflict),
  ),
  'IDEM-CONFLICT-CODE': must(
    'That refusal names `IDEMPOTENCY_CONFLICT`.',
    stated(`${table}, Key used`, conflict),
  ),
  'IDEM-CONFLICT-STREAM': must(
    'A conflict is refused the same way when a stream is asked for.',
    implied(`${table}, Key used`, [conflict, quoted.flatError]),
  ),
  'IDEM-CONFLICT-UNCHANGED': must(
    'After a conflict the original request still replays, and its conversation is as before.',
    stated(`${table}, Key used`, conflictUnchanged),
  ),
  'IDEM-CONFLICT-FREE': must(
    'A conflict consumes no credits.',
    implied(`${table}, Key used`, [conflictUnchanged, quoted.chargedAtEnd]),
  ),
  'IDEM-CONFLICT-NEAR': should(
    'Messages that differ in one blank, in case or in Unicode form are different messages.',
    advised(`${table}, Key used`),
  ),
  'IDEM-CONFLICT-LENGTH': must(
    'Two different messages of the same length are different messages.',
    implied(`${table}, Key used`, 'same key, different message'),
  ),
  'IDEM-OTHER-CONVERSATION': must(
    'A used key with the same message for another conversation never runs a second turn.',
    implied(once, [quoted.keyUnseen, neverTwice]),
  ),
  'IDEM-OTHER-INTERACTION': must(
    'A used key with the same message and another interaction never runs a second turn.',
    implied(once, [quoted.keyUnseen, neverTwice], { state: 'workflow.current' }),
  ),
  'IDEM-OTHER-MODE': must(
    'A used key with the other `stream` value never runs a second turn.',
    implied(once, [quoted.keyUnseen, neverTwice]),
  ),
  'IDEM-OTHER-MODE-ONE-DONE': must(
    'Where a turn answered as JSON is replayed as a stream, that stream has exactly one `done`.',
    implied(replayed, oneDone),
  ),
  'IDEM-OTHER-SPELLING': must(
    'A used key with the same JSON serialized differently never runs a second turn.',
    implied(once, [quoted.keyUnseen, neverTwice]),
  ),
  'IDEM-OTHER-MEMBER': must(
    'A used key with one unknown member more never runs a second turn.',
    implied(once, [quoted.keyUnseen, neverTwice]),
  ),
  'IDEM-OTHER-AGENT': should('A key used with one agent never returns its reply for another.', advised(once)),
  'IDEM-OTHER-ACCOUNT': should(
    'A key used by one account never returns its reply to another.',
    advised(once),
  ),
  'IDEM-SQUATTING': should('A request refused for its credentials does not use up a key.', advised(once)),
  'IDEM-IN-FLIGHT-STATUS': must(
    'The same request while its turn runs is refused with 409.',
    stated(`${table}, Key in flight`, inFlight, { state: 'turn.slow' }),
  ),
  'IDEM-IN-FLIGHT-CODE': must(
    'That refusal names `REQUEST_IN_PROGRESS`.',
    stated(`${table}, Key in flight`, inFlight, { state: 'turn.slow' }),
  ),
  'IDEM-IN-FLIGHT-JSON': must(
    'It comes as JSON also when a stream was asked for.',
    implied(`${table}, Key in flight`, [inFlight, quoted.flatError], { state: 'turn.slow' }),
  ),
  'IDEM-IN-FLIGHT-UNCHANGED': must(
    'A refused duplicate does not affect the turn: its response arrives, and sending again replays it.',
    stated(
      `${table}, Key in flight`,
      ['first turn still processing | unchanged', 'client waits and resends the same request'],
      { state: 'turn.slow' },
    ),
  ),
  'IDEM-IN-FLIGHT-OTHER': must(
    'A different message while the turn runs is refused with 409 and one of the two codes that fit.',
    implied(`${table}, Key in flight and Key used`, [inFlight, conflict], { state: 'turn.slow' }),
  ),
  'IDEM-IN-FLIGHT-OVERLAP': must(
    '`REQUEST_IN_PROGRESS` is only said while the turn of that key runs.',
    implied(codes, ['the key is still being processed', quoted.chargedAtEnd]),
  ),
  'IDEM-RACE-ONE-RUN': must(
    'Of identical requests sent at once, exactly one runs.',
    stated(once, [quoted.keyUnseen, neverTwice]),
  ),
  'IDEM-RACE-OTHERS': must(
    'The others are refused as in progress or get the replay.',
    implied(`${table}, Key in flight`, [inFlight, quoted.replyReplayed]),
  ),
  'IDEM-RACE-STREAM': must(
    'Of identical streamed requests sent at once, exactly one runs.',
    implied(once, [quoted.keyUnseen, neverTwice]),
  ),
  'IDEM-RACE-CARRIERS': must(
    'The same holds when they carry the key in different ways.',
    implied(once, [quoted.keyCarriers, neverTwice]),
  ),
  'IDEM-RACE-CHARGE': must(
    'However many identical requests were sent, the turn is charged once.',
    implied(once, [neverTwice, quoted.chargedAtEnd]),
  ),
  'IDEM-RACE-KEYS': must(
    'Keys in a race with one another never take each other’s reply.',
    implied(once, [quoted.identicalRequest, quoted.replyReplayed]),
  ),
  'IDEM-POLL-ONE-RUN': must(
    'Asking again and again through a long turn never starts a second one.',
    stated(once, neverTwice, { state: 'turn.slow' }),
  ),
  'IDEM-ABORT-ONE-RUN': must(
    'A client that goes away and sends the request again never causes a second turn.',
    implied(once, safeRetries),
  ),
  'IDEM-ABORT-CHARGE': must(
    'A turn whose client went away is charged at most once.',
    implied(once, [safeRetries, quoted.chargedAtEnd]),
  ),
  'IDEM-UNCERTAIN-STATUS': must(
    'A request with the key of an uncertain turn is refused with 409.',
    stated(`${table}, Earlier turn uncertain`, uncertain, { state: 'key.uncertain' }),
  ),
  'IDEM-UNCERTAIN-CODE': must(
    'That refusal names `OUTCOME_UNCERTAIN`.',
    stated(`${table}, Earlier turn uncertain`, uncertain, { state: 'key.uncertain' }),
  ),
  'IDEM-UNCERTAIN-STAYS': must(
    'It stays so however often the request is sent.',
    implied(
      `${table}, Earlier turn uncertain`,
      ['outcome of earlier turn unknown | unchanged', quoted.reconcileFirst],
      { state: 'key.uncertain' },
    ),
  ),
} as const
