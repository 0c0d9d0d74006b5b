/** JSON in the encoding of a wire style. The plain style is `JSON.stringify`. */
import { isObject, type Json, type JsonObject } from '../json.ts'
import { plainWire, type WireStyle } from './wire.ts'

function ordered(value: Json, order: WireStyle['memberOrder']): Json {
  if (Array.isArray(value)) return value.map((item: Json) => ordered(item, order))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, item]) => [name, ordered(item, order)] as const)
  if (order === 'reversed') members.reverse()
  if (order === 'sorted') members.sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members)
}

function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** `indent` is for bodies only: a data line cannot have line breaks. */
export function encodeJson(value: Json, wire: WireStyle, indent = 0): string {
  const text = JSON.stringify(
    wire.memberOrder === 'as-made' ? value : ordered(value, wire.memberOrder),
    null,
    indent,
  )
  return wire.asciiOnly ? escaped(text) : text
}

export function extended(value: JsonObject, { extraMembers }: WireStyle): JsonObject {
  return extraMembers === plainWire.extraMembers ? value : { ...value, ...extraMembers }
}
