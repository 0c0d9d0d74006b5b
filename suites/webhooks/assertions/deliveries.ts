/**
 * What came to our receiver, read from its bytes and put together: attempts into deliveries. Pure, and total for
 * anything that a sender may send.
 */
import { decode } from '../../wire/body.ts'
import { identifiersIn, type Exchange } from '../../wire/exchange.ts'
import { parseJson, type JsonReading } from '../../wire/json.ts'
import { memo } from '../../wire/memo.ts'
import { isObject } from '../../../spec/json.ts'

/** Every value of a header of the request, in order; the name in any casing. */
export function carried({ request }: Exchange, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  return request.headers.filter(([given]) => given.toLowerCase() === wanted).map(([, value]) => value)
}

/** The body that came, as JSON. */
export const sentJson: (exchange: Exchange) => JsonReading = memo((exchange) => {
  if (exchange.inbound?.cut) return { ok: false, why: 'it is larger than we keep' }
  const { valid, text } = decode(exchange.request.body)
  return valid ? parseJson(text) : { ok: false, why: 'it is not UTF-8' }
})

export type Envelope = Readonly<Record<string, unknown>>

/** The members of the body, or null where it is no JSON object. */
export function envelope(exchange: Exchange): Envelope | null {
  const body = sentJson(exchange)
  return body.ok && isObject(body.value) ? body.value : null
}

/** The delivery id, where there is one. */
export function deliveryId(exchange: Exchange): string | null {
  return carried(exchange, identifiersIn(exchange).deliveryIdHeader)[0] ?? null
}

export function eventOf(exchange: Exchange): string | null {
  const event = envelope(exchange)?.['eventType']
  return typeof event === 'string' ? event : null
}

/** Which event a delivery says it is of: its body, or its header where that cannot be read. */
export function eventSaid(exchange: Exchange): string | null {
  return eventOf(exchange) ?? carried(exchange, identifiersIn(exchange).eventHeader)[0] ?? null
}

export const isTest = (exchange: Exchange): boolean => deliveryId(exchange)?.startsWith('test_') ?? false

/**
 * Attempts among what came to a place, in the order they came. A sender may also look whether somebody is there, in
 * a way that the contract does not speak of: what neither posts nor carries a header of the service is no attempt.
 */
export function attemptsIn(arrived: readonly Exchange[]): readonly Exchange[] {
  return arrived.filter(isAttempt).toSorted((a, b) => beganAt(a) - beganAt(b))
}

function isAttempt(exchange: Exchange): boolean {
  const { deliveryIdHeader, eventHeader, signatureHeader } = identifiersIn(exchange)
  const own = [deliveryIdHeader, eventHeader, signatureHeader]
  return own.some((name) => carried(exchange, name).length > 0) || exchange.request.method === 'POST'
}

/** Milliseconds on the target's clock at which it came. */
export function beganAt({ inbound, sentAt }: Exchange): number {
  return inbound?.targetAt ?? sentAt
}

/** Milliseconds on the target's clock at which it was answered, or broke. */
export function overAt(exchange: Exchange): number {
  const { inbound, sentAt, endedAt } = exchange
  return inbound?.targetEndedAt ?? beganAt(exchange) + endedAt - sentAt
}

/** What we answered. */
export function answeredWith({ response }: Exchange): number | null {
  return response?.status ?? null
}

export function took2xx(exchange: Exchange): boolean {
  const status = answeredWith(exchange)
  return status !== null && status >= 200 && status <= 299
}

/** Attempts of one delivery, the first one first; never empty. */
export type Attempts = readonly [Exchange, ...Exchange[]]

/** What came to each place, by the id of the delivery: attempts of one delivery carry the same one. */
export function deliveriesIn(arrived: readonly Exchange[]): readonly Attempts[] {
  return grouped(attemptsIn(arrived), (one, other) => samePlace(one, other) && sameId(one, other))
}

/**
 * As `deliveriesIn`, where the id itself is the question: what came to one place and tells of the same event is of
 * one delivery. Only for scenarios that make one event happen.
 */
export function occurrencesIn(arrived: readonly Exchange[]): readonly Attempts[] {
  return grouped(
    attemptsIn(arrived),
    (one, other) => samePlace(one, other) && (sameId(one, other) || sameEvent(one, other)),
  )
}

function grouped(
  attempts: readonly Exchange[],
  alike: (one: Exchange, other: Exchange) => boolean,
): readonly Attempts[] {
  return attempts.reduce<readonly Attempts[]>((groups, attempt) => {
    const at = groups.findIndex(([first]) => alike(first, attempt))
    const group = groups[at]
    return group ? groups.with(at, [...group, attempt]) : [...groups, [attempt]]
  }, [])
}

const samePlace = (one: Exchange, other: Exchange): boolean => one.inbound?.place === other.inbound?.place

function sameId(one: Exchange, other: Exchange): boolean {
  return deliveryId(one) !== null && deliveryId(one) === deliveryId(other)
}

function sameEvent(one: Exchange, other: Exchange): boolean {
  const [a, b] = [envelope(one), envelope(other)]
  return a !== null && b !== null && isTest(one) === isTest(other) && told(a) === told(b)
}

/** Not the time, which may be that of the attempt. */
function told({ eventType, chatbotId, payload }: Envelope): string {
  return JSON.stringify({ eventType, chatbotId, payload })
}

/** Under one id: whether this is another event all the same, which is a mistake of its own. */
export function isAnotherEvent(one: Exchange, other: Exchange): boolean {
  const [a, b] = [envelope(one), envelope(other)]
  return a !== null && b !== null && told(a) !== told(b)
}
