/** Judgements on responses of the older chat variant, and on what it lists of a conversation. */
import { isObject } from '../../spec/json.ts'
import { object, refused, shown, status } from '../assertions/answer.ts'
import { excerpt } from '../assertions/excerpt.ts'
import { isStream } from '../assertions/reply.ts'
import { asked, refusedBeside, replied } from '../assertions/turn.ts'
import { all, check, every, fail, given, inconclusive, pass } from '../scenario/expect.ts'
import type { Judgement } from '../scenario/judgement.ts'
import { header } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import { readSseBody, type SseEvent } from '../wire/sse.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isName = (value: unknown): boolean => isText(value) && value !== ''
const isThere = (value: unknown): boolean => value !== undefined && value !== null
const isTextOrNumber = (value: unknown): boolean => isName(value) || typeof value === 'number'
const shownValue = (value: unknown): string => excerpt(JSON.stringify(value) ?? 'none')

/** An object with all of these members. */
function has(
  value: unknown,
  members: Readonly<Record<string, (value: unknown) => boolean>>,
  exchange: Exchange,
): Judgement {
  const names = Object.keys(members)
  const expected = `an object with ${names.map((name) => `\`${name}\``).join(', ')}`
  if (!isObject(value)) return fail(expected, excerpt(JSON.stringify(value) ?? 'nothing'), exchange)
  const wrong = names.filter((name) => !members[name]?.(value[name]))
  const got = wrong.map((name) => `\`${name}\`: ${shownValue(value[name])}`).join(', ')
  return check(wrong.length === 0, expected, got, exchange)
}

/** The sources of replies; a reply without any has an empty array, which shows no members. */
export function olderSources(...replies: readonly Exchange[]): Judgement {
  const listOf = (reply: Exchange): unknown => object(reply)?.['sources']
  return given(every(replies, replied), () => {
    const odd = replies.find((reply) => !Array.isArray(listOf(reply)))
    if (odd) return fail('an array `sources`', shownValue(listOf(odd)), odd)
    const listed = replies.flatMap((reply) =>
      (listOf(reply) as readonly unknown[]).map((source) => ({ source, reply })),
    )
    if (listed.length === 0) return inconclusive('the reply has no source')
    const members = { type: isThere, title: isThere, relevance: isThere }
    return every(listed, ({ source, reply }) => has(source, members, reply))
  })
}

/** The name of an event of the variant: where it is written is not shown, so both places are accepted. */
export function eventName({ type, json }: SseEvent): string {
  if (type !== 'message') return type
  return isObject(json) && isText(json['type']) ? json['type'] : 'an event without a name'
}

/** Texts and an end. A reply may have no sources, and further events are not excluded. */
export function olderStream(reply: Exchange): Judgement {
  return given(status(reply, 200), () => {
    if (!isStream(reply)) return fail('a stream of events', shown(reply, 80), reply)
    const names = readSseBody(reply).events.map(eventName)
    const got = [...new Set(names)].join(', ') || 'no event'
    if (!['text', 'done'].every((name) => names.includes(name)))
      return fail('the events text, sources and done', got, reply)
    const isKnown = names.every((name) => ['text', 'sources', 'done'].includes(name))
    return isKnown ? pass : { is: 'pass', note: `there are others: ${got}` }
  })
}

/** An object `error`; its waiting time is a number, or null if waiting does not help. */
export function nestedError(bad: Exchange): Judgement {
  return given(bad.response?.status === 429 ? pass : refused(bad), () => {
    const error = object(bad)?.['error']
    const wait = isObject(error) ? error['retry_after'] : undefined
    const mayWait = wait === undefined || wait === null || typeof wait === 'number'
    return all(
      has(error, { code: isTextOrNumber, message: isName }, bad),
      check(mayWait, '`retry_after`: a number', shownValue(wait), bad),
    )
  })
}

/**
 * For a key of one agent, a forbidden agent may be hidden and a missing one may be forbidden: the other of the two
 * statuses is inconclusive.
 */
export function refusedAs(accepted: Exchange, bad: Exchange, expected: number, instead?: number): Judgement {
  if (instead !== undefined && bad.response?.status === instead)
    return inconclusive(`\`${bad.name}\` was answered ${instead}, which a key for one agent allows as well`)
  return refusedBeside(accepted, bad, expected)
}

const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** A rate header as a whole number; null if it is none. */
export function rateNumber(exchange: Exchange, name: (typeof rateHeaders)[number]): number | null {
  const [value = '', second] = header(exchange, name)
  return second === undefined && /^\d+$/.test(value) ? Number(value) : null
}

/** The reset is a moment of this century in seconds: less would be relative, more would be milliseconds. */
export function rateHeadersThere(exchange: Exchange): Judgement {
  return given(status(exchange, 200), () => {
    const got = rateHeaders
      .map((name) => `${name}: ${header(exchange, name).join(' | ') || 'none'}`)
      .join(', ')
    const numbers = rateHeaders.map((name) => rateNumber(exchange, name))
    const reset = numbers.at(-1) ?? 0
    return all(
      check(!numbers.includes(null), `a number each in ${rateHeaders.join(', ')}`, got, exchange),
      check(reset > 1e9 && reset < 1e11, 'x-ratelimit-reset: a Unix time in seconds', got, exchange),
    )
  })
}

/**
 * The window of a limit is not shown except for its end: more requests than the limit, all before the count starts
 * anew, were never all accepted.
 */
