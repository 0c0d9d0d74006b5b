/** Rules over the turns of every scenario, whatever it was about: what one exchange shows, or two with one key. */
import { chatErrors, chatStatuses } from '../../spec/index.ts'
import { isObject } from '../../spec/json.ts'
import { code, flatError, statusOf, unbroken } from '../assertions/answer.ts'
import { noSecondRun, ran, replayed } from '../assertions/once.ts'
import { markedAsPaused, saysStored } from '../assertions/paused.ts'
import {
  canonical,
  events,
  field,
  fieldOf,
  fields,
  inForm,
  isReplay,
  isStream,
  markedReplay,
  succeeded,
  used,
} from '../assertions/reply.ts'
import { asJson, asked, conversationOf, replied } from '../assertions/turn.ts'
import { inItsOwn } from '../chat/assertions/reply-isolation.ts'
import { presents, versionOne } from '../chat/assertions/presentation.ts'
import { atMostOneRun, overlap, replayAfterReply } from '../chat/assertions/race.ts'
import { saysAmount, saysRetry, saysSpent } from '../chat/assertions/rate.ts'
import { apiKeyIn, noEcho, refusedAsJson } from '../chat/assertions/refusal.ts'
import { oneDone, onlyDone, streamCharset } from '../chat/assertions/streams/stream.ts'
import { actionsPaired, errorEnds, eventMembers, typed } from '../chat/assertions/streams/stream-events.ts'
import { all, check, given, inconclusive, need, notApplicable } from '../scenario/expect.ts'
import type { Judgement } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { memo } from '../wire/memo/memo.ts'
import {
  firstOfEachKey,
  isIdentical,
  isOfLastLook,
  isPlainRequest,
  isRefusal,
  isReplied,
  isTurn,
  keyHolder,
  keyOf,
  leastKey,
  ofEvents,
  ofReplays,
  ofStreams,
  pairsOf,
  placeOf,
  someReplied,
  type Pair,
} from './chat.ts'
import { eachList, eachOf, ruleOver, those } from './rule.ts'

type All = readonly Exchange[]

const isPress = (turn: Exchange): boolean => isObject(asked(turn)?.['interaction'])

/** That ran a turn, with a key that was new. */
const fresh = memo((run: All): All =>
  firstOfEachKey(run)
    .flat()
    .filter((turn) => !isReplay(turn)),
)

const ofFresh =
  (what: string, holds: (turn: Exchange) => boolean, judge: (turn: Exchange) => Judgement) => (run: All) =>
    eachOf(those(fresh(run), holds), what, judge)

/** Every reply, as JSON or in a stream. */
const ofReplies =
  (what: string, holds: (turn: Exchange) => boolean, judge: (turn: Exchange) => Judgement) => (run: All) =>
    eachOf(
      those(run, (one) => isReplied(one) && holds(one)),
      what,
      judge,
    )

const asksFor =
  (stream: unknown) =>
  (turn: Exchange): boolean =>
    asked(turn)?.['stream'] === stream
const storedIn = (isStreamed: boolean, judge: (turn: Exchange) => Judgement) =>
  ofReplies('stored messages', (one) => isStream(one) === isStreamed && saysStored(fields(one)), judge)

/** Where AI replies are paused: a customer message that nothing was said or shown to. */
const isMessageAlone = (turn: Exchange): boolean =>
  fieldOf(turn, 'response') === '' && isObject(fieldOf(turn, 'customer_message')) && !presents(turn)

const inConversation = (one: Exchange, id: unknown): string => `${placeOf(one)} ${String(id)}`
const freshByConversation = memo((run: All) =>
  Map.groupBy(fresh(run), (one) => inConversation(one, conversationOf(one))),
)

/** Presses in a conversation that the service named before. */
const pressesIn = (run: All): Iterable<[Exchange]> =>
  those(fresh(run), (press) => {
    const conversation = isPress(press) && inConversation(press, asked(press)?.['conversation_id'])
    const seen = (conversation && freshByConversation(run).get(conversation)) || []
    return seen.some((one) => one.endedAt < press.sentAt)
  })

