/** The events of a stream as the application got them, held against those that went out. */
import { streamEvents } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { all, broken, check, inconclusive, pass } from '../../scenario/expect.ts'
import { eventsOf, isTerminal } from '../../chat/assertions/streams/stream.ts'
import { contentType } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { stepResult, sentTo, reportedIn } from './step-result.ts'
import {
  crashed,
  failuresIn,
  completionsIn,
  memberOf,
  reportsReply,
  type ReplyMembers,
} from './reported-reply.ts'

/** The last answer of an act that is a stream. */
export function streamIn(exchanges: readonly Exchange[]): Exchange | undefined {
  return sentTo(exchanges, 'chat').findLast(
    (one) => one.response?.status === 200 && contentType(one)?.essence === 'text/event-stream',
  )
}

/** Every event that the contract knows, up to the first that ends the stream. */
export function knownEvents(stream: Exchange): readonly ReplyMembers[] {
  const sent = (eventsOf(stream) as readonly ReplyMembers[]).filter(isKnown)
  const end = sent.findIndex(isTerminal)
  return end === -1 ? sent : sent.slice(0, end + 1)
}

/** A member as text; what is no text is spelt as JSON. */
function wordOf(event: ReplyMembers, name: string): string {
  const value = memberOf(event, name)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

const isKnown = (event: ReplyMembers): boolean => Object.hasOwn(streamEvents, wordOf(event, 'type'))

function reportedEvents(context: Context, act: string): readonly ReplyMembers[] {
  const reported = reportedIn(context, act, 'event').map(({ event }) => event)
  return reported.filter((event) => Object.hasOwn(streamEvents, wordOf(event, 'type')))
}

/** The tokens of events in one text. */
const textIn = (reported: readonly ReplyMembers[]): string =>
  reported
    .filter((event) => memberOf(event, 'type') === 'token')
    .map((event) => wordOf(event, 'token'))
    .join('')

/** The types in their order, tokens in a row as one: an application may well put them together. */
function order(all: readonly ReplyMembers[]): readonly string[] {
  const types = all.map((event) => wordOf(event, 'type'))
  return types.filter((type, i) => type !== 'token' || types[i - 1] !== 'token')
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let next = 0
  for (const one of all) if (one === some[next]) next++
  return next === some.length
}

/**
 * What is told of a stream that went out whole is what it held: its text, and its events in their order. Nothing has
 * to be told; what is has to be right.
 */
export function reportsStream(exchanges: readonly Exchange[], context: Context, act: string): Judgement {
  const stream = streamIn(exchanges)
  if (!stream) return inconclusive('no turn was answered with a stream')
  const complete = readsToTheEnd(stream, context, act)
  if (complete.is !== 'pass') return complete
  const reported = reportedEvents(context, act)
  const [failure] = failuresIn(context, act)
  if (failure) return broken('a stream that comes to its `done`', excerpt(JSON.stringify(failure)), stream)
  if (crashed(context, act)) return broken('a stream that comes to its `done`', 'it broke down', stream)
  if (reported.length === 0) return reportsReply(exchanges, context, act)
  return all(sameText(reported, stream), sameOrder(reported, stream), ...replied(exchanges, context, act))
}

/** Nobody is bound to tell of tokens, or of what is in them; those that are told are all of them. */
function sameText(reported: readonly ReplyMembers[], stream: Exchange): Judgement {
  const [reportedText, receivedText] = [textIn(reported), textIn(knownEvents(stream))]
  if (!reported.some((event) => memberOf(event, 'token') !== undefined)) return pass
  return check(reportedText === receivedText, `the text ${shown(receivedText)}`, shown(reportedText), stream)
}

function sameOrder(reported: readonly ReplyMembers[], stream: Exchange): Judgement {
  const [reportedText, receivedText] = [order(reported), order(knownEvents(stream))]
  return check(isWithin(reportedText, receivedText), receivedText.join(', '), reportedText.join(', '), stream)
}

/** Judged only where a whole reply was told. */
function replied(exchanges: readonly Exchange[], context: Context, act: string): readonly Judgement[] {
  return completionsIn(context, act).some(({ saw }) => saw !== 'finished')
    ? [reportsReply(exchanges, context, act)]
    : []
}

const shown = (text: string): string =>
  text.length > 200 ? `of ${text.length} characters` : JSON.stringify(text)

/** It does not hang up while its answer is under way: one that is left before `done` is no answer. */
export function readsToTheEnd(stream: Exchange, context: Context, act: string): Judgement {
  if (stream.failure?.kind !== 'aborted' || eventsOf(stream).some(isTerminal)) return pass
  if (stepResult(context, act)?.ended === 'timeout') return inconclusive('time was up before the stream was')
  return broken('a client that stays until `done`', 'it went away in the middle', stream)
}

/** A stream is asked for, and each event is given as it went out, its members as the contract lists them. */
export function reportsEachEvent(exchanges: readonly Exchange[], context: Context, act: string): Judgement {
  const [asked] = sentTo(exchanges, 'chat')
  const stream = streamIn(exchanges)
  if (asked && !stream) return broken('a turn that asks for a stream', 'one that does not', asked)
  if (!stream) return inconclusive('it asked for no turn')
  const [reported, sent] = [reportedEvents(context, act), knownEvents(stream)]
  if (reported.length === 0)
    return inconclusive('the application tells of no event: `touchstone {"saw":"event",…}`')
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
