/** Judgements on one attempt of a delivery: its method, headers and envelope. */
import { retiredWebhookEvent, webhookEvents } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import { identifiersIn, type Exchange, excerpt, decode } from '../../wire/exchange.ts'
import { isObject } from '../../../spec/json.ts'
import {
  arrivalsFirst,
  attemptsIn,
  deliveredHeaderValues,
  deliveryId,
  envelope,
  isTestDelivery,
  deliveredJson,
  type DeliveryEnvelope,
} from './deliveries.ts'
import { fail, check, every, given, inconclusive, observed, pass } from '../../scenario/expect.ts'
import { isUtcTime } from '../../assertions/utc-time.ts'
import { rawSigned } from './signature.ts'

export function eachAttempt(
  arrived: readonly Exchange[],
  judge: (attempt: Exchange) => Judgement,
): Judgement {
  return arrivalsFirst(arrived, (attempts) => every(attempts, judge))
}

export function isPost(exchange: Exchange): Judgement {
  const { method } = exchange.request
  return check(method === 'POST', 'method POST', method, exchange)
}

export function hasHeaderOnce(exchange: Exchange, name: string, value: string): Judgement {
  const got = deliveredHeaderValues(exchange, name)
  const shown = got.join(' | ') || 'no such header'
  return check(got.length === 1 && got[0] === value, `header ${name}: ${value}`, excerpt(shown), exchange)
}

export function isJsonTyped(exchange: Exchange): Judgement {
  const got = deliveredHeaderValues(exchange, 'content-type')
  const essence = got[0]?.split(';', 1)[0]?.trim().toLowerCase()
  const holds = got.length === 1 && essence === 'application/json'
  return check(holds, 'one content type application/json', got.join(' | ') || 'none', exchange)
}

export function hasUserAgent(exchange: Exchange): Judgement {
  const { userAgent } = identifiersIn(exchange)
  const got = deliveredHeaderValues(exchange, 'user-agent')
  const holds = got.length === 1 && got[0]?.toLowerCase() === userAgent.toLowerCase()
  return check(
    holds,
    `header user-agent: ${userAgent}`,
    excerpt(got.join(' | ') || 'no such header'),
    exchange,
  )
}

export function namesItsEvent(exchange: Exchange): Judgement {
  return within(exchange, ({ eventType }) =>
    typeof eventType === 'string'
      ? hasHeaderOnce(exchange, identifiersIn(exchange).eventHeader, eventType)
      : inconclusive('the envelope has no text `eventType`'),
  )
}

/** One delivery id with this prefix and more characters. */
export function idBegins(exchange: Exchange, start: 'whd_' | 'test_'): Judgement {
  const { deliveryIdHeader } = identifiersIn(exchange)
  const got = deliveredHeaderValues(exchange, deliveryIdHeader)
  const holds = got.length === 1 && (got[0] ?? '').startsWith(start) && got[0] !== start
  return check(
    holds,
    `one ${deliveryIdHeader} that begins with ${start}`,
    got.join(' | ') || 'none',
    exchange,
  )
}

/** Of the requests to a webhook after a sample was requested; live deliveries may be among them. */
export function sampleIds(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, (attempts) => {
    const samples = attempts.filter(isTestDelivery)
    return every(samples.length > 0 ? samples : attempts, (one) => idBegins(one, 'test_'))
  })
}

/** Each custom header arrived with its value, any number of times. */
export function carriesCustom(exchange: Exchange, headers: Readonly<Record<string, string>>): Judgement {
  return every(Object.entries(headers), ([name, value]) => {
    const got = deliveredHeaderValues(exchange, name)
    const holds = got.length > 0 && got.every((one) => one === value)
    return check(holds, `header ${name}: ${value}`, got.join(' | ') || 'no such header', exchange)
  })
}

export function isObjectBody(exchange: Exchange): Judgement {
  if (exchange.inbound?.cut) return inconclusive('the body is larger than we keep')
  const read = deliveredJson(exchange)
  if (!read.ok) return fail('a body that is one JSON object', read.why, exchange)
  const shown = excerpt(decode(exchange.request.body).text, 80) || 'an empty body'
  return check(isObject(read.value), 'one JSON object', shown, exchange)
}

