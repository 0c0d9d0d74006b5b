/** Decodes what may hide a secret, one encoding after the other, within bounds. Texts have one character per byte. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
} from 'node:zlib'
import { joined } from '../chunks.ts'
import type { Received } from '../exchange.ts'
import { excessOf } from '../json.ts'
import { binary } from '../text.ts'

/** How often a text may be escaped, how deep base64 or hex may be nested, and gzip that no header names. */
const most = { escaped: 5, packed: 4, unsaid: 3 }
/** Decoded bytes: so many for each byte, and so many more. A few kilobytes of gzip may stand for gigabytes. */
const allowed = { times: 8, more: 1 << 20 }

/** What may still be decoded; not `whole`: there was more. */
export interface Bounds {
  left: number
  whole: boolean
}

export function boundsOf(text: string): Bounds {
  return { left: allowed.times * text.length + allowed.more, whole: true }
}

function isAllowed(bounds: Bounds): boolean {
  if (bounds.left < 0) bounds.whole = false
  return bounds.whole
}

export function* decodings(text: string, bounds: Bounds, packings = most.packed): Generator<string> {
  yield text
  yield inEvents(text)
  let last = text
  for (let level = 0; isAllowed(bounds); level++) {
    const next = unescaped(last)
    if (next === last) break
    if (level === most.escaped) bounds.whole = false
    if (!bounds.whole) break
    bounds.left -= next.length
    yield next
    yield inEvents(next)
    last = next
  }
  // Without the zeros of UTF-16, the line ends of base64, and what separates bytes in hex.
  const whole = last
    .replaceAll('\0', '')
    .replaceAll(/(?<=[\w+/-]{8})[\r\n]+(?=[\w+/-])/g, '')
    .replaceAll(/(?<=\b[\da-f]{2})[ :](?=[\da-f]{2}\b)/gi, '')
  if (whole !== last) {
    bounds.left -= whole.length
    yield whole
  }
  // Base64 and hex have nothing escaped in them: they are still there after the last unescaping.
  for (const encoding of ['base64', 'hex'] as const) {
    if (!isAllowed(bounds)) return
    // The texts that are encoded in runs of base64 or hex.
    const found: string[] = []
    for (const run of runsIn(whole, runs[encoding])) {
      if (!isAllowed(bounds)) break
      const bytes = Buffer.from(run, encoding)
      const isZipped = magic.includes(bytes.toString('latin1', 0, 2))
      const inner = isZipped ? unzipped(bytes, bounds) : bytes.toString('latin1')
      if (!readable.test(inner)) continue
      bounds.left -= inner.length
      found.push(inner)
    }
    const inner = found.join('\n')
    if (inner === '') continue
    if (packings === 0) bounds.whole = false
    else yield* decodings(inner, bounds, packings - 1)
  }
}

const eventData = /(?:^|")data: ?(?=["[{])/

/** The texts of each name in the events of streams, joined: several tokens may make up a secret. */
function inEvents(text: string): string {
  if (!text.includes('data:')) return ''
  const byName = new Map<string, string>()
  const add = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') byName.set(name, (byName.get(name) ?? '') + value)
    return value
  }
  for (const line of text.split(/[\n\r]/)) {
    const found = eventData.exec(line)
    const data = found ? line.slice(found.index + found[0].length) : ''
    // The latter begins a text that is still escaped.
    if (data === '' || /^[[{]\\/.test(data) || excessOf(data) !== null) continue
    try {
      JSON.parse(data, add)
    } catch {
      // Only events in JSON have names.
    }
  }
  return [...byName.values()].join('\n')
}

/** Escapes of JSON, of URLs and of HTML. Runs are bounded: the engine remembers each repetition of one. */
const escape =
  /(?:\\u[\da-f]{4}){1,1000}|\\.|(?:%[\da-f]{2}){1,1000}|&(?:amp|lt|gt|quot|apos);|&#(?:\d{1,7}|x[\da-f]{1,6});?/gi
const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function unescaped(text: string): string {
  return text.replace(escape, (found) => {
    if (found.startsWith('%')) return Buffer.from(found.replaceAll('%', ''), 'hex').toString('latin1')
    if (found.startsWith('&')) return entity(found.slice(1).replace(';', '').toLowerCase())
    if (found.length === 2) return short[found.slice(1)] ?? found.slice(1)
    const units = found.slice(2).split(/\\u/i)
    return binary(units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join(''))
  })
}

function entity(name: string): string {
  if (!name.startsWith('#')) return named[name] ?? ''
  const code = Number(name.replace('#x', '0x').replace('#', ''))
  return code <= 0x10ffff ? binary(String.fromCodePoint(code)) : ''
}

const runs = { base64: { isIn: codes(/[\w+/-]/), least: 12 }, hex: { isIn: codes(/[\da-f]/i), least: 16 } }

function codes(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(characters.test(String.fromCharCode(code))))
}

/** No regular expression: the engine remembers each character of a run, of which there may be millions. */
function* runsIn(text: string, { isIn, least }: { isIn: Uint8Array; least: number }): Generator<string> {
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isIn[text.charCodeAt(at)] === 1) continue
    if (at - start >= least) yield text.slice(start, at)
    start = at + 1
  }
}

const magic = ['\x1f\x8b', 'x\x01', 'x\x5e', 'x\x9c', 'x\xda']
const readable = /^[\t\n\r\x20-\x7e]{8}/

/** Of what broke off, what there is. */
const cutZlib = { finishFlush: constants.Z_SYNC_FLUSH }

/** Empty where it is neither gzip nor zlib. */
function unzipped(bytes: Buffer, bounds: Bounds): string {
  try {
    return unzipSync(bytes, { ...cutZlib, maxOutputLength: Math.max(1, bounds.left) }).toString('latin1')
  } catch (error) {
    if (isTooLarge(error)) bounds.whole = false
    return ''
  }
}

/** Whether it is the error of a decompression that has more output than it may have. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

const maxOutputLength = 1 << 22
const zlib = { ...cutZlib, maxOutputLength }
const brotli = { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }
const readers: readonly (readonly [RegExp, (bytes: Uint8Array) => Buffer])[] = [
  [/gzip/i, (bytes) => gunzipSync(bytes, zlib)],
  [/deflate/i, (bytes) => inflateSync(bytes, zlib)],
  [/deflate/i, (bytes) => inflateRawSync(bytes, zlib)],
  [/br/i, (bytes) => brotliDecompressSync(bytes, brotli)],
]

/**
 * The bytes of a body that came compressed, although that was not asked for. Null where it did not, or not as its header
 * says. `too large`, or compressed too often: nothing is known of it.
 */
export function decompressed({ headers, chunks }: Received): Buffer | 'too large' | null {
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').join()
  const given = joined(chunks)
  let bytes = given
  // The compression that was applied last is named last.
  const named = encoding.split(',').toReversed()
  for (let at = 0; at < named.length || (bytes[0] === 0x1f && bytes[1] === 0x8b); at++) {
    if (at === named.length + most.unsaid) return 'too large'
    const inner = readAs(named[at] ?? 'gzip', bytes)
    if (inner === 'too large') return inner
    if (inner === null && at >= named.length) break
    bytes = inner ?? bytes
  }
  return bytes === given ? null : bytes
}

function readAs(encoding: string, bytes: Uint8Array): Buffer | 'too large' | null {
  for (const [, read] of readers.filter(([name]) => name.test(encoding)))
    try {
      return read(bytes)
    } catch (error) {
      // Perhaps another reader fits.
      if (isTooLarge(error)) return 'too large'
    }
  return null
}