export function limitedAbove(first: Exchange, flood: readonly Exchange[]): Judgement {
  return given(replied(first), () => {
    const limited = flood.find(({ response }) => response?.status === 429)
    if (limited) return status(limited, 429)
    const [limit, reset] = [rateNumber(first, 'x-ratelimit-limit'), rateNumber(first, 'x-ratelimit-reset')]
    const accepted = flood.filter((one) => replied(one).is === 'pass')
    const last = accepted.at(-1)
    const at = Date.parse(last ? (header(last, 'date')[0] ?? '') : '')
    if (limit === null || reset === null || accepted.length < limit || !(at < reset * 1000))
      return inconclusive(`${accepted.length + 1} requests were accepted, too few or too slowly to judge`)
    return fail(`a 429 above ${limit} requests`, `${accepted.length + 1} were accepted`, last)
  })
}

/** The conversation of this reply. */
export function olderConversation(reply: Exchange, read: Exchange, agent: string): Judgement {
  return given(all(replied(reply), status(read, 200)), () => {
    const id = object(reply)?.['conversation_id']
    const members = {
      id: (value: unknown) => value === id,
      agent_id: (value: unknown) => value === agent,
      created_at: isTextOrNumber,
      messages: Array.isArray,
    }
    return has(object(read), members, read)
  })
}

/** Strings may write one moment in several ways, and numbers may be seconds or milliseconds. */
const momentOf = (value: unknown): number =>
  isText(value) ? Date.parse(value) : typeof value === 'number' ? value * (value < 1e11 ? 1000 : 1) : NaN

/** A conversation is created once, whatever is sent in between; to the second if one time may be truncated or rounded. */
export function createdOnce(before: Exchange, after: Exchange): Judgement {
  return given(all(status(before, 200), status(after, 200)), () => {
    const [was, is] = [before, after].map((read) => object(read)?.['created_at'])
    const [earlier, later] = [momentOf(was), momentOf(is)]
    const isCoarse = [earlier, later].some((moment) => moment % 1000 === 0)
    const same = is === was || Math.abs(earlier - later) < (isCoarse ? 1000 : 1)
    if (!same && Number.isNaN(earlier + later))
      return inconclusive('`created_at` is written in a way that is not known')
    const shown = (value: unknown): string => `\`created_at\`: ${JSON.stringify(value) ?? 'none'}`
    return check(same, `${shown(was)} again`, shown(is), after)
  })
}

/** What a conversation lists with a role and a text. */
function saidIn(read: Exchange): readonly { readonly role: string; readonly content: string }[] {
  const { messages: said } = object(read) ?? {}
  return (Array.isArray(said) ? said : []).flatMap((one: unknown) => {
    const { role, content } = isObject(one) ? one : {}
    return isText(role) && isText(content) ? [{ role, content }] : []
  })
}

export function olderMessages(reply: Exchange, read: Exchange): Judgement {
  return given(all(replied(reply), status(read, 200)), () => {
    const { messages: said } = object(read) ?? {}
    if (!Array.isArray(said) || said.length === 0) return inconclusive('the conversation has no messages')
    const members = { role: isName, content: isText, timestamp: isTextOrNumber }
    return every(said, (message: unknown) => has(message, members, read))
  })
}

const messageOf = (turn: Exchange): unknown => asked(turn)?.['message']
const roleOf = (text: unknown, read: Exchange): string | undefined =>
  saidIn(read).find(({ content }) => content === text)?.role

const unlike: Judgement = {
  is: 'pass',
  note: 'what it lists is not to the letter what was sent, so that nobody can say what is missing',
}

/** A long message is listed completely, in one or in several parts, given that a short one is listed as sent. */
export function listedWhole(short: Exchange, long: Exchange, read: Exchange): Judgement {
  const message = messageOf(long)
  if (replied(long).is !== 'pass' || roleOf(message, read) !== undefined) return pass
  const customer = roleOf(messageOf(short), read)
  if (customer === undefined || !isText(message)) return unlike
  const own = saidIn(read).flatMap(({ role, content }) => (role === customer ? [content] : []))
  const bare = (text: string): string => text.replaceAll(/\s/g, '')
  // Text between two parts may be missing.
  if ([own, own.toReversed()].some((parts) => bare(parts.join('')).includes(bare(message)))) return pass
  const part = own.find((content) => {
    const text = content.replace(/\s*(…|\.{3})$/, '')
    return text.length >= 100 && text.length < message.length && message.startsWith(text)
  })
  return check(
    part === undefined,
    `all ${message.length} characters of a message`,
    `the first ${part?.length}: ${excerpt(part ?? '')}`,
    read,
  )
}

/**
 * A streamed reply is listed beside those that were not. Its text is not compared, and the names of roles are taken
 * from the other turns: if those are listed with all messages, the list has as many replies.
 */
export function listsStreamed(plain: readonly Exchange[], stream: Exchange, read: Exchange): Judgement {
  const turns = [...plain, stream]
  const customers = new Set(turns.map((turn) => roleOf(messageOf(turn), read)))
  const agents = new Set(plain.map((turn) => roleOf(object(turn)?.['response'], read)))
  const [[customer], [agent]] = [[...customers], [...agents]]
  const isListed = customers.size === 1 && agents.size === 1 && customer !== agent
  if (!isListed || customer === undefined || agent === undefined) return unlike
  if (olderStream(stream).is !== 'pass') return pass
  const replies = saidIn(read).filter(({ role }) => role === agent).length
  if (replies >= turns.length) return pass
  return fail(`a reply to each of ${turns.length} messages`, `${replies} of the role \`${agent}\``, read)
}
