/** One event stream as it arrived: the numbers behind `stream-timeline.ts`. */
import type { Exchange } from '../bundle/record.ts'
import { eventLines } from '../bundle/journal/event-lines.ts'
import { ownMember } from '../bundle/json.ts'
import { binOf } from './scale.ts'
import type { Grid } from './scale.ts'
import { answerHeader, isTime } from './sent.ts'

/** Times in milliseconds after the request was sent. */
export interface Stream {
  grid: Grid
  headersAt: number
  /** Bytes that came in each bin. */
  bytes: readonly number[]
  chunks: number
  size: number
  /** Events by type, the most frequent first, with the bins in which they came. */
  types: readonly { type: string; count: number; bins: readonly number[] }[]
  /** The longest time without a byte, from the headers on. */
  silence: { from: number; to: number }
  ended: string
  whole: boolean
}

const bins = 200
const notJson = 'not JSON'
const untyped = 'no type'

/** Null for what is no event stream, and for what came in. */
export function streamOf(exchange: Exchange): Stream | null {
  const { response, inbound, sentAt, endedAt, failure } = exchange
  const kind = answerHeader(exchange, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (!response || inbound || kind !== 'text/event-stream') return null
  const chunks = response.chunks.map(({ at, bytes }) => ({ at: at - sentAt, size: bytes.length }))
  const times = [response.at - sentAt, ...chunks.map(({ at }) => at), endedAt - sentAt]
  if (!isTime(sentAt) || !times.every(isTime)) return null
  const grid = { end: times.reduce((end, at) => Math.max(end, at), 0.001), bins }
  const bytes = Array.from({ length: bins }, () => 0)
  for (const { at, size } of chunks) bytes[binOf(at, grid)] = (bytes[binOf(at, grid)] ?? 0) + size
  const whole = response.complete && !failure
  return {
    grid,
    headersAt: response.at - sentAt,
    bytes,
    chunks: chunks.length,
    size: chunks.reduce((sum, one) => sum + one.size, 0),
    types: typesOf(exchange, grid),
    silence: longestGap(times),
    ended: failure ? failure.kind : whole ? 'complete' : 'cut off',
    whole,
  }
}

function typesOf(exchange: Exchange, grid: Grid): Stream['types'] {
  const events = Map.groupBy(eventLines(exchange.response?.chunks), ({ value }) => typeOf(value))
  return [...events]
    .map(([type, own]) => ({
      type,
      count: own.length,
      bins: [...new Set(own.map(({ at }) => binOf(at - exchange.sentAt, grid)))],
    }))
    .toSorted((one, other) => other.count - one.count)
}

function typeOf(value: unknown): string {
  if (value === undefined) return notJson
  const type = ownMember(value, 'type')
  return typeof type === 'string' ? type : untyped
}

function longestGap(times: readonly number[]): Stream['silence'] {
  let gap = { from: times[0] ?? 0, to: times[0] ?? 0 }
  times.forEach((to, index) => {
    const from = times[index - 1] ?? to
    if (to - from > gap.to - gap.from) gap = { from, to }
  })
  return gap
}
