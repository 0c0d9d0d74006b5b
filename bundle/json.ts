/** Strict JSON: never throws. */
import type { Json } from '../spec/json.ts'

export type { Json } from '../spec/json.ts'
/** `unread`: it may be JSON, with more in it than is read. */
export type JsonReading = { ok: true; value: Json } | { ok: false; why: string; unread?: true }

/** Levels of lists and objects that are read: the judges walk them by recursion, and nothing real is half as deep. */
const deepest = 500
/** Values in lists and objects: each takes much more memory than its few bytes. */
const mostValues = 500_000

/**
 * RFC 8259: no byte order mark, no comments, one value. Section 9 leaves it to a reader how deep it goes. `most`: values
 * in lists and objects.
 */
export function parseJson(text: string, most = mostValues): JsonReading {
  const why = excessOf(text, most)
  if (why !== null) return { ok: false, why, unread: true }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch (error) {
    const marked = text.startsWith('\ufeff') ? 'it begins with a byte order mark' : String(error)
    return { ok: false, why: text === '' ? 'it is empty' : marked }
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
/** Of brackets and braces, which differ in one bit. */
const [OPEN, CLOSE, bit] = [0x7b, 0x7d, 0x20]

/** Why a text is not to be parsed, or null. */
export function excessOf(text: string, most = mostValues): string | null {
  if (text.length <= deepest || isPlain(text)) return null
  let [depth, values, inString] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) inString = !inString
    else if (unit === BACKSLASH) i++
    else if (inString) continue
    else if (unit === COMMA) values++
    else if ((unit | bit) === OPEN) depth++
    else if ((unit | bit) === CLOSE) depth--
    if (depth > deepest) return `it is nested deeper than ${deepest} levels`
    if (values > most) return `it has more than ${most} values`
  }
  return null
}

/** Whether it has too few commas and brackets for either limit, in or outside of texts: most large texts are one value. */
function isPlain(text: string): boolean {
  if (text.length > mostValues) return false
  let openings = 0
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (++openings > deepest) return false
  return true
}

/** The value of a member of an object of its own; undefined for anything else. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/**
 * Of a member that is there twice one reader takes the first and another the last. Where a text is not the value that
 * we read in it, put as a run puts it, it may say something else to somebody else; space between the parts is free.
 */
export function isPlainlySpelled(text: string, value: unknown): boolean {
  // As runs write them; what is put otherwise takes several times as long.
  if (text === (text.endsWith('\n') ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value)))
    return true
  return text.replaceAll(texts, '$1') === JSON.stringify(value)
}

/** A text, which is kept, or space between two parts. */
const texts = /("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g