export const turns = ruleOver(
  'every turn has the form that was asked for, and members that fit one another',
  {
    'REQ-STREAM-DEFAULT': ofFresh(
      `turns without \`stream\`, with a new key of ${leastKey} characters`,
      asksFor(undefined),
      asJson,
    ),
    'SSE-CONTENT-TYPE': ofFresh(
      `turns with \`stream: true\` and a new key of ${leastKey} characters`,
      // Stored messages have no text to stream, and presses are of another clause.
      (one) => asksFor(true)(one) && !saysStored(fields(one)) && !isPress(one),
      (one) => inForm(one, 'stream'),
    ),
    'FLOW-PRESS-CONVERSATION': (run) =>
      eachOf(pressesIn(run), `selected buttons with a new key of ${leastKey} characters`, inItsOwn),
    'FLOW-PRESENTATION-VERSION': (run, { dialect }) =>
      ofReplies('turns that present something', presents, (one) => versionOne(one, dialect))(run),
    'SSE-CHARSET': ofStreams(streamCharset),
    'SSE-ACTION-SUCCESS': ofEvents('action_complete', (one) =>
      typed(one, 'action_complete', 'success', 'boolean'),
    ),
    'SSE-ACTION-PAIRED': ofEvents('action_complete', actionsPaired),
    'SSE-ERROR': ofEvents('error', (stream) => eventMembers(stream, 'error')),
    'SSE-ERROR-ENDS': ofEvents('error', errorEnds),
    'CRED-NOT-NEGATIVE': ofReplies(
      'replies',
      (one) => used(one) !== null,
      (one) => check((used(one) ?? 0) >= 0, '`credits_used` of at least 0', String(used(one)), one),
    ),
    'PAUSE-FIELDS': ofReplies(
      'stored messages',
      (one) => saysStored(fields(one)),
      (one) =>
        all(
          field(one, 'conversation_id', 'uuid'),
          field(one, 'credits_used', 'number'),
          field(one, 'credits_remaining', 'number'),
        ),
    ),
    'PAUSE-RESPONSE-EMPTY': storedIn(false, (one) => field(one, 'response', 'empty string')),
    'PAUSE-STREAM-DONE': storedIn(true, (one) => field(one, 'response', 'empty string')),
    'PAUSE-STREAM-NO-TEXT': storedIn(true, (one) => {
      const text = events(one, 'token').find(({ token }) => token !== '')
      return check(text === undefined, 'no text in a token', JSON.stringify(text), one)
    }),
    'PAUSE-AI-REPLY': ofReplies('stored messages', isMessageAlone, markedAsPaused),
  },
)

/** Where a turn was replied to: what refuses everything shows nothing. */
const ofRefusals =
  (what: string, holds: (one: Exchange) => boolean, judge: (one: Exchange) => Judgement) => (run: All) =>
    eachOf(
      those(run, (one) => isTurn(one) && isPlainRequest(one) && holds(one)),
      what,
      (one) => (someReplied(run) ? judge(one) : inconclusive('no turn was accepted')),
    )

/** By the service: a gateway has other forms. */
const refusedWith =
  (wanted: number) =>
  (one: Exchange): boolean =>
    statusOf(one) === wanted && flatError(one).is === 'pass'

/** Whether other statuses fit what is long, or said to be no JSON, is not shown; a gateway has some above 500. */
const isUsual = (one: Exchange): boolean =>
  statusOf(one) >= 400 &&
  statusOf(one) < 500 &&
  flatError(one).is === 'pass' &&
  one.request.body.length < 65_536 &&
  one.request.headers.every(([, value]) => value.length < 256) &&
  one.request.headers.some(([name, value]) => /^content-type$/i.test(name) && value === 'application/json')

/** A code of the table as the only event of a stream: no turn began that could have failed. */
const isStreamedRefusal = (one: Exchange): boolean => {
  const [only, ...more] = isStream(one) ? events(one) : []
  const text = JSON.stringify(only?.['error'] ?? '')
  return (
    only?.['type'] === 'error' &&
    more.length === 0 &&
    Object.entries(chatErrors).some(([name, { status }]) => status === 409 && text.includes(name))
  )
}

const keySentIn = (one: Exchange): string =>
  `${keyHolder(one)} ${one.request.headers.find(([name]) => /^authorization$/i.test(name))?.[1]}`

/** Requests with a key that was valid before, and was valid later. */
const betweenValid = (run: All): Iterable<[Exchange]> => {
  const accepted = Map.groupBy(run.filter(isReplied), keySentIn)
  return those(run, (one) => {
    const own = isTurn(one) ? (accepted.get(keySentIn(one)) ?? []) : []
    return (own[0]?.endedAt ?? Infinity) < one.sentAt && one.endedAt < (own.at(-1)?.sentAt ?? 0)
  })
}

