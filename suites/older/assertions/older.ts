/** Judgements on responses of the older chat variant. */
import type { Judgement } from '../../scenario/judgement.ts'
import { header } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { readSseBody, type SseEvent } from '../../wire/sse.ts'
import { object, refused, shown, status } from '../../assertions/answer.ts'
import { isObject } from '../../../spec/json.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { all, fail, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { isStream } from '../../assertions/reply.ts'
import { replied } from '../../assertions/turn.ts'

export type OlderMembers = Readonly<Record<string, (value: unknown) => boolean>>

export const isName = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isThere = (value: unknown): boolean => value !== undefined && value !== null
export const isTextOrNumber = (value: unknown): boolean => isName(value) || typeof value === 'number'

/** An object with all of these members. */
export function has(value: unknown, members: OlderMembers, exchange: Exchange): Judgement {
  const names = Object.keys(members)
  const expected = `an object with ${names.map((name) => `\`${name}\``).join(', ')}`
  if (!isObject(value)) return fail(expected, excerpt(JSON.stringify(value) ?? 'nothing'), exchange)
  const wrong = names.filter((name) => !members[name]?.(value[name]))
  const got = wrong.map((name) => `\`${name}\`: ${excerpt(JSON.stringify(value[name]) ?? 'none')}`)
  return check(wrong.length === 0, expected, got.join(', '), exchange)
}

const sourceMembers = { type: isThere, title: isThere, relevance: isThere }

/** The sources of replies; a reply without any has an empty array, which shows no members. */
export function olderSources(...replies: readonly Exchange[]): Judgement {
  const listOf = (reply: Exchange): unknown => object(reply)?.['sources']
  return given(every(replies, replied), () => {
    const odd = replies.find((reply) => !Array.isArray(listOf(reply)))
    if (odd) return fail('an array `sources`', excerpt(JSON.stringify(listOf(odd)) ?? 'none'), odd)
    const listed = replies.flatMap((reply) =>
      (listOf(reply) as readonly unknown[]).map((source) => ({ source, reply })),
    )
    if (listed.length === 0) return inconclusive('the reply has no source')
    return every(listed, ({ source, reply }) => has(source, sourceMembers, reply))
  })
}

/** The name of an event of the variant: where it is written is not shown, so both places are accepted. */
export function eventName({ type, json }: SseEvent): string {
  if (type !== 'message') return type
  return isObject(json) && typeof json['type'] === 'string' ? json['type'] : 'an event without a name'
}

const eventNames: readonly string[] = ['text', 'sources', 'done']

/** Texts and an end. A reply may have no sources, and further events are not excluded. */
export function olderStream(reply: Exchange): Judgement {
  return given(status(reply, 200), () => {
    if (!isStream(reply)) return fail('a stream of events', shown(reply, 80), reply)
    const names = readSseBody(reply).events.map(eventName)
    const got = [...new Set(names)].join(', ') || 'no event'
    const missing = ['text', 'done'].filter((name) => !names.includes(name))
    if (missing.length > 0) return fail('the events text, sources and done', got, reply)
    const others = names.filter((name) => !eventNames.includes(name))
    return others.length === 0 ? pass : { is: 'pass', note: `there are others: ${got}` }
  })
}

/** An object `error`; its waiting time is a number, or null if waiting does not help. */
export function nestedError(bad: Exchange): Judgement {
  return given(refusedOr429(bad), () => {
    const error = object(bad)?.['error']
    const mayWait = (value: unknown): boolean =>
      value === undefined || value === null || typeof value === 'number'
    return all(
      has(error, { code: isTextOrNumber, message: isName }, bad),
      isObject(error) ? hasWait(error['retry_after'], mayWait, bad) : pass,
    )
  })
}

function hasWait(value: unknown, fits: (value: unknown) => boolean, bad: Exchange): Judgement {
  return check(fits(value), '`retry_after`: a number', excerpt(JSON.stringify(value) ?? 'none'), bad)
}

function refusedOr429(bad: Exchange): Judgement {
  return bad.response?.status === 429 ? pass : refused(bad)
}

const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** A rate header as a whole number; null if it is none. */
export function rateNumber(exchange: Exchange, name: (typeof rateHeaders)[number]): number | null {
  const [value = '', second] = header(exchange, name)
  return second === undefined && /^\d+$/.test(value) ? Number(value) : null
}

/** A moment of this century in seconds: less would be relative, more would be milliseconds. */
const isUnixTime = (value: number): boolean => value > 1e9 && value < 1e11

export function rateHeadersThere(exchange: Exchange): Judgement {
  return given(status(exchange, 200), () => {
    const got = rateHeaders.map((name) => `${name}: ${header(exchange, name).join(' | ') || 'none'}`)
    const numbers = rateHeaders.map((name) => rateNumber(exchange, name))
    const reset = numbers.at(-1) ?? 0
    return all(
      check(
        numbers.every((value) => value !== null),
        `a number each in ${rateHeaders.join(', ')}`,
        got.join(', '),
        exchange,
      ),
      check(isUnixTime(reset), 'x-ratelimit-reset: a Unix time in seconds', got.join(', '), exchange),
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
