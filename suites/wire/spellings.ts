/**
 * Every spelling in which a secret may turn up in a message: plain, JSON-escaped, URL-encoded, any mixture and
 * nesting of these, base64 at each alignment and in both alphabets, and hex. As patterns over binary text, where
 * one character is one byte.
 */

/** Sources of regular expressions without groups that capture. */
export function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const hex = Array.from(bytes, (byte) => anyCase(hexOf(byte))).join('')
  return [inText(secret), ...[0, 1, 2].flatMap((before) => base64(bytes, before)), hex]
}

/** The UTF-8 bytes of a text, one character each. */
export function binary(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

function inText(text: string, also: Readonly<Record<string, string>> = {}): string {
  return Array.from(text, (character) => spelled(character, also[character])).join('')
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
}

/** One character: as it is, percent-encoded, or escaped as JSON does; each once or over again. */
function spelled(character: string, also?: string): string {
  const bytes = Array.from(Buffer.from(character, 'utf8'), hexOf)
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const short = shortEscapes[character]
  const forms = [
    character === '\\' ? '\\\\+' : bytes.map((byte) => `\\x${byte}`).join(''),
    bytes.map((byte) => `%(?:25)*${anyCase(byte)}`).join(''),
    units.map((unit) => `\\\\+u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    ...(short === undefined ? [] : [`\\\\+${short}`]),
    ...(character === ' ' ? ['\\+'] : []),
    ...(also === undefined ? [] : [also]),
  ]
  return `(?:${forms.join('|')})`
}

/** A base64 character that also carries bits of what stands before or after the secret. */
const shared = '(?:[A-Za-z0-9+/_-]|%2[bBfF])'
const shortestCore = 5

/** The secret after `before` bytes of something else, modulo 3: its characters depend on nothing but that. */
function base64(secret: Buffer, before: number): readonly string[] {
  const encoded = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
  const length = before + secret.length
  const core = encoded.slice(Math.ceil((before * 8) / 6), Math.floor((length * 8) / 6))
  if (core.length < shortestCore) return []
  const head = before === 0 ? '' : `${shared}?`
  const tail = length % 3 === 0 ? '' : `${shared}?`
  return [`${head}${inText(core, { '+': '-', '/': '_' })}${tail}`]
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
