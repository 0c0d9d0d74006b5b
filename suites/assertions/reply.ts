/** Judgements on the final fields of a reply, whichever way it came: as JSON, or in the `done` of a stream. */
import type { Judgement } from '../scenario/scenario.ts'
import { type Exchange, excerpt, contentType } from '../wire/exchange.ts'
import { readSseBody } from '../wire/sse.ts'
import {
  answered,
  isJson,
  isReplay,
  isStream,
  jsonTyped,
  markedReplay,
  object,
  replayHeaderOf,
  shown,
  status,
  statusOf,
} from './answer.ts'
import { isObject } from '../../spec/json.ts'
import { all, fail, check, given, pass, inconclusive, inTurn, need } from '../scenario/expect.ts'

export { isReplay, isStream, markedReplay, replayHeaderOf }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export type Fields = Readonly<Record<string, unknown>>

export function events(exchange: Exchange, type?: string): readonly Fields[] {
  const found = readSseBody(exchange)
    .events.map((event): unknown => event.json)
    .filter(isObject)
  return type === undefined ? found : found.filter((event) => event['type'] === type)
}

/** The final fields of a reply, or null where there are none. Of several `done` events, the first. */
export function fields(exchange: Exchange): Fields | null {
  if (statusOf(exchange) !== 200) return null
  return isStream(exchange) ? (events(exchange, 'done')[0] ?? null) : object(exchange)
}

/** A final field; undefined where it is not there, or there are none. */
export function fieldOf(exchange: Exchange, name: string): unknown {
  return fields(exchange)?.[name]
}

/** A turn ran or was replayed: 200 with final fields. */
export function succeeded(exchange: Exchange): Judgement {
  return given(status(exchange, 200), () =>
    fields(exchange) ? pass : fail('a reply with final fields', shown(exchange), exchange),
  )
}

/** A turn ran for this request: 200 and no replay header. */
export function isFresh(exchange: Exchange): boolean {
  return statusOf(exchange) === 200 && !isReplay(exchange)
}

const kinds = {
  string: (value: unknown) => typeof value === 'string',
  'filled string': (value: unknown) => typeof value === 'string' && value !== '',
  'empty string': (value: unknown) => value === '',
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  uuid: (value: unknown) => typeof value === 'string' && uuid.test(value),
  object: isObject,
  absent: (value: unknown) => value === undefined,
} as const

export function field(exchange: Exchange, name: string, kind: keyof typeof kinds): Judgement {
  return given(succeeded(exchange), () => {
    const value = fieldOf(exchange, name)
    const got = value === undefined ? `no \`${name}\`` : `\`${name}\`: ${excerpt(JSON.stringify(value))}`
    return check(kinds[kind](value), `\`${name}\`: ${kind}`, got, exchange)
  })
}

/** A final field is the same, by value, in both replies. */
export function sameField(original: Exchange, other: Exchange, name: string): Judgement {
  return inTurn(need(succeeded(original)), need(succeeded(other)), () => {
    const [expected, got] = [canonical(fieldOf(original, name)), canonical(fieldOf(other, name))]
    return check(got === expected, `\`${name}\`: ${excerpt(expected)}`, `\`${name}\`: ${excerpt(got)}`, other)
  })
}

/** JSON with members in one order, so that equal values are equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'none'
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

/** The replay of an original: 200, marked, same response and conversation. */
export function replayOf(original: Exchange, again: Exchange): Judgement {
  const answer = status(again, 200)
  if (answer.is !== 'pass') return answer
  if (!isReplay(again)) {
    return fail(`header ${replayHeaderOf(again)}`, 'no such header', again)
  }
  if (!fields(again)) return fail('the final fields of the original', shown(again), again)
  return all(sameField(original, again, 'response'), sameField(original, again, 'conversation_id'))
}

export function inForm(exchange: Exchange, form: 'json' | 'stream'): Judgement {
  return given(answered(exchange), () => {
    const got = contentType(exchange)?.essence ?? 'no content type'
    const holds = form === 'json' ? isJson(exchange) && object(exchange) !== null : isStream(exchange)
    const expected = form === 'json' ? 'one JSON object' : 'text/event-stream'
    if (!holds) return fail(expected, `${got}: ${shown(exchange, 80)}`, exchange)
    return form === 'json' ? jsonTyped(exchange) : pass
  })
}

/** Of a credit. */
const tolerance = 1e-6

function number(exchange: Exchange, name: string): number | null {
  const value = fieldOf(exchange, name)
  return typeof value === 'number' ? value : null
}

export const used = (exchange: Exchange): number | null => number(exchange, 'credits_used')
export const remaining = (exchange: Exchange): number | null => number(exchange, 'credits_remaining')

/** A number of theirs is missing, which is judged where it is the subject. */
export function withoutCredits(...replies: readonly Exchange[]): Judgement {
  const numbers = replies.flatMap((one) =>
    ['credits_used', 'credits_remaining'].map((name) => field(one, name, 'number')),
  )
  return inconclusive('a reply has no number for its credits', all(...numbers))
}

/**
 * Between two fresh turns nothing was charged but `between`, the turns that ran in the meantime: what is left
 * after `last` is what was left after `first` less what all of them used. A replay's own credit fields prove
 * nothing, because they may repeat the original; the next fresh turn is the probe.
 */
export function balanced(first: Exchange, last: Exchange, between: readonly Exchange[] = []): Judgement {
  return inTurn(need(succeeded(first)), need(succeeded(last)), () => {
    const lost = between.find(mayHaveBeenCharged)
    if (lost) return inconclusive(`whether \`${lost.name}\` (exchange ${lost.id}) was charged is not known`)
    const spent = [...between.filter(isFresh), last].map(used)
    const [before, after] = [remaining(first), remaining(last)]
    if (before === null || after === null || spent.includes(null))
      return withoutCredits(first, ...between.filter(isFresh), last)
    const expected = spent.reduce<number>((left, amount) => left - (amount ?? 0), before)
    if (wereAdded(before, after, before - expected))
      return inconclusive(`credits were added: ${before} were left before, and ${after} after`)
    const got = `${after} left`
    return check(Math.abs(expected - after) <= tolerance, `${round(expected)} credits left`, got, last)
  })
}

/** More came than turns could have given that give what they should take: somebody filled the account up. */
export function wereAdded(before: number, after: number, spent: number): boolean {
  return after - before > Math.abs(spent) + tolerance
}

/** It is not known to have run, and not known not to have. */
function mayHaveBeenCharged(exchange: Exchange): boolean {
  const { failure, resent = false } = exchange
  return failure !== null || statusOf(exchange) >= 500 || (resent && !isFresh(exchange))
}

function round(amount: number): number {
  return Math.round(amount * 1e6) / 1e6
}

/** Amounts in bodies whose types the contract does not show: a number, or the text of one. */
const decimal = /^[+-]?\d+(?:\.\d+)?$/

export function amountOf(value: unknown): number | null {
  if (typeof value === 'string' && decimal.test(value.trim())) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
