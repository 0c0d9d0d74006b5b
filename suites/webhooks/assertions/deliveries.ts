/** Parses the requests to our receiver and groups attempts into deliveries. Pure, and total for any input. */
import { identifiersIn, type Exchange, parseJson, type JsonReading, decode } from '../../wire/exchange.ts'
import { memo } from '../../wire/memo/memo.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import { inconclusive, check, pass, inTurn, need } from '../../scenario/expect.ts'
import { isObject } from '../../../spec/json.ts'
import { requestAccepted } from './management/webhook-record.ts'

/** Every value of a request header, in order; the name in any case. */
export function deliveredHeaderValues({ request }: Exchange, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  return request.headers.filter(([given]) => given.toLowerCase() === wanted).map(([, value]) => value)
}

export const deliveredJson: (exchange: Exchange) => JsonReading = memo(
  (exchange) => {
    if (exchange.inbound?.cut) return { ok: false, why: 'it is larger than we keep' }
    const { valid, text } = decode(exchange.request.body)
    return valid ? parseJson(text) : { ok: false, why: 'it is not UTF-8' }
  },
  (_, { request }) => 8 * request.body.length,
)

export type DeliveryEnvelope = Readonly<Record<string, unknown>>

/** The members of the body, or null if it is no JSON object. */
export function envelope(exchange: Exchange): DeliveryEnvelope | null {
  const body = deliveredJson(exchange)
  return body.ok && isObject(body.value) ? body.value : null
}

export function deliveryId(exchange: Exchange): string | null {
  return deliveredHeaderValues(exchange, identifiersIn(exchange).deliveryIdHeader)[0] ?? null
}

export function deliveredEvent(exchange: Exchange): string | null {
  const event = envelope(exchange)?.['eventType']
  return typeof event === 'string' ? event : null
}

/** The event that a delivery names: in its body, or in its header if the body cannot be read. */
export function eventNameOf(exchange: Exchange): string | null {
  return (
    deliveredEvent(exchange) ??
    deliveredHeaderValues(exchange, identifiersIn(exchange).eventHeader)[0] ??
    null
  )
}

export const isTestDelivery = (exchange: Exchange): boolean =>
  deliveryId(exchange)?.startsWith('test_') ?? false

/**
 * The attempts among the requests to an endpoint, in order of arrival. A sender may also probe the endpoint in a way
 * that the contract does not mention: a request that is no POST and has no header of the service is no attempt.
 */
export function attemptsIn(arrived: readonly Exchange[]): readonly Exchange[] {
  return arrived.filter(isAttempt).toSorted((a, b) => arrivedAt(a) - arrivedAt(b))
}

function isAttempt(exchange: Exchange): boolean {
  const { deliveryIdHeader, eventHeader, signatureHeader } = identifiersIn(exchange)
  const own = [deliveryIdHeader, eventHeader, signatureHeader]
  return (
    own.some((name) => deliveredHeaderValues(exchange, name).length > 0) || exchange.request.method === 'POST'
  )
}

/** Time of arrival in milliseconds on the target's clock. */
export function arrivedAt({ inbound, sentAt }: Exchange): number {
  return inbound?.targetAt ?? sentAt
}

/** Time of the response or the failure in milliseconds on the target's clock. */
export function overAt(exchange: Exchange): number {
  const { inbound, sentAt, endedAt } = exchange
  return inbound?.targetEndedAt ?? arrivedAt(exchange) + endedAt - sentAt
}

export function answeredWith({ response }: Exchange): number | null {
  return response?.status ?? null
}

export function took2xx(exchange: Exchange): boolean {
  const status = answeredWith(exchange)
  return status !== null && status >= 200 && status <= 299
}

/** Attempts of one delivery in order; never empty. */
export type Attempts = readonly [Exchange, ...Exchange[]]

/** Deliveries to each endpoint by delivery id, which all attempts share. */
export function deliveriesIn(arrived: readonly Exchange[]): readonly Attempts[] {
  return grouped(attemptsIn(arrived), (one, other) => samePlace(one, other) && sameId(one, other))
}

/**
 * Like `deliveriesIn`, for judges of the id itself: requests to one endpoint about the same event are one delivery.
 * Events of the same content are one, too.
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
  return (
    a !== null && b !== null && isTestDelivery(one) === isTestDelivery(other) && contentOf(a) === contentOf(b)
  )
}

/** Without the time, which may be that of the attempt. */
function contentOf({ eventType, chatbotId, payload }: DeliveryEnvelope): string {
  return JSON.stringify({ eventType, chatbotId, payload })
}

/** Whether one id is used for another event, which is a separate defect. */
export function isAnotherEvent(one: Exchange, other: Exchange): boolean {
  const [a, b] = [envelope(one), envelope(other)]
  return a !== null && b !== null && contentOf(a) !== contentOf(b)
}

export function arrivalsFirst(
  arrived: readonly Exchange[],
  judge: (attempts: readonly Exchange[]) => Judgement,
): Judgement {
  const attempts = attemptsIn(arrived)
  return attempts.length === 0 ? inconclusive('no delivery reached the receiver') : judge(attempts)
}

/** Attempts that arrived after the request was sent; journal ids follow the order of events. */
export function since(arrived: readonly Exchange[], moment: Exchange): readonly Exchange[] {
  const attempts = attemptsIn(arrived)
  const before = new Set(attempts.filter(({ id }) => id < moment.id).map(deliveryId))
  return attempts.filter((one) => one.id > moment.id && !before.has(deliveryId(one)))
}

export function until(arrived: readonly Exchange[], moment: Exchange): readonly Exchange[] {
  return attemptsIn(arrived).filter(({ id }) => id < moment.id)
}

/** The control of an absence: something arrived here. */
export function someArrived(attempts: readonly Exchange[], where: string): Judgement {
  return attempts.length > 0 ? pass : inconclusive(`nothing reached ${where}`)
}

/** Something had to arrive, and the receiver is known to be reachable. */
export function reached(attempts: readonly Exchange[], expected: string, beside: Exchange): Judgement {
  return check(attempts.length > 0, expected, 'nothing came', beside)
}

export function noneArrived(attempts: readonly Exchange[], expected: string): Judgement {
  const [first] = attempts
  return check(first === undefined, expected, `a delivery of ${first && deliveredEvent(first)}`, first)
}

/** The request was accepted, the endpoint was reached before, and a probe beside it still is. */
export function quietSince(
  moment: Exchange,
  quiet: readonly Exchange[],
  control: readonly Exchange[],
  expected: string,
): Judgement {
  return inTurn(
    need(requestAccepted(moment)),
    need(someArrived(until(quiet, moment), 'the endpoint before')),
    need(someArrived(since(control, moment), 'the other endpoint afterwards')),
    () => noneArrived(since(quiet, moment), expected),
  )
}
