/** Rules over all turns of chat. */
import { chatStatuses } from '../../spec/index.ts'
import type { Judgement } from '../scenario/scenario.ts'
import { code, codesOf, flatError, jsonTyped, refused, statusOf, unmarked } from '../assertions/answer.ts'
import { ran, replayed } from '../assertions/once.ts'
import { saysStored } from '../assertions/paused.ts'
import {
  events,
  field,
  fieldOf,
  fields,
  inForm,
  isFresh,
  isReplay,
  isStream,
  markedReplay,
  sameField,
} from '../assertions/reply.ts'
import { accepts, asked, conversationOf, inUtf8, replied } from '../assertions/turn.ts'
import { inItsOwn, newConversations } from '../chat/assertions/reply-isolation.ts'
import { overlap } from '../chat/assertions/race.ts'
import { samePresentation, presents } from '../chat/assertions/presentation.ts'
import { notReceipt } from '../chat/assertions/refusal.ts'
import { oneDone, notEncoded, wholeStream } from '../chat/assertions/streams/stream.ts'
import {
  eventMembers,
  nothingAfter,
  oneTerminal,
  tokensJoin,
  typed,
} from '../chat/assertions/streams/stream-events.ts'
import {
  agreed,
  dataJson,
  dataPrefix,
  dataType,
  finalBlank,
  knownLines,
  separated,
  utf8,
} from '../chat/assertions/streams/stream-lines.ts'
import { check, given, inconclusive, notApplicable, inTurn, need } from '../scenario/expect.ts'
import { memo } from '../wire/memo/memo.ts'
import { withoutTrace } from '../../bundle/trace.ts'
import type { Exchange } from '../wire/exchange.ts'
import { eachList, eachOf, ruleOver, those } from './rule.ts'

export function isTurn({ inbound, request, response }: Exchange): boolean {
  return (
    !inbound && response !== null && request.method === 'POST' && request.path.startsWith('/api/v1/chat/')
  )
}

/** Who sent a request. A key that the record does not show may be any, so nobody else is known to have it. */
export const keyHolder = ({ id, request }: Exchange): string => request.principal ?? `? ${id}`
export const placeOf = (one: Exchange): string => `${keyHolder(one)} ${one.request.path}`

/** As far as it came; where we left or cut it, what was still to come is not known. */
const isStreamed = (one: Exchange): boolean =>
  isTurn(one) &&
  statusOf(one) === 200 &&
  isStream(one) &&
  one.failure?.kind !== 'aborted' &&
  one.failure?.kind !== 'cut'
export const isReplied = (one: Exchange): boolean => isTurn(one) && replied(one).is === 'pass'
const isReply = (one: Exchange): boolean => isTurn(one) && statusOf(one) === 200 && !isStream(one)

export const ofStreams = (judge: (stream: Exchange) => Judgement) => (all: readonly Exchange[]) =>
  eachOf(those(all, isStreamed), 'streams', judge)

/** A stream that ended with its reply: after an error a `done` without any is not excluded. */
const ofDone = (name: string, kind: Parameters<typeof field>[2]) =>
  ofStreams((stream) =>
    events(stream, 'error').length > 0 && fieldOf(stream, 'response') === undefined
      ? inconclusive('the turn failed')
      : inTurn(need(wholeStream(stream)), need(oneDone(stream)), field(stream, name, kind)),
  )

/** Nothing but a text: no tool ran, nothing is presented, and the turn did not fail. */
export const isTextAlone = (turn: Exchange): boolean =>
  asked(turn)?.['interaction'] === undefined &&
  !presents(turn) &&
  !(isStream(turn) && events(turn, 'action_start').length + events(turn, 'error').length > 0)

/** Only streams that have such an event: a reply may come whole. */
export const ofEvents = (type: Parameters<typeof eventMembers>[1], judge: (stream: Exchange) => Judgement) =>
  ofStreams((stream) =>
    events(stream, type).length > 0 ? judge(stream) : notApplicable(`no stream had \`${type}\``),
  )

