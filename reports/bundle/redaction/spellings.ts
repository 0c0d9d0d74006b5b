/**
 * Every spelling in which a secret may turn up in a message: plain, JSON-escaped, URL-encoded, as in HTML, any
 * mixture and nesting of these, base64 at each alignment and in both alphabets, and hex; each whole or cut off.
 * As patterns over binary text, where one character is one byte.
 */

/** Sources of regular expressions without groups that capture. */
export function spellings(secret: string): readonly string[] {
  return formsOf(secret).map((one) => one.whole())
}

/** One way to write a secret, each character of which may be written in several ways. */
export interface Form {
  text: string
  /** What it is, as binary text, where nothing is escaped; null where that is not one text. */
  literal: string | null
  /** The pattern of all of it. */
  whole(): string
  /** The pattern of its beginning, where we cut off the rest and put an ellipsis. */
  cut(): string
}

/** As it is, in base64 after 0, 1 and 2 other bytes, and in hexadecimal. */
export function formsOf(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret, 'utf8')
  const hex = bytes.toString('hex')
  const inHex = (): readonly string[] => Array.from(bytes, (byte) => anyCase(hexOf(byte)))
  return [
    { ...form(secret, () => inText(secret)), literal: binary(secret) },
    ...[0, 1, 2].flatMap((before) => base64(bytes, before)),
    form(hex, inHex),
  ]
}

/** `partsOf`: the pattern of each character. */
function form(text: string, partsOf: () => readonly string[], head = '', tail = ''): Form {
  return {
    text,
    literal: null,
    whole: () => head + partsOf().join('') + tail,
    cut: () => {
      const parts = partsOf()
      const rest = parts.slice(leastOfCut).reduceRight((after, part) => `(?:${part}${after})?`, '')
      return parts.slice(0, leastOfCut).join('') + rest + wasCut
    },
  }
}

/** So many characters of a secret tell whose it is. */
const leastOfCut = 6
/** What a character may leave behind that was cut in half: of its bytes, of its escape or of both. */
const half = String.raw`(?:\xef\xbf\xbd|%[\da-fA-F]*|\\+(?:u[\da-fA-F]{0,4})?|&[#\w;]{0,12}|[\w+/-]){0,4}`
/** The ellipsis where we cut a text to size, as binary text. */
const wasCut = String.raw`${half}(?=\xe2\x80\xa6)`

/** The UTF-8 bytes of a text, one character each. */
export function binary(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

function inText(text: string, also: Readonly<Record<string, string>> = {}): readonly string[] {
  return Array.from(text, (character, at) => spelled(character, at === 0 ? firstRun : run, also[character]))
}

/** Backslashes before a character. */
const run = '\\\\+'
/**
 * Before the first one they are taken from the first of them on, or not at all: tried from each of them in turn, a
 * body of nothing but backslashes would take time with its square.
 */
const firstRun = `(?<!\\\\)${run}`

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
}

/** One character: as it is, percent-encoded, or escaped as JSON does; each once or over again. `escaped`: the run before an escape. */
function spelled(character: string, escaped: string, also?: string): string {
  const bytes = Array.from(Buffer.from(character, 'utf8'), hexOf)
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
  const short = shortEscapes[character]
  const forms = [
    character === '\\' ? escaped : bytes.map((byte) => `\\x${byte}`).join(''),
    bytes.map((byte) => `%(?:25)*${anyCase(byte)}`).join(''),
    units
      .map((unit, at) => `${at === 0 ? escaped : run}u${anyCase(unit.toString(16).padStart(4, '0'))}`)
      .join(''),
    ...(short === undefined ? [] : [`${escaped}${short}`]),
    ...(character === ' ' ? ['\\+'] : []),
    entity(character),
    ...(also === undefined ? [] : [also]),
  ]
  return `(?:${forms.join('|')})`
}

const named: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** As HTML and XML write it, once or over again: what would be markup by name, anything by its number. */
function entity(character: string): string {
  const name = named[character]
  const code = character.codePointAt(0) ?? 0
  const number = `#(?:0*${code}|[xX]0*${anyCase(code.toString(16))})`
  return `&(?:amp;)*${name === undefined ? number : `(?:${name}|${number})`};?`
}

/** A base64 character that also carries bits of what stands before or after the secret. */
const shared = '(?:[A-Za-z0-9+/_-]|%2[bBfF])'
const shortestCore = 5

/** The secret after `before` bytes of something else, modulo 3: its characters depend on nothing but that. */
function base64(secret: Buffer, before: number): readonly Form[] {
  const encoded = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
  const length = before + secret.length
  const core = encoded.slice(Math.ceil((before * 8) / 6), Math.floor((length * 8) / 6))
  if (core.length < shortestCore) return []
  const head = before === 0 ? '' : `${shared}?`
  const tail = length % 3 === 0 ? '' : `${shared}?`
  return [form(core, () => inText(core, { '+': '-', '/': '_' }), head, tail)]
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
