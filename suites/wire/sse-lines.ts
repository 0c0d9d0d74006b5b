/**
 * The line table of an event stream: what every byte of it is, and when it arrived. Works on bytes, because a
 * decoder or a forgiving reader would hide what is to be judged; the standard's own rules decide the kinds.
 */
import { isAscii } from 'node:buffer'
import { type Chunk, decode, type Text } from './exchange.ts'

export type LineEnd = 'LF' | 'CR' | 'CRLF' | 'none'

interface AnyLine {
  /** Of its first byte, from the beginning of the body. */
  offset: number
  /** Its bytes, without its end. */
  size: number
  text: string
  /** Whether its bytes are UTF-8; where not, U+FFFD replaces broken bytes. */
  valid: boolean
  /** `none`: the stream broke off in it. */
  eol: LineEnd
  /** When its last byte arrived, its end included. Milliseconds since the run began. */
  at: number
}
export interface EmptyLine extends AnyLine {
  kind: 'empty'
}
export interface CommentLine extends AnyLine {
  kind: 'comment'
}
export interface FieldLine extends AnyLine {
  kind: 'field'
  name: string
  /** Without the one space that may follow the colon. */
  value: string
  colon: boolean
  /** Whether a space follows the colon. */
  space: boolean
}
export type SseLine = EmptyLine | CommentLine | FieldLine

const [LF, CR] = [0x0a, 0x0d]
const mark = [0xef, 0xbb, 0xbf]

/** Whether the stream begins with a byte order mark; it belongs to no line. */
export function hasMark(body: Uint8Array): boolean {
  return mark.every((byte, i) => body[i] === byte)
}

/** Every line, in order. Whatever the bytes are, lines, ends and mark together are the body again. */
export function readLines(body: Uint8Array, chunks: readonly Chunk[]): readonly SseLine[] {
  const arrival = arrivals(chunks)
  const textOf = decoderOf(body)
  const lines: SseLine[] = []
  let offset = hasMark(body) ? mark.length : 0
  while (offset < body.length) {
    const stop = endOf(body, offset)
    const eol = endAt(body, stop)
    const next = stop + { LF: 1, CR: 1, CRLF: 2, none: 0 }[eol]
    const { valid, text } = textOf(offset, stop)
    lines.push(kindOf({ offset, size: stop - offset, text, valid, eol, at: arrival(next - 1) }))
    offset = next
  }
  return lines
}

/** Between two places in the body. Of what is ASCII, lines are parts of one text: they take no memory of their own. */
function decoderOf(body: Uint8Array): (from: number, to: number) => Text {
  if (!isAscii(body)) return (from, to) => decode(body.subarray(from, to))
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  return (from, to) => ({ valid: true, text: whole.slice(from, to) })
}

function endOf(body: Uint8Array, from: number): number {
  let stop = from
  while (stop < body.length && body[stop] !== LF && body[stop] !== CR) stop++
  return stop
}

function endAt(body: Uint8Array, stop: number): LineEnd {
  if (body[stop] === LF) return 'LF'
  if (body[stop] !== CR) return 'none'
  return body[stop + 1] === LF ? 'CRLF' : 'CR'
}

/** A colon and a space are a byte each, and part of no other character: broken bytes beside them move neither. */
function kindOf(line: AnyLine): SseLine {
  const { text } = line
  if (line.size === 0) return { ...line, kind: 'empty' }
  const colon = text.indexOf(':')
  if (colon === 0) return { ...line, kind: 'comment' }
  if (colon === -1) return { ...line, kind: 'field', name: text, value: '', colon: false, space: false }
  const space = text[colon + 1] === ' '
  const [name, value] = [text.slice(0, colon), text.slice(colon + (space ? 2 : 1))]
  return { ...line, kind: 'field', name, value, colon: true, space }
}

/** When a byte arrived; asked in ascending order. */
function arrivals(chunks: readonly Chunk[]): (offset: number) => number {
  let index = 0
  let stop = chunks[0]?.bytes.length ?? 0
  return (offset) => {
    while (offset >= stop && index < chunks.length - 1) stop += chunks[++index]?.bytes.length ?? 0
    return chunks[index]?.at ?? 0
  }
}