export const turnRefusals = ruleOver(
  'every refusal of a turn has what its status promises, and no answer repeats a key',
  {
    'REQ-ROUTE': (run) => {
      const control = run.some((one) => isTurn(one) && statusOf(one) === 401)
      return eachOf(betweenValid(run), 'requests with a key that is known to be valid', (one) =>
        control
          ? check(statusOf(one) !== 401, 'no 401 to a key that is valid', 'status 401', one)
          : inconclusive('no key was refused'),
      )
    },
    'AUTH-NO-ECHO': ofRefusals('answers to a key', (one) => apiKeyIn(one).length > 8, noEcho),
    'ERR-KNOWN-STATUS': ofRefusals('refusals', isUsual, (one) =>
      check(Object.hasOwn(chatStatuses, statusOf(one)), 'a status of the table', `${statusOf(one)}`, one),
    ),
    'SSE-REFUSAL-JSON': ofRefusals(
      'refused streams',
      (one) => asksFor(true)(one) && (isStreamedRefusal(one) || (isRefusal(one) && statusOf(one) < 500)),
      refusedAsJson,
    ),
    'CRED-EMPTY-CODE': ofRefusals('refusals with 402', refusedWith(402), (one) =>
      code(one, 'INSUFFICIENT_CREDITS'),
    ),
    'RATE-BODY-RETRY': ofRefusals('refusals with 429', refusedWith(429), saysRetry),
    'RATE-BODY-LIMIT': ofRefusals('refusals with 429', refusedWith(429), (one) => saysAmount(one, 'limit')),
    'RATE-BODY-REMAINING': ofRefusals('refusals with 429', refusedWith(429), saysSpent),
  },
)

/** Requests with one key, of one principal to one agent, in the order of time. */
const sameKey = memo((run: All): readonly All[] => {
  const keyed = run.filter((one) => isTurn(one) && !isOfLastLook(one) && keyOf(one) !== null)
  return [...Map.groupBy(keyed, (one) => `${placeOf(one)} ${keyOf(one)}`).values()].filter(
    ({ length }) => length > 1,
  )
})

/**
 * After a failure that was answered the turn may still run, what a stream that failed leaves is not shown, and while AI
 * replies are paused the request may be stored anew.
 */
const isExplained = (one: Exchange): boolean =>
  statusOf(one) >= 500 || events(one, 'error').length > 0 || saysStored(fields(one))

/** Members that differ; the key counts as one where it is in another place. */
function differing([first, again]: Pair): string {
  const [one, other] = [asked(first) ?? {}, asked(again) ?? {}]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => canonical(one[name]) !== canonical(other[name]))
    .join()
}

/** Where keys are remembered at all. */
const ofOther =
  (what: string, name: string, judge: (...pair: Pair) => Judgement = noSecondRun) =>
  (run: All) => {
    const pairs = pairsOf(run)
    const isKept = pairs.some((pair) => isIdentical(pair) && replayed(...pair).is === 'pass')
    return eachOf(
      pairs.filter((pair) => differing(pair) === name),
      what,
      (...pair) => (isKept ? judge(...pair) : inconclusive('no turn was replayed')),
    )
  }

/** Identical requests with one key, of which `chosen` are judged. */
const ofSame = (what: string, chosen: (same: All) => All) => (run: All) =>
  eachList(
    sameKey(run)
      .map((same) => chosen(same.filter((one) => same[0] && isIdentical([same[0], one]))))
      .filter((same) => same.length > 1 && !same.some(isExplained)),
    what,
    (same) =>
      same.some((one) => replied(one).is === 'pass')
        ? atMostOneRun(same)
        : inconclusive('no request with the key was replied to', all(...same.map(unbroken))),
  )

const isLost = ({ failure }: Exchange): boolean => failure !== null
const atOnce = (same: All): All =>
  same.some(isLost) ? [] : same.filter((one) => same.some((other) => one !== other && overlap(one, other)))

/** What is wrong with a replay, or that a second turn runs, is another clause. */
const notInProgress = (...[first, again]: Pair): Judgement => {
  if (statusOf(again) !== 200) return replayAfterReply([first, again])
  if (isReplay(again)) return need(succeeded(again))
  const because = 'the second response has no replay header, so it cannot be judged as a replay'
  return inconclusive(because, markedReplay(again))
}

export const repeats = ruleOver('no key runs a second turn, whatever is sent again', {
  'IDEM-RACE-ONE-RUN': ofSame('keys that were sent at once', atOnce),
  'IDEM-ABORT-ONE-RUN': ofSame('keys of requests that went away', (same) => (same.some(isLost) ? same : [])),
  // A key that was made uncertain is no completed one.
  'IDEM-REPLAY-AT-ONCE': (run, { notes }) =>
    eachOf(
      pairsOf(run).filter((pair) => isIdentical(pair) && !String(notes[pair[0].scenario]).includes('key.')),
      'replays',
      notInProgress,
    ),
  'IDEM-STREAM-REPLAY-CLEAN': ofReplays('stream', onlyDone),
  'IDEM-OTHER-MODE': ofOther('keys with the other `stream`', 'stream'),
  'IDEM-OTHER-MODE-ONE-DONE': ofOther('keys with the other `stream`', 'stream', (first, again) =>
    isReplay(again) && isStream(again) && !isStream(first)
      ? given(ran(first), () => oneDone(again))
      : notApplicable('no turn was replayed as a stream that was none'),
  ),
  'IDEM-OTHER-CONVERSATION': ofOther('keys in another conversation', 'conversation_id'),
  'IDEM-CARRIER-ONE': ofOther('keys in another place', 'idempotency_key'),
})