export const streams = ruleOver('every stream is framed as the contract shows, and ends with a whole reply', {
  'SSE-UTF8': ofStreams(utf8),
  'SSE-FIELDS': ofStreams(knownLines),
  'SSE-DATA-PREFIX': ofStreams(dataPrefix),
  'SSE-DATA-JSON': ofStreams(dataJson),
  'SSE-DATA-TYPE': ofStreams(dataType),
  'SSE-SEPARATED': ofStreams((stream) => agreed(stream, separated(stream))),
  'SSE-FINAL-BLANK': ofStreams((stream) => agreed(stream, finalBlank(stream))),
  'SSE-ONE-TERMINAL': ofStreams(oneTerminal),
  'SSE-NOTHING-AFTER': ofStreams(nothingAfter),
  'SSE-TOKENS-JOIN': ofStreams((stream) =>
    isTextAlone(stream) ? tokensJoin(stream) : inconclusive('more than a text was streamed'),
  ),
  'SSE-TOKEN': ofEvents('token', (stream) => typed(stream, 'token', 'token', 'string')),
  'SSE-ACTION-START': ofEvents('action_start', (stream) =>
    eventMembers(stream, 'action_start', ['actionName']),
  ),
  'SSE-ACTION-COMPLETE': ofEvents('action_complete', (stream) =>
    eventMembers(stream, 'action_complete', ['actionName']),
  ),
  'SSE-GATE': ofEvents('gate_triggered', (stream) => eventMembers(stream, 'gate_triggered')),
  'SSE-DONE-RESPONSE': ofDone('response', 'string'),
  'SSE-DONE-CONVERSATION': ofDone('conversation_id', 'uuid'),
  'SSE-DONE-CREDITS-USED': ofDone('credits_used', 'number'),
  'SSE-DONE-CREDITS-REMAINING': ofDone('credits_remaining', 'number'),
})

const ofReplies = (judge: (reply: Exchange) => Judgement) => (all: readonly Exchange[]) =>
  eachOf(those(all, isReply), 'replies', judge)

export const replies = ruleOver('every reply as JSON has all members, whatever the turn', {
  'SSE-ENCODING': (all) => eachOf(those(all, isReplied), 'replies', notEncoded),
  'RES-JSON': ofReplies((reply) => inTurn(inUtf8(reply), need(replied(reply)), () => inForm(reply, 'json'))),
  'RES-RESPONSE-STRING': ofReplies((reply) => field(reply, 'response', 'string')),
  'RES-CONVERSATION-UUID': ofReplies((reply) => field(reply, 'conversation_id', 'uuid')),
  'RES-CREDITS-USED': ofReplies((reply) => field(reply, 'credits_used', 'number')),
  'RES-CREDITS-REMAINING': ofReplies((reply) => field(reply, 'credits_remaining', 'number')),
})

/** What stands before the service may refuse it, or route it elsewhere, before the service reads it. */
export function isPlainRequest({ request }: Exchange): boolean {
  const isPlain = (text: string): boolean => text.length < 1_000 && /^[\x20-\x7e]*$/.test(text)
  return /^[\w/.~-]{1,1000}$/.test(request.path) && request.headers.every(([, value]) => isPlain(value))
}

/** A refusal with a status of the table. */
export const isRefusal = (one: Exchange): boolean =>
  isTurn(one) && statusOf(one) >= 400 && Object.hasOwn(chatStatuses, statusOf(one)) && isPlainRequest(one)

export const someReplied = memo((all: readonly Exchange[]): boolean => all.some(isReplied))

const ofRefusals = (judge: (refusal: Exchange) => Judgement) => (all: readonly Exchange[]) =>
  eachOf(those(all, isRefusal), 'refusals', (one) =>
    someReplied(all) ? given(refused(one), () => judge(one)) : inconclusive('no turn was accepted'),
  )

export const chatRefusals = ruleOver('every refusal of a turn is a flat JSON error', {
  'ERR-FLAT': ofRefusals(flatError),
  'ERR-JSON': ofRefusals(jsonTyped),
  'ERR-NOT-RECEIPT': ofRefusals(notReceipt),
})

export type Pair = [first: Exchange, again: Exchange]

/** The scenario that asks again at the end of a run, when a key may be forgotten: that is not shown. */
export const lastLook = 'last/look'
export const isOfLastLook = ({ scenario }: Exchange): boolean => scenario === lastLook

/** A shorter key may be that of an earlier run, or of another scenario. */
export const leastKey = 24

const none: readonly string[] = []

/** The keys of a request, wherever they are. */
const keysOf = memo((exchange: Exchange): readonly string[] => {
  const inBody = asked(exchange)?.['idempotency_key']
  const inHeaders = exchange.request.headers.filter(([name]) => /^(?:x-)?idempotency-key$/i.test(name))
  const keys = [...inHeaders.map(([, value]) => value), ...(typeof inBody === 'string' ? [inBody] : [])]
  return keys.length === 0 ? none : keys
})

/** The key of a request that has one, and one that is its own; else null. */
export function keyOf(exchange: Exchange, least = leastKey): string | null {
  const [key = '', second] = keysOf(exchange)
  return second === undefined && key.length >= least ? key : null
}

/** What a turn that failed in its stream leaves of its key is not shown. */
const isCompleted = (turn: Exchange): boolean =>
  replied(turn).is === 'pass' && !(isStream(turn) && events(turn, 'error').length > 0)

/** A refusal that the contract has for what never began. A 409 or 5xx may be of a turn that ran, others of a proxy. */
const ranNothing = (one: Exchange): boolean => [400, 401, 402, 403, 404, 429].includes(statusOf(one))

