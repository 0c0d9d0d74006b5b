/** Bytes as text. */
import { isUtf8 } from 'node:buffer'

export interface Text {
  /** Whether the bytes are UTF-8; where not, U+FFFD stands for what is broken. */
  valid: boolean
  /** A byte order mark is kept. */
  text: string
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decode(raw: Uint8Array): Text {
  return { valid: isUtf8(raw), text: decoder.decode(raw) }
}

/** The UTF-8 bytes of a text, one character each. */
export function binary(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

/** Plain data as it is read once it was written: half a character becomes U+FFFD. */
export function readAgain<T>(value: T): T {
  const member = (_: string, one: unknown): unknown => (typeof one === 'string' ? one.toWellFormed() : one)
  return JSON.parse(JSON.stringify(value), member) as T
}

export const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The message of an error, or what was thrown in its place. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** How a secret may go over the wire: in UTF-8 and, as a header is sent, in Latin-1 where that has all of its letters. */
export function wireForms(secret: string): readonly Buffer[] {
  const [utf8, latin1] = [Buffer.from(secret), Buffer.from(secret, 'latin1')]
  return latin1.length < utf8.length && latin1.toString('latin1') === secret ? [utf8, latin1] : [utf8]
}

/** A secret, and what of it is secret behind a beginning that is public: a server may repeat that alone. */
export function withoutPrefix(secret: string): readonly string[] {
  return [secret, ...(/(?<=^(?:sk-|ak_|whsec_)).{16,}$/.exec(secret) ?? [])]
}
