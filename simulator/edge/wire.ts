/** How a response is encoded; every member can be changed by a fault or a variant. */
import { type JsonObject, isObject, type Json } from '../json.ts'

export interface WireStyle {
  eol: '\n' | '\r\n' | '\r'
  /** Stands before the JSON of an event. */
  dataPrefix: string
  /** Lines that end an event; 1 is what the standard asks for. */
  blankLines: number
  /** Sent before the first event, such as a byte order mark or a comment line. */
  preamble: string
  /** Comment lines between events; null sends none. */
  comment: string | null
  /** A comment goes out whenever a stream was silent for so long; null sends none. */
  keepAliveMs: number | null
  /** Also sends `event: <type>`. */
  eventLine: boolean
  /** Also sends `id: <n>`. */
  idLine: boolean
  streamContentType: string
  jsonContentType: string | null
  /** Splits a stream every so many bytes, wherever that falls; null sends an event at a time. */
  chunkBytes: number | null
  /** Sends all of a stream in one write at its end. */
  buffered: boolean
  /** Casing of response header names. */
  headerName(name: string): string
  memberOrder: 'as-made' | 'reversed' | 'sorted'
  /** Members added to the body of a chat reply and to `done`. */
  extraMembers: JsonObject
  /** Spaces of indentation of a JSON body; 0 for none. */
  indent: number
  /** Escapes every character beyond ASCII. */
  asciiOnly: boolean
}

export const plainWire: WireStyle = {
  eol: '\n',
  dataPrefix: 'data: ',
  blankLines: 1,
  preamble: '',
  comment: null,
  keepAliveMs: null,
  eventLine: false,
  idLine: false,
  streamContentType: 'text/event-stream; charset=utf-8',
  jsonContentType: 'application/json; charset=utf-8',
  chunkBytes: null,
  buffered: false,
  headerName: (name) => name,
  memberOrder: 'as-made',
  extraMembers: {},
  indent: 0,
  asciiOnly: false,
}

export function ordered(value: Json, order: WireStyle['memberOrder']): Json {
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
