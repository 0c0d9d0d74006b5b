/** What a text says once its encodings are undone, one after the other, as far as it goes. */

import { constants, unzipSync } from 'node:zlib'

/** How often a text may be escaped, and how deep what is packed may lie in what is packed. */
const most = { escaped: 5, packed: 2 }

/** The text, and what each further undoing makes of it. One character per byte. */
export function readings(text: string, packings = most.packed): readonly string[] {
  const found = [text]
  let last = text
  for (let level = 0; level < most.escaped; level++) {
    const next = unescaped(last)
    if (next === last) break
    found.push(next)
    last = next
  }
  const spoken = found.map(inEvents).filter((text) => text !== '')
  const close = closed(last)
  if (close !== last) found.push(close)
  if (packings === 0) return [...found, ...spoken]
  // What is packed has nothing in it that is escaped: it is still there after the last of them.
  for (const inner of [packed(close, base64Run, 'base64'), packed(close, hexRun, 'hex')])
    if (inner !== '') found.push(...readings(inner, packings - 1))
  return [...found, ...spoken]
}

const event = /(?<=^|")data: ?([[{"].*)$/gm

/** What the events of streams say together: the texts of each name, one behind the other. */
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
      // What is no JSON says nothing here.
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
    if (found.length > 2) return bytesOf(unitsOf(found))
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
  return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : ''
}

function unitsOf(escapes: string): string {
  const units = escapes.slice(2).split(/\\u/i)
  return units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('')
}

/** The UTF-8 of a text, one character per byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Without zeros, as between the characters of UTF-16, and what stands between the lines of base64 or bytes in hex. */
function closed(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/(?<=[\w+/-]{8})[\r\n]+(?=[\w+/-])/g, '')
    .replaceAll(/(?<=\b[\da-f]{2})[ :](?=[\da-f]{2}\b)/gi, '')
}

const base64Run = /[\w+/-]{12,}/g
const hexRun = /(?:[\da-f]{2}){8,}/gi
/** How gzip and zlib begin. */
const compressed = ['\x1f\x8b', 'x\x01', 'x\x5e', 'x\x9c', 'x\xda']
const readable = /^[\t\n\r\x20-\x7e]{8,}/

/** What these runs stand for, of those that stand for text. */
function packed(text: string, run: RegExp, encoding: 'base64' | 'hex'): string {
  const found: string[] = []
  for (const [match] of text.matchAll(run)) {
    const inner = Buffer.from(match, encoding).toString('latin1')
    const text = compressed.includes(inner.slice(0, 2)) ? decompressed(inner) : inner
    if (readable.test(text)) found.push(text)
  }
  return found.join('\n')
}

/** Gzip or zlib; nothing where it is neither after all. */
function decompressed(text: string): string {
  try {
    const most = { maxOutputLength: 1 << 24, finishFlush: constants.Z_SYNC_FLUSH }
    return unzipSync(Buffer.from(text, 'latin1'), most).toString('latin1')
  } catch {
    return ''
  }
}
