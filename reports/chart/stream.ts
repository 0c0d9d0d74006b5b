/** One event stream over its time: when its headers came, what each read brought, its events, and how it ended. */
import { joined } from '../../bundle/chunks.ts'
import { ownMember, parseJson } from '../../bundle/json.ts'
import type { Chunk } from '../../bundle/exchange.ts'
import type { Exchange } from '../../bundle/record.ts'
import { html, noMarkup, type Hole, type Markup } from '../document/markup.ts'
import {
  amount,
  answerHeader,
  binOf,
  clipped,
  countedAmount,
  isTime,
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

const bins = 200
const mostTypes = 6
const top = 28
const bytesHeight = 36
const laneHeight = 26
const base = top + bytesHeight
/** One that is not dropped at the edge of a text. */
const space = '\u00a0'

/** Nothing for what is no event stream, and for what came in. `prefix` differs between two pictures of one exchange. */
export function streamTimeline(exchange: Exchange, prefix = `chart-stream-${exchange.id}`): Markup {
  const { response, inbound, sentAt, endedAt, failure } = exchange
  const kind = answerHeader(exchange, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (!response || inbound || kind !== 'text/event-stream') return noMarkup
  const reads = response.chunks.map(({ at, bytes }) => ({ at: at - sentAt, size: bytes.length }))
  const headersAt = response.at - sentAt
  // Milliseconds after the request was sent.
  const times = [headersAt, ...reads.map(({ at }) => at), endedAt - sentAt]
  if (!isTime(sentAt) || !times.every(isTime)) return noMarkup
  const grid = { end: times.reduce((end, at) => Math.max(end, at), 0.001), bins }
  const types = typesOf(exchange, (at) => binOf(at - sentAt, grid))
  const isWhole = response.complete && !failure
  const ended = failure ? failure.kind : isWhole ? 'complete' : 'cut off'
  const [from, to] = longestGap(times)
  const height = base + types.length * laneHeight + 6
  const events = types.reduce((sum, { count }) => sum + count, 0)
  const named = types.map(({ type, count }) => `${amount(count)} ${clipped(type, 30)}`)
  const what = events > 0 ? `${countedAmount(events, 'event')} (${listed(named)})` : 'no event'
  const bytes = reads.reduce((sum, one) => sum + one.size, 0)
  const x = share(headersAt, grid.end)
  const isLate = headersAt / grid.end > 0.5
  const gap = rule(share(from, grid.end), base - 5, share(to, grid.end), base - 5, 'chart-dashed soft')
  const key = html`bars: bytes of each read (square-root scale); marks below: events by type`
  return picture({
    prefix,
    title: 'The event stream over its time, from the sending of the request on',
    says: `Headers after ${span(headersAt)}; ${countedAmount(reads.length, 'read')} with ${size(bytes)} and ${what}; the longest silence ${span(to - from)}; ${ended} after ${span(grid.end)}.`,
    height: height + 18,
    body: [
      timeAxis(grid.end, top, height),
      label('100%', 10, `${isWhole ? '✓' : '✗'} ${ended}`, 'end', isWhole ? 'good' : 'bad'),
      rule('100%', 14, '100%', height, `chart-tick ${isWhole ? 'good' : 'bad'}`),
      label(x, 24, isLate ? `headers${space}` : `${space}headers`, isLate ? 'end' : 'start', 'soft'),
      rule(x, 14, x, base, 'chart-dashed soft'),
      (to - from) / grid.end > 0.1 ? gap : noMarkup,
      rule('0%', base, '100%', base, 'chart-base'),
      stretched(
        top,
        bytesHeight,
        [
          {
            d: strokes(
              readStrokes(reads, (at) => binOf(at, grid)),
              bytesHeight,
            ),
            kind: 'chart-bytes',
          },
        ],
        bins,
      ),
      types.map(lane),
    ],
    key: isWhole ? [key] : [key, html`<span class="bad">✗</span> it ended here: ${ended}`],
  })
}

function lane({ type, count, bins: own }: ReturnType<typeof typesOf>[number], index: number): Hole {
  const [y, tone] = [base + index * laneHeight, type === 'error' ? 'bad' : 'soft']
  const d = strokes(
    own.map((bin) => ({ bin, tall: 7 })),
    7,
  )
  return [
    label('0%', y + 13, `${clipped(type, 30)} × ${amount(count)}`, 'start', tone),
    stretched(y + 17, 7, [{ d, kind: `chart-event ${tone}` }], bins),
  ]
}

interface Stroke {
  bin: number
  tall: number
}

/** By the square root of the bytes that came in a bin: a large one must not hide the small. */
function readStrokes(reads: readonly { at: number; size: number }[], binAt: (at: number) => number) {
  const counts = Array.from({ length: bins }, () => 0)
  for (const { at, size: bytes } of reads) counts[binAt(at)] = (counts[binAt(at)] ?? 0) + bytes
  const most = Math.max(1, ...counts)
  return counts.flatMap((count, bin): readonly Stroke[] =>
    count > 0 ? [{ bin, tall: Math.max(3, Math.round((bytesHeight - 6) * Math.sqrt(count / most))) }] : [],
  )
}

/** Upright from the base up, each relative to the end of the previous one, which makes the path short. */
function strokes(all: readonly Stroke[], from: number): string {
  return all
    .map(({ bin, tall }, index) => {
      const before = all[index - 1]
      return before ? `m${bin - before.bin} ${before.tall}v-${tall}` : `M${bin + 0.5} ${from}v-${tall}`
    })
    .join('')
}

const data = /^data(?:: ?|$)/

function eventLines(chunks: readonly Chunk[] = []): readonly { at: number; value: unknown }[] {
  let [chunk, end] = [0, chunks[0]?.bytes.length ?? 0]
  // One character a byte, so that a place in the text is a place in the bytes.
  return [
    ...joined(chunks)
      .toString('latin1')
      .matchAll(/[^\r\n]+/g),
  ].flatMap(({ 0: line, index }) => {
    if (!data.test(line)) return []
    while (index + line.length >= end && chunk < chunks.length - 1) end += chunks[++chunk]?.bytes.length ?? 0
    const reading = parseJson(Buffer.from(line.replace(data, ''), 'latin1').toString())
    return [{ at: chunks[chunk]?.at ?? 0, value: reading.ok ? reading.value : undefined }]
  })
}

/** Events by type, the most frequent first, with the bins in which they came; rare types are put together. */
function typesOf({ response }: Exchange, binAt: (at: number) => number) {
  const events = Map.groupBy(eventLines(response?.chunks), ({ value }) => {
    const type = value === undefined ? 'not JSON' : ownMember(value, 'type')
    return typeof type === 'string' ? type : 'no type'
  })
  const types = [...events]
    .map(([type, own]) => ({ type, count: own.length, bins: [...new Set(own.map(({ at }) => binAt(at)))] }))
    .toSorted((one, other) => other.count - one.count)
  if (types.length <= mostTypes) return types
  const rest = types.slice(mostTypes - 1)
  const count = rest.reduce((sum, one) => sum + one.count, 0)
  const others = {
    type: `${rest.length} other types`,
    count,
    bins: [...new Set(rest.flatMap((one) => one.bins))],
  }
  return [...types.slice(0, mostTypes - 1), others]
}

/** The longest time without a byte, from the headers on. */
function longestGap(times: readonly number[]): readonly [from: number, to: number] {
  const gaps = times.map((to, index) => [times[index - 1] ?? to, to] as const)
  return gaps.reduce((one, other) => (other[1] - other[0] > one[1] - one[0] ? other : one))
}