/** Each later request with the key of a completed turn, of the same principal to the same agent, after that turn. */
export const pairsOf = memo((all: readonly Exchange[]): readonly Pair[] => {
  const turns = all.filter((one) => isTurn(one) && keyOf(one) !== null)
  const same = Map.groupBy(turns, (one) => `${placeOf(one)} ${keyOf(one)}`)
  return [...same.values()].flatMap((own) => {
    const first = own.find((one) => !ranNothing(one))
    const later = own.filter((one) => one !== first)
    return !first || isReplay(first) || later.some((one) => overlap(first, one)) || !isCompleted(first)
      ? []
      : later
          .filter((one) => one.sentAt > first.endedAt && isDecided(one))
          // While AI replies are paused, what a key completed before may be stored instead.
          .filter((one) => !saysStored(fields(one)) || saysStored(fields(first)))
          .map((one) => [first, one] satisfies Pair)
  })
})

/** What rows of the table that come before the key, or a lost request, explain says nothing about the key. */
const isDecided = (again: Exchange): boolean =>
  again.failure === null &&
  !(isOfLastLook(again) && isFresh(again)) &&
  statusOf(again) < 500 &&
  ![401, 402, 403, 429].includes(statusOf(again)) &&
  asked(again)?.['interaction'] === undefined

export const isIdentical = ([first, again]: Pair): boolean =>
  Buffer.compare(first.request.body, again.request.body) === 0 && headersOf(first) === headersOf(again)

/** Each request is a span of its own. */
const headersOf = ({ request }: Exchange): string => JSON.stringify(withoutTrace(request.headers))

/** Whether a request for the other form is identical is not shown; a replay to it is of the same turn. */
function isReplayInOtherForm([first, again]: Pair): boolean {
  const [one, other] = [first, again].map((turn) => {
    const { stream: _form, ...rest } = asked(turn) ?? {}
    return JSON.stringify(rest)
  })
  return isReplay(again) && one === other
}

export const ofReplays =
  (
    form: 'json' | 'stream',
    judge: (...pair: Pair) => Judgement,
    also: (pair: Pair) => boolean = () => false,
  ) =>
  (all: readonly Exchange[]) =>
    eachOf(
      pairsOf(all).filter(
        (pair) => (isIdentical(pair) || also(pair)) && isStream(pair[0]) === (form === 'stream'),
      ),
      form === 'stream' ? 'replayed streams' : 'replayed replies',
      judge,
    )

const judgedSame =
  (name: string) =>
  (...[first, again]: Pair): Judgement =>
    given(replayed(first, again), () => sameField(first, again, name))

const ofSame = (form: 'json' | 'stream', name: string) =>
  ofReplays(form, judgedSame(name), isReplayInOtherForm)

/** A second turn has no mark. */
const marked = (...[first, again]: Pair): Judgement =>
  inTurn(need(ran(first)), need(accepts(again)), markedReplay(again))
const refusedWith409 = (again: Exchange): Judgement =>
  check(statusOf(again) === 409, 'status 409', `status ${statusOf(again)}`, again)
const returned = (...[, again]: Pair): Judgement =>
  statusOf(again) === 409 && !codesOf(again).includes('IDEMPOTENCY_CONFLICT')
    ? inconclusive('another row of the table may fit', accepts(again))
    : accepts(again)

/** The words of a message in ASCII. Messages that differ in other things alone are near one another. */
const wordsOf = (text: string): string => (text.toLowerCase().match(/[a-z]+/g) ?? []).sort().join(' ')

function hasOtherMessage([first, again]: Pair): boolean {
  const [{ message: one, ...rest }, { message: other, ...others }] = [asked(first) ?? {}, asked(again) ?? {}]
  if (typeof one !== 'string' || typeof other !== 'string') return false
  if (one === other || other === '' || other.length > 10_000) return false
  return JSON.stringify(rest) === JSON.stringify(others) && wordsOf(one) !== wordsOf(other)
}

const ofConflicts = (judge: (...pair: Pair) => Judgement) => (all: readonly Exchange[]) =>
  eachOf(pairsOf(all).filter(hasOtherMessage), 'keys with another message', (first, again) =>
    // While AI replies are paused, a message without a button is stored: two rows of the table match.
    saysStored(fields(again)) ? inconclusive('AI replies are paused') : judge(first, again),
  )

