/** Strict JSON: never throws. */
import type { Json } from '../../spec/json.ts'

export type { Json } from '../../spec/json.ts'
export type JsonReading = { ok: true; value: Json } | { ok: false; why: string }

/** Levels of lists and objects that are read: the judges walk them by recursion, and nothing real is half as deep. */
const deepest = 500

/** RFC 8259: no byte order mark, no comments, one value. Section 9 leaves it to a reader how deep it goes. */
export function parseJson(text: string): JsonReading {
  if (depthOf(text) > deepest) return { ok: false, why: `it is nested deeper than ${deepest} levels` }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch (error) {
    return { ok: false, why: text === '' ? 'it is empty' : String(error) }
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const steps: Readonly<Record<number, 1 | -1>> = { 0x5b: 1, 0x7b: 1, 0x5d: -1, 0x7d: -1 }

/** The most levels that are open at once; a text too short to be too deep is not looked at. */
function depthOf(text: string): number {
  if (text.length <= deepest) return 0
  let [depth, most, inString] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) inString = !inString
    else if (unit === BACKSLASH) i++
    else if (!inString) depth += steps[unit] ?? 0
    if (depth > most) most = depth
  }
  return most
}
