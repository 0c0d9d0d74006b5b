/** The reported events of a stream, compared with those that the service sent. */
import { streamEvents } from '../../../spec/index.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, inconclusive, pass } from '../../scenario/expect.ts'
import { eventsOf, isTerminal } from '../../chat/assertions/streams/stream.ts'
import { type Exchange, excerpt, contentType } from '../../wire/exchange.ts'
import { notExercised } from '../../scenario/ending.ts'
import { ifControlSucceeded, stepResult, sentTo, reportedIn } from './step-result.ts'
import {
  crashed,
  failuresIn,
  completionsIn,
  memberOf,
  reportsReply,
  type ReplyMembers,
} from './reported-reply.ts'

export const streamsIn = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  sentTo(exchanges, 'chat').filter(
    (one) => one.response?.status === 200 && contentType(one)?.essence === 'text/event-stream',
  )

export const streamIn = (exchanges: readonly Exchange[]): Exchange | undefined => streamsIn(exchanges).at(-1)

/** Judges what rests on streams: a client that was asked for one and never requests any shows nothing. */
export function ifStreamed(control: readonly Exchange[], judge: () => Judgement): Judgement {
  return ifControlSucceeded(control, () => {
    if (streamIn(control)) return judge()
    throw notExercised(
      'client-never-acted',
      'the client never asked for a stream, so streaming was not tested',
    )
  })
}

/** Events of the contract, up to the first that ends the stream. */
export function knownEvents(stream: Exchange): readonly ReplyMembers[] {
  const sent = (eventsOf(stream) as readonly ReplyMembers[]).filter(isKnown)
  const end = sent.findIndex(isTerminal)
  return end === -1 ? sent : sent.slice(0, end + 1)
}

function wordOf(event: ReplyMembers, name: string): string {
  const value = memberOf(event, name)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

const isKnown = (event: ReplyMembers): boolean => Object.hasOwn(streamEvents, wordOf(event, 'type'))

function reportedEvents(context: Context, step: string): readonly ReplyMembers[] {
  return reportedIn(context, step, 'event')
    .map(({ event }) => event)
    .filter(isKnown)
}

const textIn = (reported: readonly ReplyMembers[]): string =>
  reported
    .filter((event) => memberOf(event, 'type') === 'token')
    .map((event) => wordOf(event, 'token'))
    .join('')

/** Event types in order; consecutive tokens count once, because an application may join them. */
function order(all: readonly ReplyMembers[]): readonly string[] {
  const types = all.map((event) => wordOf(event, 'type'))
  return types.filter((type, i) => type !== 'token' || types[i - 1] !== 'token')
}

/**
 * The reports about a complete stream match it: the text, and the order of events. Missing reports are allowed. The
 * replay of a stream that the service did not cut is an easier one, and shows nothing of how the first was read.
 */
export function reportsStream(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const judged = matchesStream(exchanges, context, step)
  const needless = streamsIn(exchanges)
    .slice(0, -1)
    .some(({ failure }) => failure?.kind !== 'reset')
  return judged.is === 'pass' && needless
    ? inconclusive('it requested the stream again, although the service had not cut it')
    : judged
}

function matchesStream(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const stream = streamIn(exchanges)
  if (!stream) return inconclusive('no turn got a stream')
  const complete = readsToTheEnd(stream, context, step)
  if (complete.is !== 'pass') return complete
  const reported = reportedEvents(context, step)
  const [failure] = failuresIn(context, step)
  if (failure) return fail('a stream up to its `done`', excerpt(JSON.stringify(failure)), stream)
  if (crashed(context, step)) return fail('a stream up to its `done`', 'a crash', stream)
  if (reported.length === 0) return reportsReply(exchanges, context, step)
  return all(sameText(reported, stream), sameOrder(reported, stream), ...replied(exchanges, context, step))
}

/** If any token text is reported, all of it is. Events without their tokens show nothing; `done` alone is a reply. */
function sameText(reported: readonly ReplyMembers[], stream: Exchange): Judgement {
  const [reportedText, receivedText] = [textIn(reported), textIn(knownEvents(stream))]
  const hasType = reported.some((event) => memberOf(event, 'type') === 'token')
  if (!hasType && receivedText !== '' && !reported.every(isTerminal))
    return inconclusive('the application reports events, but no token of the reply')
  if (!reported.some((event) => memberOf(event, 'token') !== undefined)) return pass
  const bytes = Buffer.from(receivedText)
  const asLatin1 = [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)]
  const misread = asLatin1.includes(reportedText) ? 'its UTF-8 read as Latin-1: ' : ''
  return check(
    reportedText === receivedText,
    `the text ${shown(receivedText)}`,
    misread + shown(reportedText),
    stream,
  )
}

function sameOrder(reported: readonly ReplyMembers[], stream: Exchange): Judgement {
  const [reportedText, receivedText] = [order(reported), order(knownEvents(stream))]
  let next = 0
  for (const one of receivedText) if (one === reportedText[next]) next++
  return check(next === reportedText.length, receivedText.join(', '), reportedText.join(', '), stream)
}

/** Judged only if a complete reply was reported. */
function replied(exchanges: readonly Exchange[], context: Context, step: string): readonly Judgement[] {
  return completionsIn(context, step).some(({ saw }) => saw !== 'finished')
    ? [reportsReply(exchanges, context, step)]
    : []
}

const shown = (text: string): string =>
  text.length > 200 ? `of ${text.length} characters` : JSON.stringify(text)

/** The client does not close the connection before `done`. */
export function readsToTheEnd(stream: Exchange, context: Context, step: string): Judgement {
  if (stream.failure?.kind !== 'aborted' || eventsOf(stream).some(isTerminal)) return pass
  if (stepResult(context, step)?.ended === 'timeout')
    return inconclusive('the step reached its time limit before the end of the stream')
  return fail('a connection open until `done`', 'the client closed the stream before `done`', stream)
}

export function reportsEachEvent(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const [asked] = sentTo(exchanges, 'chat')
  const stream = streamIn(exchanges)
  if (asked && !stream) return fail('a request for a stream', 'a request for JSON', asked)
  if (!stream) return inconclusive('it sent no turn')
  const [reported, sent] = [reportedEvents(context, step), knownEvents(stream)]
  if (reported.length === 0)
    return inconclusive('the application reports no event: `touchstone {"saw":"event",…}`')
  return all(
    check(reported.length === sent.length, `${sent.length} events`, `${reported.length}`, stream),
    ...sent.map((event, i) => sameEvent(event, reported[i] ?? {}, stream)),
  )
}

function sameEvent(sent: ReplyMembers, reported: ReplyMembers, stream: Exchange): Judgement {
  const type = sent['type'] as keyof typeof streamEvents
  const names = ['type', ...streamEvents[type].members]
  const odd = names.find((name) => memberOf(reported, name) !== sent[name])
  const expected = `\`${odd}\` of \`${type}\` as ${excerpt(JSON.stringify(sent[odd ?? '']) ?? '')}`
  const got = excerpt(JSON.stringify(memberOf(reported, odd ?? '')) ?? 'nothing')
  return check(odd === undefined, expected, got, stream)
}
