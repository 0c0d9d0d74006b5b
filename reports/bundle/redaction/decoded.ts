/** Decodes a text, one encoding after the other. Texts are bytes here: of one with megabytes, copies as strings would be garbage. */
import { constants, unzipSync } from 'node:zlib'
import { excessOf } from '../json.ts'
import { binary } from '../text.ts'
import { eventDataIn } from './events.ts'
import { rewritten, createScratch } from './parts.ts'

/** How often a text may be escaped, and how deep base64 or hex may be nested. */
const most = { escaped: 5, packed: 4 }
/** Decoded bytes: so many for each byte, and so many more. A few kilobytes of gzip may stand for gigabytes. */
const allowed = { times: 8, more: 1 << 20 }

/** Returns true to stop. The bytes may be overwritten after that. */
type Visit = (text: Uint8Array) => boolean

/**
 * Visits the text, and what each further decoding makes of it; none is kept. Returns `whole` where that was all, `bounds`
 * where it goes deeper, or takes more bytes, than is looked into.
 */
export function visitDecodings(text: Buffer, visit: Visit): 'stopped' | 'bounds' | 'whole' {
  const bounds = { left: allowed.times * text.length + allowed.more, whole: true }
  const isStopped = decoded(text, most.packed, bounds, visit)
  for (const scratch of scratches.flat()) scratch.shrink()
  if (isStopped) return 'stopped'
  return bounds.whole ? 'whole' : 'bounds'
}

interface Bounds {
  left: number
  whole: boolean
}

/** Two for each nesting: a text is decoded from one into the other. */
const scratches = Array.from({ length: most.packed + 1 }, () => [createScratch(), createScratch()] as const)

/** Returns whether a visit stopped it. */
function decoded(text: Buffer, packings: number, bounds: Bounds, visit: Visit): boolean {
  const visited = (more: Buffer): boolean => visit(more) || visit(Buffer.from(inEvents(more), 'latin1'))
  if (visited(text)) return true
  let last = text
  let [free, used] = scratches[packings] ?? [createScratch(), createScratch()]
  for (let level = 0; isAllowed(bounds); level++) {
    const next = rewritten(last, unescaped, free)
    if (next === last) break
    if (level === most.escaped) bounds.whole = false
    if (!bounds.whole) break
    bounds.left -= next.length
    if (visited(next)) return true
    last = next
    ;[free, used] = [used, free]
  }
  const joined = rewritten(last, withoutGaps, free)
  if (joined !== last) {
    bounds.left -= joined.length
    if (visit(joined)) return true
  }
  // Base64 and hex have nothing escaped in them: they are still there after the last unescaping.
  return [inBase64, inHex].some((packing) => {
    if (!isAllowed(bounds)) return false
    const inner = unpacked(joined, packing, bounds)
    if (inner === '') return false
    if (packings === 0) bounds.whole = false
    return packings > 0 && decoded(Buffer.from(inner, 'latin1'), packings - 1, bounds, visit)
  })
}

/** Whether more may be decoded. */
function isAllowed(bounds: Bounds): boolean {
  if (bounds.left < 0) bounds.whole = false
  return bounds.whole
}

/** The texts of each name in the events of streams, joined: a model may send a secret in several tokens. */
function inEvents(text: Buffer): string {
  const byName = new Map<string, string>()
  const add = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') byName.set(name, (byName.get(name) ?? '') + value)
    return value
  }
  for (const data of eventDataIn(text))
    try {
      if (excessOf(data) === null) JSON.parse(data, add)
    } catch {
      // Only events in JSON have names.
    }
  return [...byName.values()].join('\n')
}

/** Escapes of JSON, of URLs and of HTML. Runs are bounded: the engine remembers each repetition of one. */
const escape =
  /(?:\\u[\da-f]{4}){1,1000}|\\.|(?:%[\da-f]{2}){1,1000}|&(?:amp|lt|gt|quot|apos);|&#(?:\d{1,7}|x[\da-f]{1,6});?/gi

export function unescaped(text: string): string {
  return text.replace(escape, (found) => {
    if (found.startsWith('%')) return Buffer.from(found.replaceAll('%', ''), 'hex').toString('latin1')
    if (found.startsWith('&')) return entity(found.slice(1).replace(';', '').toLowerCase())
    if (found.length > 2) return binary(unitsOf(found))
    return short[found] ?? found.slice(1)
  })
}

const short: Readonly<Record<string, string>> = {
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '\\b': '\b',
  '\\f': '\f',
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function entity(name: string): string {
  if (!name.startsWith('#')) return named[name] ?? ''
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code <= 0x10ffff ? binary(String.fromCodePoint(code)) : ''
}

function unitsOf(escapes: string): string {
  const units = escapes.slice(2).split(/\\u/i)
  return units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('')
}

/** Without the zeros of UTF-16, the line ends of base64, and what separates bytes in hex. */
function withoutGaps(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/(?<=[\w+/-]{8})[\r\n]+(?=[\w+/-])/g, '')
    .replaceAll(/(?<=\b[\da-f]{2})[ :](?=[\da-f]{2}\b)/gi, '')
}

interface Packing {
  encoding: 'base64' | 'hex'
  /** Of each byte, 1 where it may stand in a run. */
  isIn: Uint8Array
  /** Characters of the shortest run that is looked into. */
  least: number
}

const packing = (encoding: Packing['encoding'], characters: RegExp, least: number): Packing => ({
  encoding,
  isIn: Uint8Array.from({ length: 256 }, (_, byte) => Number(characters.test(String.fromCharCode(byte)))),
  least,
})
const inBase64 = packing('base64', /[\w+/-]/, 12)
const inHex = packing('hex', /[\da-f]/i, 16)

/** The runs of a text. No regular expression: the engine remembers each character of a run, of which there may be millions. */
function runsIn(text: Buffer, { isIn, least }: Packing): readonly string[] {
  const runs: string[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isIn[text[at] as number] === 1) continue
    if (at - start >= least) runs.push(text.toString('latin1', start, at))
    start = at + 1
  }
  return runs
}

/** How gzip and zlib begin. */
const magic = ['\x1f\x8b', 'x\x01', 'x\x5e', 'x\x9c', 'x\xda']
const readable = /^[\t\n\r\x20-\x7e]{8}/

/** The texts that are encoded in runs of base64 or hex. */
function unpacked(text: Buffer, packing: Packing, bounds: Bounds): string {
  const found: string[] = []
  for (const run of runsIn(text, packing)) {
    if (!isAllowed(bounds)) break
    const inner = Buffer.from(run, packing.encoding).toString('latin1')
    const text = magic.includes(inner.slice(0, 2)) ? unzipped(inner, bounds) : inner
    if (!readable.test(text)) continue
    bounds.left -= text.length
    found.push(text)
  }
  return found.join('\n')
}

/** Empty where it is neither gzip nor zlib. */
function unzipped(text: string, bounds: Bounds): string {
  try {
    const most = { maxOutputLength: Math.max(1, bounds.left), finishFlush: constants.Z_SYNC_FLUSH }
    return unzipSync(Buffer.from(text, 'latin1'), most).toString('latin1')
  } catch (error) {
    if (isTooLarge(error)) bounds.whole = false
    return ''
  }
}

/** Whether it is the error of a decompression that has more output than it may have. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