export const keys = ruleOver('a completed key replays its turn, and refuses another message', {
  'IDEM-FRESH-UNMARKED': (all) => eachOf(firstOfEachKey(all), 'first turns of a key', unmarked),
  'IDEM-REPLAY-STATUS': ofReplays('json', returned),
  'IDEM-REPLAY-HEADER': ofReplays('json', marked),
  'IDEM-REPLAY-RESPONSE': ofSame('json', 'response'),
  'IDEM-REPLAY-CONVERSATION': ofSame('json', 'conversation_id'),
  'IDEM-REPLAY-PAUSED': ofReplays('json', (first, again) =>
    saysStored(fields(first))
      ? judgedSame('customer_message')(first, again)
      : notApplicable('no replayed turn was paused'),
  ),
  'IDEM-REPLAY-PRESENTATION': (all, { dialect }) =>
    ofReplays('json', (first, again) =>
      presents(first)
        ? given(replayed(first, again), () => samePresentation(first, again, dialect))
        : notApplicable('no replayed turn presents anything'),
    )(all),
  'IDEM-STREAM-REPLAY-HEADER': ofReplays('stream', marked),
  'IDEM-STREAM-REPLAY-ONE-DONE': ofReplays('stream', (first, again) =>
    given(replayed(first, again), () => oneDone(again)),
  ),
  'IDEM-STREAM-REPLAY-RESPONSE': ofSame('stream', 'response'),
  'IDEM-STREAM-REPLAY-CONVERSATION': ofSame('stream', 'conversation_id'),
  'IDEM-CONFLICT-STATUS': ofConflicts((_, again) => refusedWith409(again)),
  'IDEM-CONFLICT-CODE': (all) =>
    ofConflicts((first, again) => {
      const named = codesOf(again)
      // The turn of a key that was replayed runs no more.
      const isOver = ([one, replay]: Pair): boolean =>
        one === first && isReplay(replay) && replay.endedAt < again.sentAt
      const mayRun = named.includes('REQUEST_IN_PROGRESS') && !pairsOf(all).some(isOver)
      return statusOf(again) === 409 && !mayRun && !named.includes('OUTCOME_UNCERTAIN')
        ? code(again, 'IDEMPOTENCY_CONFLICT')
        : inconclusive('another row of the table may fit', refusedWith409(again))
    })(all),
})

/** The earliest request of a key anywhere, where it was answered as a turn. */
export function firstOfEachKey(all: readonly Exchange[]): readonly [Exchange][] {
  const byKey = new Map<string, Exchange[]>()
  for (const one of all)
    if (!one.inbound && one.request.method === 'POST')
      for (const key of keysOf(one)) byKey.set(key, [...(byKey.get(key) ?? []), one])
  return [...byKey.values()].flatMap((own) => {
    const [first, ...later] = own.filter((one) => !ranNothing(one))
    // A refusal may have come from a proxy, behind which the turn ran.
    const isOpen = first !== own[0] && first !== undefined && isReplay(first)
    return first &&
      !isOpen &&
      isTurn(first) &&
      keyOf(first) !== null &&
      !later.some((one) => overlap(first, one)) &&
      isCompleted(first)
      ? [[first] satisfies [Exchange]]
      : []
  })
}

/** What another turn of this agent was answered with, before this one was sent. */
type Continued = [begun: Exchange, turn: Exchange]

const wantsConversation = (turn: Exchange): unknown => asked(turn)?.['conversation_id']

/** The first turn of each key that was answered, without those that a button made. */
const turnsOf = memo((all: readonly Exchange[]): readonly Exchange[] =>
  firstOfEachKey(all)
    .flat()
    .filter((turn) => !isReplay(turn) && asked(turn)?.['interaction'] === undefined),
)

const begunIn = (all: readonly Exchange[]): readonly Exchange[] =>
  turnsOf(all).filter((turn) => wantsConversation(turn) === undefined)

const continuedIn = memo((all: readonly Exchange[]): readonly Continued[] => {
  const byId = Map.groupBy(begunIn(all), conversationOf)
  return turnsOf(all).flatMap((turn) => {
    const begun = byId.get(wantsConversation(turn) as string)?.find((one) => one.endedAt < turn.sentAt)
    return begun && placeOf(begun) === placeOf(turn) ? [[begun, turn] satisfies Continued] : []
  })
})

const ofContinued =
  (begun: 'stream' | 'json' | 'either', now: 'stream' | 'json') => (all: readonly Exchange[]) =>
    eachOf(
      continuedIn(all).filter(
        ([one, turn]) =>
          isStream(turn) === (now === 'stream') &&
          (begun === 'either' || isStream(one) === (begun === 'stream')),
      ),
      `turns ${now === 'stream' ? 'as a stream ' : ''}that continue a conversation, with a new key of ${leastKey} characters`,
      (_, turn) => inItsOwn(turn),
    )

export const conversations = ruleOver(
  'every turn is in the conversation that it names, and in a new one without',
  {
    'CONV-NEW': (all) => eachList([begunIn(all)], 'turns without a conversation', newConversations),
    'CONV-CONTINUE': ofContinued('json', 'json'),
    'CONV-CONTINUE-STREAM': ofContinued('either', 'stream'),
    'CONV-AFTER-STREAM': ofContinued('stream', 'json'),
  },
)
