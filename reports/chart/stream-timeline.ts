/** One event stream over its time: when its headers came, what each read brought, its events, and how it ended. */
import type { Exchange } from '../../suites/record.ts'
import { html, nothing } from '../html/escape.ts'
import type { Markup } from '../html/escape.ts'
import { bar, label, picture, rule, timeAxis } from './picture.ts'
import { share } from './scale.ts'
import { streamOf } from './stream.ts'
import type { Stream } from './stream.ts'
import { span } from './time.ts'
import { amount, clipped, counted, listed, size } from './wording.ts'

const mostTypes = 6
const top = 16
const bytesHeight = 36
const laneHeight = 26

/** `prefix` has to differ between two pictures of one exchange. */
export function streamTimeline(exchange: Exchange, prefix = `chart-stream-${exchange.id}`): Markup {
  const stream = streamOf(exchange)
  if (!stream) return nothing
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
  return html`${rule(x, 2, x, height, 'chart-dashed soft')}
  ${label(x, 10, late ? 'headers ' : ' headers', late ? 'end' : 'start', 'soft')}
  ${rule('100%', 2, '100%', height, whole ? 'chart-tick good' : 'chart-tick bad')}
  ${late ? nothing : label('100%', 10, `${whole ? '✓' : '✗'} ${ended} `, 'end', whole ? 'good' : 'bad')}
  ${quiet / grid.end > 0.1 ? gap(silence, grid.end) : nothing}`
}

function gap({ from, to }: Stream['silence'], end: number): Markup {
  const y = top + bytesHeight - 5
  return rule(share(from, end), y, share(to, end), y, 'chart-dashed soft')
}

/** A stroke for each bin that brought bytes, by their square root: a large one must not hide the small. */
function bytesOf({ bytes, grid }: Stream): readonly Markup[] {
  const most = Math.max(1, ...bytes)
  const base = top + bytesHeight
  const strokes = bytes.flatMap((count, bin) => {
    if (count === 0) return []
    const tall = Math.max(3, Math.round((bytesHeight - 6) * Math.sqrt(count / most)))
    return [bar(share(bin, grid.bins), base - tall, share(0.8, grid.bins), tall, 'chart-bytes')]
  })
  return [rule('0%', base, '100%', base, 'chart-base'), ...strokes]
}

type Lane = Stream['types'][number]

function lane({ type, count, bins }: Lane, y: number, { grid }: Stream): Markup {
  const tone = type === 'error' ? 'bad' : 'soft'
  const marks = bins.map((bin) => {
    const x = share(bin + 0.4, grid.bins)
    return rule(x, y + 17, x, y + 24, `chart-tick ${tone}`)
  })
  return html`${label('0%', y + 13, `${clipped(type, 30)} × ${amount(count)}`, 'start', tone)}${marks}`
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
  const what = events > 0 ? `${counted(events, 'event')} (${listed(named)})` : 'no event'
  const quiet = `the longest silence ${span(silence.to - silence.from)}`
  return `Headers after ${span(headersAt)}; ${counted(chunks, 'read')} with ${size(bytes)} and ${what}; ${quiet}; ${ended} after ${span(grid.end)}.`
}
