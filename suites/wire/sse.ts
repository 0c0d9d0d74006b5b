/**
 * An event stream as it was recorded: the line table, and the events a client would see. Strict and total: it
 * reads any bytes, repairs nothing, and leaves every judgement to the judges.
 */
import { createParser } from 'eventsource-parser'
import { type Chunk, type Exchange, parseJson, type Json, type JsonReading, bytes } from './exchange.ts'
import { memo } from './memo/memo.ts'
import { hasMark, readLines, type FieldLine, type SseLine } from './sse-lines.ts'

export type { FieldLine, SseLine } from './sse-lines.ts'

export interface DataLine {
  line: FieldLine
  /** The value of this one line. */
  json: JsonReading
}

export interface SseEvent {
  /** When its last line arrived: the blank one, if it is terminated. Milliseconds since the run began. */
  at: number
  /** The last `event` field, or `message`. */
  type: string
  /** The data lines joined by line feeds. */
  data: string
  dataLines: readonly DataLine[]
  json: Json | undefined
  /** Every line of its block, comments and the blank line included. */
  lines: readonly SseLine[]
  /** A blank line ends it. A client that follows the standard drops one that is not terminated. */
  terminated: boolean
}

export interface StreamReading {
  body: Uint8Array
  /** It begins with a byte order mark, which belongs to no line. */
  bom: boolean
  /** Whether every line is UTF-8. */
  valid: boolean
  lines: readonly SseLine[]
  /** Every block with a data line, in order; only the last one may be unterminated. */
  events: readonly SseEvent[]
  /** The lines after the last blank one: a block that was never finished. */
  leftover: readonly SseLine[]
}

/** The reading of an exchange's body, whatever its content type says. Worked out once. */
export const readSseBody: (exchange: Exchange) => StreamReading = memo(
  (exchange) => readStream(bytes(exchange), exchange.response?.chunks ?? []),
  // However short they are.
  ({ lines }) => 400 * lines.length,
)

/** `chunks` are the same bytes as `body`, as they arrived. */
export function readStream(body: Uint8Array, chunks: readonly Chunk[]): StreamReading {
  const lines = readLines(body, chunks)
  const blocks = blocksOf(lines)
  const last = blocks.at(-1) ?? []
  return {
    body,
    bom: hasMark(body),
    valid: lines.every((line) => line.valid),
    lines,
    events: blocks.flatMap(eventOf),
    leftover: isTerminated(last) ? [] : last,
  }
}

/** Lines up to and including each blank one; the last block may lack it. */
function blocksOf(lines: readonly SseLine[]): readonly (readonly SseLine[])[] {
  const blocks: SseLine[][] = []
  for (const line of lines) {
    const current = blocks.at(-1)
    if (current && !isTerminated(current)) current.push(line)
    else blocks.push([line])
  }
  return blocks
}

function isTerminated(block: readonly SseLine[]): boolean {
  return block.at(-1)?.kind === 'empty'
}

/** No event without a data line; a block that only names an event dispatches nothing. */
function eventOf(lines: readonly SseLine[]): readonly SseEvent[] {
  const fields = lines.filter((line) => line.kind === 'field')
  const dataLines = fields
    .filter((field) => field.name === 'data')
    .map((line) => ({ line, json: parseJson(line.value) }))
  if (dataLines.length === 0) return []
  const data = dataLines.map(({ line }) => line.value).join('\n')
  const json = dataLines.length === 1 && dataLines[0] ? dataLines[0].json : parseJson(data)
  const named = fields.findLast((field) => field.name === 'event')?.value ?? ''
  return [
    {
      at: lines.at(-1)?.at ?? 0,
      type: named === '' ? 'message' : named,
      data,
      dataLines,
      json: json.ok ? json.value : undefined,
      lines,
      terminated: isTerminated(lines),
    },
  ]
}

export interface Disagreement {
  /** Position among the dispatched events, from 0. */
  index: number
  ours: string | undefined
  theirs: string | undefined
}

/** The data of every event that eventsource-parser dispatches. */
export function dataByParser(body: Uint8Array): readonly string[] {
  const payloads: string[] = []
  const parser = createParser({ onEvent: ({ data }) => payloads.push(data) })
  parser.feed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))
  return payloads
}

/**
 * Where our reading differs from that of eventsource-parser. Both follow the standard, so they agree on any bytes, well
 * framed or not: an event that only one of the two sees is our own error, or a trap.
 */
export function crossCheck({ body, events }: StreamReading): readonly Disagreement[] {
  const ours = events.filter((event) => event.terminated).map((event) => event.data)
  const theirs = dataByParser(body)
  const rows = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => ({
    index,
    ours: ours[index],
    theirs: theirs[index],
  }))
  return rows.filter((row) => row.ours !== row.theirs)
}
