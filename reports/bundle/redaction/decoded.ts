/** Decodes a text, one encoding after the other. */
import { constants, unzipSync } from 'node:zlib'
import { binary } from '../text.ts'

/** How often a text may be escaped, and how deep base64 or hex may be nested. */
const most = { escaped: 5, packed: 2 }

/** The text, and what each further decoding makes of it. One character per byte. */
export function decodings(text: string, packings = most.packed): readonly string[] {
  const found = [text]
  let last = text
  for (let level = 0; level < most.escaped; level++) {
    const next = unescaped(last)
    if (next === last) break
    found.push(next)
    last = next
  }
  const fromEvents = found.map(inEvents).filter((said) => said !== '')
  const joined = withoutGaps(last)
  if (joined !== last) found.push(joined)
  // Base64 and hex have nothing escaped in them: they are still there after the last unescaping.
  const packed =
    packings === 0 ? [] : [unpacked(joined, base64Run, 'base64'), unpacked(joined, hexRun, 'hex')]
  const inner = packed.filter((one) => one !== '').flatMap((one) => decodings(one, packings - 1))
  return [...found, ...inner, ...fromEvents]
}

const event = /(?<=^|")data: ?([[{"].*)$/gm

/** The texts of each name in the events of streams, joined: a model may send a secret in several tokens. */
function inEvents(text: string): string {
  const byName = new Map<string, string>()
  const add = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') byName.set(name, (byName.get(name) ?? '') + value)
    return value
  }
  for (const [, data = ''] of text.matchAll(event))
    try {
      JSON.parse(data, add)
    } catch {
      // Only events in JSON have names.
    }
  return [...byName.values()].join('\n')
}

/** Escapes of JSON, of URLs and of HTML. */
const escape =
  /(?:\\u[\da-f]{4})+|\\.|(?:%[\da-f]{2})+|&(?:amp|lt|gt|quot|apos);|&#(?:\d{1,7}|x[\da-f]{1,6});?/gi

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

const base64Run = /[\w+/-]{12,}/g
const hexRun = /(?:[\da-f]{2}){8,}/gi
/** How gzip and zlib begin. */
const magic = ['\x1f\x8b', 'x\x01', 'x\x5e', 'x\x9c', 'x\xda']
const readable = /^[\t\n\r\x20-\x7e]{8,}/

/** The texts that are encoded in runs of base64 or hex. */
function unpacked(text: string, run: RegExp, encoding: 'base64' | 'hex'): string {
  const found: string[] = []
  for (const [match] of text.matchAll(run)) {
    const inner = Buffer.from(match, encoding).toString('latin1')
    const text = magic.includes(inner.slice(0, 2)) ? unzipped(inner) : inner
    if (readable.test(text)) found.push(text)
  }
  return found.join('\n')
}

/** Empty where it is neither gzip nor zlib. */
function unzipped(text: string): string {
  try {
    const most = { maxOutputLength: 1 << 24, finishFlush: constants.Z_SYNC_FLUSH }
    return unzipSync(Buffer.from(text, 'latin1'), most).toString('latin1')
  } catch {
    return ''
  }
}
