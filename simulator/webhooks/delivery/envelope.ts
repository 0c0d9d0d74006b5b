/** The body of a delivery: the envelope around an event, and its spelling as bytes. */
import type { Json, JsonObject } from '../../json.ts'
import type { Occurrence } from './delivery.ts'

/** `at`: what `timestamp` says, in milliseconds since 1970. */
export function envelopeOf({ event, agent, payload }: Occurrence, at: number): JsonObject {
  return { eventType: event, chatbotId: agent, timestamp: new Date(at).toISOString(), payload }
}

const envelopes = new WeakMap<Occurrence, JsonObject>()

/** The envelope that all attempts of all deliveries of an event share: it tells when the event happened. */
export function sharedEnvelopeOf(occurrence: Occurrence): JsonObject {
  const known = envelopes.get(occurrence)
  if (known) return known
  const envelope = envelopeOf(occurrence, occurrence.at)
  envelopes.set(occurrence, envelope)
  return envelope
}

/** Under half of the characters that JSON lets be escaped without need, so that no serialiser agrees with all of it. */
const escapable = /[/\u0080-\u00ff]/g
const escaped = (character: string): string =>
  character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Legal JSON that nobody's serialiser makes: `/` and the letters of Latin-1 are escaped, everything beyond stands as
 * UTF-8, and a fraction has a zero more than it needs (`1.50`). A receiver that signs what it has parsed and written
 * again therefore never gets the signature of the bytes that came.
 */
export function spell(value: Json): string {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(spell).join(',')}]`
  let members = ''
  for (const [name, member] of Object.entries(value))
    members += `${members === '' ? '' : ','}${text(name)}:${spell(member)}`
  return `{${members}}`
}

/** Texts that are spelt as they stand, as most are: looking takes less time than escaping nothing. */
const unescaped = /^[\w $:.,@+-]*$/

function text(value: string): string {
  return unescaped.test(value) ? `"${value}"` : JSON.stringify(value).replace(escapable, escaped)
}

function number(value: number): string {
  const plain = JSON.stringify(value)
  return /^-?\d+\.\d+$/.test(plain) ? `${plain}0` : plain
}

/** One event goes to many webhooks, and more than once to each that fails: it is spelt once. */
const bodies = new WeakMap<JsonObject, Uint8Array>()

/** The same bytes for the same object, which nobody changes any more. */
export function encode(envelope: JsonObject): Uint8Array {
  const known = bodies.get(envelope)
  if (known) return known
  const body = Buffer.from(spell(envelope), 'utf8')
  bodies.set(envelope, body)
  return body
}
