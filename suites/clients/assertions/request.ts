/** What a request of a client carries: its credential, its idempotency keys, and the words of its task. */
import { isDeepStrictEqual } from 'node:util'
import type { Judgement } from '../../scenario/scenario.ts'
import { all, check, every, fail, inconclusive, notApplicable, observed } from '../../scenario/expect.ts'
import { inside } from '../../assertions/pointer.ts'
import { isObject } from '../../../spec/json.ts'
import { type Exchange, excerpt, parseJson, type Json, decode } from '../../wire/exchange.ts'
import { memo } from '../../wire/memo/memo.ts'

export function requestHeaders({ request }: Exchange, name: string): readonly string[] {
  return request.headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value)
}

/** The value of `Authorization`, or all of them; empty where there is none. */
export const credentialOf = (one: Exchange): string => requestHeaders(one, 'authorization').join(', ')

/** The API key itself; empty where none is sent as a bearer. */
export function apiKeyOf(exchange: Exchange): string {
  return /^bearer +(\S+)$/i.exec(credentialOf(exchange))?.[1] ?? ''
}

/**
 * Without those that ask the service for nothing: what goes ahead of a request to find out whether it may come, or
 * whether anybody is there, carries no key in many a client.
 */
export function serviceRequests(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter((one) => {
    const { method, path } = one.request
    if (method === 'OPTIONS' || method === 'HEAD') return false
    return method !== 'GET' || path.startsWith('/api/') || credentialOf(one) !== ''
  })
}

export const requestJson: (exchange: Exchange) => Json = memo(
  ({ request }) => {
    const reading = parseJson(decode(request.body).text)
    return reading.ok ? reading.value : null
  },
  (_, { request }) => 8 * request.body.length,
)

/** Of the JSON object that it sends. */
export function bodyMember(exchange: Exchange, name: string): Json | undefined {
  const body = requestJson(exchange)
  return isObject(body) ? body[name] : undefined
}

/** A uuid in either case is the same. What is no JSON is judged once, of a turn. */
export function sendsMember(exchange: Exchange, name: string, wanted: Json | undefined): Judgement {
  const sent = bodyMember(exchange, name)
  if (sent !== undefined && wanted === undefined) return inconclusive(`no \`${name}\` was given`)
  if (!isObject(requestJson(exchange))) return inconclusive('the body is no JSON object')
  const lower = (value: Json | undefined) => (isText(value) ? value.toLowerCase() : value)
  const isSame = isDeepStrictEqual(lower(sent), lower(wanted))
  const expected = excerpt(`\`${name}\`: ${JSON.stringify(wanted) ?? 'as it was given'}`)
  return check(sent !== undefined && isSame, expected, excerpt(JSON.stringify(sent) ?? 'none'), exchange)
}

export const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()
const isText = (value: Json | undefined): value is string => typeof value === 'string'

/**
 * The idempotency keys that it carries. Where an operation carries its key is not shown: a header, a member of the
 * body or a part of the query of that name will do, and for a key that was asked for any place at all.
 */
export function idempotencyKeysOf(exchange: Exchange, asked: readonly string[] = []): readonly string[] {
  const { path, body } = exchange.request
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  const named = [...inside(requestJson(exchange)), ...[...query].map(([name, value]) => ({ name, value }))]
  const everything = `${path}\n${JSON.stringify(exchange.request.headers)}\n${decode(body).text}`
  const keys = [
    ...['idempotency-key', 'x-idempotency-key'].flatMap((name) => requestHeaders(exchange, name)),
    ...named.filter(({ name }) => plain(name) === 'idempotencykey').map(({ value }) => value),
    ...asked.filter((key) => everything.includes(key)),
  ]
  return [...new Set(keys.filter(isText).filter((key) => key !== ''))].sort()
}

export function sameKeyThroughout(requests: readonly Exchange[], asked: readonly string[] = []): Judgement {
  const [first, ...later] = requests
  if (!first) return inconclusive('nothing was sent that could carry a key')
  const keys = idempotencyKeysOf(first, asked)
  if (keys.length === 0) return fail('an idempotency key', 'none that was found', first)
  return every([first, ...later], (request) => {
    const own = idempotencyKeysOf(request, asked)
    const isSame = own.join('\n') === keys.join('\n')
    const got = own.length > 0 ? 'another one' : 'none that was found'
    return check(isSame, 'the same idempotency key each time', got, request)
  })
}

export function differentKeys(
  requests: readonly Exchange[],
  others: readonly Exchange[],
  asked: readonly string[] = [],
): Judgement {
  const used = new Set(others.flatMap((other) => idempotencyKeysOf(other, asked)))
  return every(requests, (request) => {
    const again = idempotencyKeysOf(request, asked).filter((key) => used.has(key))
    return check(again.length === 0, 'a key of its own', 'the key of other work', request)
  })
}

/** A client that never sends a given key creates its own, which may be of it: one for each task, whenever it is given. */
export function ownKeys(tasks: readonly (readonly Exchange[])[]): Judgement {
  const judged = tasks.flatMap((sent, at) => [
    sameKeyThroughout(sent),
    differentKeys(sent, tasks.slice(0, at).flat()),
  ])
  const worst = all(...judged)
  return worst.is === 'pass' ? notApplicable('it creates keys of its own, one for each task') : worst
}

export function requestContains(exchange: Exchange, text: string): boolean {
  return [...inside(requestJson(exchange))].some(({ value }) => value === text)
}

/** In whatever envelope: whole, or with each of its members. */
export function hasInput(run: Exchange, input: Json): Judgement {
  const parts = [...inside(requestJson(run))].map(({ value }) => value)
  const isThere = parts.some((part) => isDeepStrictEqual(part, input) || holdsAll(part, input))
  return check(isThere, JSON.stringify(input), JSON.stringify(requestJson(run)), run)
}

function holdsAll(part: Json, input: Json): boolean {
  if (typeof part !== 'object' || part === null || typeof input !== 'object' || input === null) return false
  const members = new Map(Object.entries(part))
  return Object.entries(input).every(([name, value]) => isDeepStrictEqual(members.get(name), value))
}

/** The last part of its path, which names a task, an approval or an operation. */
export function lastSegment({ request }: Exchange): string {
  const part = request.path.split('?')[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What was answered 2xx, and whole. */
export function successful(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(
    ({ response, failure }) =>
      failure === null && response && response.status >= 200 && response.status < 300,
  )
}

/** One of them at least was answered 2xx; else `then` has nothing to go by. */
export function whereSuccessful(exchanges: readonly Exchange[], then: () => Judgement): Judgement {
  return successful(exchanges).length > 0
    ? then()
    : inconclusive('nothing that was asked for was answered 2xx')
}

export const requestPath = ({ request }: Exchange): string => request.path.split('?')[0] ?? ''

/** Where the first request for each id went. Which characters an id may have is not shown, so no address is wrong. */
export function addressesSeen<S extends string>(
  ids: Readonly<Record<S, string>>,
  steps: Readonly<Record<NoInfer<S>, readonly Exchange[]>>,
  sentTo: (exchanges: readonly Exchange[]) => readonly Exchange[],
): Judgement {
  const seen = (Object.keys(ids) as S[]).map((step) => {
    const [first] = sentTo(steps[step])
    return `id "${ids[step]}" → ${first ? first.request.path : 'no request'}`
  })
  return observed(seen.join('; '))
}
