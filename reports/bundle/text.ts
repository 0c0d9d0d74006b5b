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

let view = Buffer.alloc(1 << 16)

/**
 * The bytes of a text of one character per byte, until the next call: all share one buffer, because megabytes of
 * garbage per response would be memory for a long time.
 */
export function latin1View(text: string): Buffer {
  if (view.length < text.length) view = Buffer.alloc(text.length)
  return view.subarray(0, view.write(text, 'latin1'))
}

export function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

/** Plain data as it is read once it was written: half a character becomes U+FFFD. */
export function readAgain<T>(value: T): T {
  const member = (_: string, one: unknown): unknown => (typeof one === 'string' ? one.toWellFormed() : one)
  return JSON.parse(JSON.stringify(value), member) as T
}

/** The message of an error, or what was thrown in its place. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
