/** How a response is encoded; every member can be changed by a fault or a variant. */
import type { JsonObject } from '../json.ts'

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
