/** One event stream over its time: when its headers came, what each read brought, its events, and how it ended. */
import { eventLines } from '../bundle/journal/event-lines.ts'
import { ownMember } from '../bundle/json.ts'
import { type Exchange } from '../bundle/record.ts'
import { type Markup, html, noMarkup } from '../document/markup.ts'
import { answerHeader, isTime } from './sent.ts'
import {
  type Grid,
  amount,
  binOf,
  clipped,
  countedAmount,
  label,
  listed,
  picture,
  rule,
  share,
  size,
  span,
  stretched,
  timeAxis,
} from './picture.ts'

const mostTypes = 6
const top = 28
const bytesHeight = 36
const laneHeight = 26
/** One that is not dropped at the edge of a text. */
const space = '\u00a0'

/** `prefix` has to differ between two pictures of one exchange. */
export function streamTimeline(exchange: Exchange, prefix = `chart-stream-${exchange.id}`): Markup {
  const stream = streamOf(exchange)
  if (!stream) return noMarkup
  const types = fewer(stream.types)
  const lanes = top + bytesHeight
  const height = lanes + types.length * laneHeight + 6
  return picture({
    prefix,
    title: 'The event stream over its time, from the sending of the request on',
    says: inWords(stream),
    height: height + 18,
    body: [
      timeAxis(stream.grid.end, top, height),
      marksOf(stream, height),
      bytesOf(stream),
      types.map((one, index) => lane(one, lanes + index * laneHeight, stream)),
    ],
    key: keyOf(stream),
  })
}

function marksOf({ grid, headersAt, silence, ended, whole }: Stream, height: number): Markup {
  const x = share(headersAt, grid.end)
  const late = headersAt / grid.end > 0.5
  const quiet = silence.to - silence.from
  return html`${label('100%', 10, `${whole ? '✓' : '✗'} ${ended}`, 'end', whole ? 'good' : 'bad')}
  ${rule('100%', 14, '100%', height, `chart-tick ${whole ? 'good' : 'bad'}`)}
  ${label(x, 24, late ? `headers${space}` : `${space}headers`, late ? 'end' : 'start', 'soft')}
  ${rule(x, 14, x, top + bytesHeight, 'chart-dashed soft')}
  ${quiet / grid.end > 0.1 ? gap(silence, grid.end) : noMarkup}`
}

function gap({ from, to }: Stream['silence'], end: number): Markup {
  const y = top + bytesHeight - 5
  return rule(share(from, end), y, share(to, end), y, 'chart-dashed soft')
}

/** A stroke for each bin that brought bytes, by their square root: a large one must not hide the small. */
function bytesOf({ bytes, grid }: Stream): Markup {
  const most = Math.max(1, ...bytes)
  const tall = (count: number) => Math.max(3, Math.round((bytesHeight - 6) * Math.sqrt(count / most)))
  const came = bytes.flatMap((count, bin) => (count > 0 ? [{ bin, tall: tall(count) }] : []))
  const base = top + bytesHeight
  return html`${rule('0%', base, '100%', base, 'chart-base')}
  ${stretched(top, bytesHeight, [{ d: strokes(came, bytesHeight), kind: 'chart-bytes' }], grid.bins)}`
}

type Lane = Stream['types'][number]

function lane({ type, count, bins }: Lane, y: number, { grid }: Stream): Markup {
  const tone = type === 'error' ? 'bad' : 'soft'
  const d = strokes(
    bins.map((bin) => ({ bin, tall: 7 })),
    7,
  )
  return html`${label('0%', y + 13, `${clipped(type, 30)} × ${amount(count)}`, 'start', tone)}
  ${stretched(y + 17, 7, [{ d, kind: `chart-event ${tone}` }], grid.bins)}`
}

/** Upright from the base up, each relative to the end of the previous one, which makes the path short. */
function strokes(all: readonly { bin: number; tall: number }[], base: number): string {
  return all
    .map(({ bin, tall }, index) => {
      const before = all[index - 1]
      return before ? `m${bin - before.bin} ${before.tall}v-${tall}` : `M${bin + 0.5} ${base}v-${tall}`
    })
    .join('')
}

function fewer(types: Stream['types']): Stream['types'] {
  if (types.length <= mostTypes) return types
  const rest = types.slice(mostTypes - 1)
  const count = rest.reduce((sum, one) => sum + one.count, 0)
  const bins = [...new Set(rest.flatMap((one) => one.bins))]
  return [...types.slice(0, mostTypes - 1), { type: `${rest.length} other types`, count, bins }]
}

function keyOf({ whole, ended }: Stream): readonly Markup[] {
  return [
    html`strokes: bytes of a read, by their square root; below, when events of each type had arrived`,
  ].concat(whole ? [] : [html`<span class="bad">✗</span> it ended here: ${ended}`])
}

function inWords(stream: Stream): string {
  const { headersAt, chunks, size: bytes, types, silence, ended, grid } = stream
  const events = types.reduce((sum, { count }) => sum + count, 0)
  const named = fewer(types).map(({ type, count }) => `${amount(count)} ${clipped(type, 30)}`)
  const what = events > 0 ? `${countedAmount(events, 'event')} (${listed(named)})` : 'no event'
  const quiet = `the longest silence ${span(silence.to - silence.from)}`
  return `Headers after ${span(headersAt)}; ${countedAmount(chunks, 'read')} with ${size(bytes)} and ${what}; ${quiet}; ${ended} after ${span(grid.end)}.`
}

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
