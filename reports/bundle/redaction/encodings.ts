/** The encodings in which servers repeat a secret: as it is, in JSON, in a URL, in HTML, in base64 and in hex. */

import { binary } from '../text.ts'

/** One character per byte; case does not matter. Longer ones first. */
export function encodingsOf(value: string): readonly string[] {
  const secret = value.toWellFormed()
  const bytes = Buffer.from(secret)
  const json = inJson(secret)
  const texts = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    inAscii(json),
    inAscii(json.replaceAll('/', '\\/')),
    inAscii(json, /[\u0080-\uffff<>&']/g),
    inJson(json),
    inJson(inJson(json)),
    encodeURI(secret),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    inHtml(secret, '&#39;', '&quot;'),
    inHtml(secret, '&#x27;', '&quot;'),
    inHtml(secret, '&apos;', '&#34;'),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ]
  return [...new Set(texts.map(binary))].toSorted((one, other) => other.length - one.length)
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function inAscii(json: string, escaped = /[\u0080-\uffff]/g): string {
  return json.replaceAll(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function inHtml(text: string, apostrophe: string, quote: string): string {
  const [ampersand, less, greater] = ['&amp;', '&lt;', '&gt;']
  return text
    .replaceAll('&', ampersand)
    .replaceAll('<', less)
    .replaceAll('>', greater)
    .replaceAll("'", apostrophe)
    .replaceAll('"', quote)
}

const shortestBase64 = 5

/** In both alphabets, after `before` bytes modulo 3: the characters that depend on nothing but the secret. */
export function inBase64(secret: Uint8Array, before: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(before), secret])
  const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)]
  const [plain, url] = [whole.toString('base64').slice(from, to), whole.toString('base64url').slice(from, to)]
  if (plain.length < shortestBase64) return []
  return [plain, url, plain.replaceAll('/', '\\/'), encodeURIComponent(plain)]
}
