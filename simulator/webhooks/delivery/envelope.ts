/** The request of a delivery: envelope, bytes, signature and headers. */
import type * as Crypto from 'node:crypto'
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { DeliveryRules } from '../../rules/webhooks.ts'
import type { Json, JsonObject } from '../../json.ts'
import { remembered } from '../../tenant/book.ts'
import type { Occurrence } from '../../tenant/webhooks/delivery.ts'

/** `at`: what `timestamp` says, in milliseconds since 1970. */
export function eventEnvelope({ event, agent, payload }: Occurrence, at: number): JsonObject {
  return { eventType: event, chatbotId: agent, timestamp: new Date(at).toISOString(), payload }
}

const envelopes = new WeakMap<Occurrence, JsonObject>()

/** The envelope that all attempts of all deliveries of an event share, with the time of the event. */
export const sharedEnvelopeOf = (occurrence: Occurrence): JsonObject =>
  remembered(envelopes, occurrence, () => eventEnvelope(occurrence, occurrence.at))

/** Characters that JSON allows to escape; serializers escape none or more of them. */
const escapable = /[/\u0080-\u00ff]/g
const escaped = (character: string): string =>
  character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Valid JSON that no common serializer produces: `/` and the letters of Latin-1 are escaped, other characters are
 * UTF-8, and a fraction has a trailing zero (`1.50`). A receiver that parses and re-serializes before it verifies the
 * signature therefore fails.
 */
export function serialize(value: Json): string {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(serialize).join(',')}]`
  let members = ''
  for (const [name, member] of Object.entries(value))
    members += `${members === '' ? '' : ','}${text(name)}:${serialize(member)}`
  return `{${members}}`
}

/** Fast path for strings that need no escaping. */
const unescaped = /^[\w $:.,@+-]*$/

function text(value: string): string {
  return unescaped.test(value) ? `"${value}"` : JSON.stringify(value).replace(escapable, escaped)
}

function number(value: number): string {
  const plain = JSON.stringify(value)
  return /^-?\d+\.\d+$/.test(plain) ? `${plain}0` : plain
}

/** An event is serialized once for all webhooks and retries. */
const bodies = new WeakMap<JsonObject, Uint8Array>()

/** Returns the same bytes for the same object, which must not change. */
export const encode = (envelope: JsonObject): Uint8Array =>
  remembered(bodies, envelope, () => Buffer.from(serialize(envelope), 'utf8'))

/** Loaded at the first delivery: a simulator without webhooks starts faster without it. */
const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto')

/** HMAC-SHA256 in hexadecimal digits; the key is the secret as UTF-8. */
export function hmacSha256Hex(body: Uint8Array, secret: string): string {
  return crypto().createHmac('sha256', secret).update(body).digest('hex')
}

export const signature = (body: Uint8Array, secret: string): string => `sha256=${hmacSha256Hex(body, secret)}`

export const capitalSignature = (body: Uint8Array, secret: string): string =>
  `sha256=${hmacSha256Hex(body, secret).toUpperCase()}`

/** The headers of the service, then those custom headers of the webhook that are not reserved. */
export function deliveryHeadersOf({
  signatureHeader,
  deliveryIdHeader,
  eventHeader,
  userAgent,
}: Identifiers): DeliveryRules['deliveryHeaders'] {
  return (delivery, attempt, body, rules) => [
    ['Content-Type', 'application/json'],
    [signatureHeader, rules.signature(body, delivery.webhook.secret)],
    [deliveryIdHeader, rules.attemptId(delivery, attempt)],
    [eventHeader, delivery.occurrence.event],
    ['User-Agent', userAgent],
    ...delivery.webhook.customHeaders.filter(([name]) => !rules.isReservedHeader(name)),
  ]
}