export function hasKnownEvent(exchange: Exchange): Judgement {
  return within(exchange, ({ eventType }) => {
    const known = typeof eventType === 'string' && Object.hasOwn(webhookEvents, eventType)
    const retired = eventType === retiredWebhookEvent ? ', a retired name' : ''
    return check(known, 'an `eventType` of the eighteen', `${shown(eventType)}${retired}`, exchange)
  })
}

/** `creation`: of the webhook; its path names the agent. */
export function isOfAgent(exchange: Exchange, creation: Exchange): Judgement {
  const agent = /\/api\/agents\/([^/?]+)\/webhooks/.exec(creation.request.path)?.[1]
  if (agent === undefined) return inconclusive('the creation names no agent')
  const expected = decodeURIComponent(agent)
  return within(exchange, ({ chatbotId }) =>
    check(chatbotId === expected, `\`chatbotId\` ${expected}`, shown(chatbotId), exchange),
  )
}

export function hasTimestamp(exchange: Exchange): Judgement {
  return within(exchange, ({ timestamp }) =>
    check(isUtcTime(timestamp), 'a `timestamp` in ISO 8601, UTC', shown(timestamp), exchange),
  )
}

export function hasPayload(exchange: Exchange): Judgement {
  return within(exchange, ({ payload }) =>
    check(isObject(payload), 'an object `payload`', shown(payload), exchange),
  )
}

/** Names for a member that marks a test. */
const marks: readonly string[] = ['test', 'istest', 'testmode']

export function hasNoFlagBeside(exchange: Exchange): Judgement {
  return within(exchange, (members) => {
    const found = Object.keys(members).filter((name) =>
      marks.includes(name.toLowerCase().replaceAll(/[_-]/g, '')),
    )
    return check(found.length === 0, 'no mark of a test beside `payload`', found.join(', '), exchange)
  })
}

export function payloadTexts(exchange: Exchange, ...names: readonly string[]): Judgement {
  return given(hasPayload(exchange), () => {
    const payload = envelope(exchange)?.['payload']
    return every(names, (name) => {
      const value = isObject(payload) ? payload[name] : undefined
      return check(typeof value === 'string', `a text \`payload.${name}\``, shown(value), exchange)
    })
  })
}

/** The names of the payload members, sorted; null if the payload is no object. */
export function payloadMembers(exchange: Exchange): readonly string[] | null {
  const payload = envelope(exchange)?.['payload']
  return isObject(payload) ? Object.keys(payload).sort() : null
}

export function sampleFlag(arrived: readonly Exchange[]): Judgement {
  return arrivalsFirst(arrived, (attempts) => {
    const flagged = attempts.filter((one) => payloadMembers(one)?.includes('_test')).length
    return observed(
      flagged === 0 ? 'none says so' : flagged === attempts.length ? 'all say so' : 'some say so',
    )
  })
}

/** This many deliveries, each with its own id. `events`: the number of events for each endpoint. */
export function idsApart(places: readonly (readonly Exchange[])[], events: number): Judgement {
  const ids = places.map((arrived) => new Set(attemptsIn(arrived).map(deliveryId)))
  if (ids.some((here) => here.size === 0)) return inconclusive('a delivery did not reach the receiver')
  const all = ids.flatMap((here) => [...here])
  const twice = all.find((id, at) => all.indexOf(id) !== at)
  if (all.includes(null)) return inconclusive('a delivery had no id')
  if (twice !== undefined) return fail('ids of its own for each endpoint', `${twice} at two endpoints`)
  const short = places.findIndex((_, at) => (ids[at]?.size ?? 0) < events)
  const came = attemptsIn(places[short] ?? [])
  if (short >= 0 && came.length < events) return inconclusive('not every delivery reached the receiver')
  return short < 0 ? pass : fail(`${events} ids for ${events} events`, `${ids[short]?.size}`, came.at(-1))
}

function within(exchange: Exchange, judge: (members: DeliveryEnvelope) => Judgement): Judgement {
  const members = envelope(exchange)
  return members ? judge(members) : inconclusive('the body is no JSON object')
}

function shown(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? 'none')
}

interface Came {
  readonly hook: Exchange
  readonly arrived: readonly Exchange[]
}

/** Only text beyond ASCII shows which bytes are signed, and a sample may have none. */
export const rawOnes = { 'SIGN-RAW': ({ hook, arrived }: Came) => rawSigned(arrived, hook) }

/** Custom headers that any service accepts. */
export const customHeaders = { 'X-Touchstone-Mark': 'a:mark', 'x-other-mark': 'two words; and=more' } as const
