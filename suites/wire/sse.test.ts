import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from './exchange.ts'
import { readStream, type SseLine, type SseEvent, type StreamReading, crossCheck } from './sse.ts'

/** Bytes are written by hand in Latin-1, one character a byte, so that nothing of ours encodes them. */
const raw = (golden: string): Uint8Array => new Uint8Array(Buffer.from(golden, 'latin1'))

/**
 * Data of every event, of which one that is not terminated begins with `?`; kinds of the lines: `.` empty, `:` comment,
 * the name of a field; how many lines are left over.
 */
type Vector = readonly [
  name: string,
  body: string,
  events: readonly string[],
  lines?: string,
  leftover?: number,
]

const vectors: readonly Vector[] = [
  ['one event, LF', 'data: {"a":1}\n\n', ['{"a":1}'], 'data .'],
  ['one event, CR', 'data: a\r\r', ['a'], 'data .'],
  ['one event, CRLF', 'data: a\r\n\r\n', ['a'], 'data .'],
  ['LF then CR is two ends', 'data: a\n\rdata: b\n\n', ['a', 'b'], 'data . data .'],
  ['ends of every kind', 'data: a\rdata: b\r\ndata: c\n\r\n', ['a\nb\nc']],
  ['comments', ': hi\n\ndata: a\n:in\n\n:\n', ['a'], ': . data : . :', 1],
  ['byte order mark', '\xef\xbb\xbfdata: a\n\n', ['a'], 'data .'],
  ['two byte order marks', '\xef\xbb\xbf\xef\xbb\xbfdata: a\n\ndata: b\n\n', ['b']],
  ['code points of 2, 3 and 4 bytes', 'data: \xc3\xa9\xe4\xb8\x96\xf0\x9f\x99\x82\n\n', ['é世🙂']],
  ['no blank line at the end', 'data: a\n\ndata: b\n', ['a', '?b'], undefined, 1],
  ['broken off in a name', 'data: a\n\nda', ['a'], 'data . da', 1],
  ['two spaces after the colon', 'data:  a\n\n', [' a']],
  ['no colon', 'data\n\n', ['']],
  ['two data lines', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
  ['unknown fields', 'foo: b\n data: x\ndata : y\nData: z\ndata: a\n\n', ['a']],
  ['id and retry', 'id: 1\nretry: 10\ndata: a\n\n', ['a'], 'id retry data .'],
  ['nothing', '', [], ''],
  ['NUL', 'data: a\0b\n\n', ['a\0b']],
  ['an end within a block', 'data: [DONE]\nevent: e\ndata: b\n\n', ['[DONE]\nb']],
  ['U+2028, U+0085 and form feed end no line', 'data: \xe2\x80\xa8\xc2\x85\f\v\n\n', ['\u2028\u0085\f\v']],
]

function read(parts: readonly Uint8Array[], at = (i: number) => i): StreamReading {
  const chunks = parts.map((bytes, i): Chunk => ({ at: at(i), bytes }))
  return readStream(new Uint8Array(Buffer.concat(parts)), chunks)
}

/** Everything a reading says but the times. */
function timeless({ lines, events, ...rest }: StreamReading): unknown {
  const still = (line: SseLine): unknown => ({ ...line, at: 0 })
  return {
    ...rest,
    leftover: rest.leftover.map(still),
    lines: lines.map(still),
    events: events.map(({ data, type, terminated }) => ({ data, type, terminated })),
  }
}

const shape = (line: SseLine): string =>
  ({ empty: '.', comment: ':', field: line.kind === 'field' ? line.name : '' })[line.kind]
const dataOf = ({ terminated, data }: SseEvent): string => (terminated ? data : `?${data}`)

describe('an event stream', () => {
  it.for(vectors)('is read by the standard: %s', ([, body, events, lines, leftover = 0]) => {
    const got = read([raw(body)])
    expect([got.events.map(dataOf), got.leftover.length, got.valid]).toEqual([events, leftover, true])
    const kinds = got.lines.map(shape).join(' ')
    expect(kinds).toBe(lines ?? kinds)
  })

  it.for(vectors)('reads the same however it is cut: %s', ([, body]) => {
    const bytes = raw(body)
    const whole = timeless(read([bytes]))
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(timeless(read([bytes.subarray(0, cut), bytes.subarray(cut)]))).toEqual(whole)
    expect(timeless(read(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(whole)
  })

  it.for(vectors)('is seen alike by another reader: %s', ([, body]) => {
    expect(crossCheck(read([raw(body)]))).toEqual([])
  })

  it('keeps every byte in its line table', () => {
    const body = raw('\xef\xbb\xbfdata: \xff\r\n: \xc3\r\r\n{"\n\nid')
    const { lines, bom, valid } = read([body])
    const ends = { LF: '\n', CR: '\r', CRLF: '\r\n', none: '' }
    const again = lines
      .map(
        ({ offset, size, eol }) =>
          Buffer.from(body.subarray(offset, offset + size)).toString('latin1') + ends[eol],
      )
      .join('')
    expect(`\xef\xbb\xbf${again}`).toBe(Buffer.from(body).toString('latin1'))
    expect({ bom, valid }).toEqual({ bom: true, valid: false })
    expect(lines.map((line) => [line.offset, line.eol, line.valid])).toEqual([
      [3, 'CRLF', false],
      [12, 'CR', false],
      [16, 'CRLF', true],
      [18, 'LF', true],
      [21, 'LF', true],
      [22, 'none', true],
    ])
  })

  it('dates a line by the arrival of its last byte, its end included', () => {
    const { lines, events } = read(
      [raw('data:'), raw(' a\r'), raw('\n'), raw('\n'), raw('da')],
      (i) => 10 * i,
    )
    expect(lines.map((line) => line.at)).toEqual([20, 30, 40])
    expect(events[0]?.at).toBe(30)
  })

  it('reports the space after the colon, and reads each data line as JSON by itself', () => {
    const [event] = read([raw('data:{"a":1}\ndata: {\ndata\n\n')]).events
    expect(event?.dataLines.map(({ line }) => [line.colon, line.space])).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ])
    expect(event?.dataLines.map(({ json }) => json.ok)).toEqual([true, false, false])
    expect(event?.json).toBeUndefined()
  })
})

describe('any sequence of events', () => {
  const lineText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, ' '))
  const event = fc.record({
    data: fc.array(lineText, { minLength: 1, maxLength: 3 }),
    comment: fc.option(lineText),
    end: fc.constantFrom('\n', '\r', '\r\n'),
  })
  const write = ({ data, comment, end }: { data: string[]; comment: string | null; end: string }): string =>
    [...(comment === null ? [] : [`:${comment}`]), ...data.map((line) => `data: ${line}`), '', ''].join(end)

  it('reads back as it was written, wherever it is cut', () => {
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), cuts, (events, at) => {
        const body = new TextEncoder().encode(events.map(write).join(''))
        const edges = [0, ...at.map((edge) => Math.min(edge, body.length)).sort((a, b) => a - b), body.length]
        const parts = edges.slice(1).map((edge, i) => body.subarray(edges[i], edge))
        const reading = read(parts)
        expect(reading.events.map(dataOf)).toEqual(events.map(({ data }) => data.join('\n')))
        expect(crossCheck(reading)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('is never a throw, and never a byte lost, for any bytes at all', () => {
    const byte = fc.constantFrom(0x0a, 0x0d, 0x3a, 0x20, 0x64, 0x61, 0x74, 0xef, 0xbb, 0xbf, 0xff)
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (bytes) => {
        const reading = read([Uint8Array.from(bytes)])
        const ends = { LF: 1, CR: 1, CRLF: 2, none: 0 }
        const counted = reading.lines.reduce((sum, line) => sum + line.size + ends[line.eol], 0)
        expect(counted + (reading.bom ? 3 : 0)).toBe(bytes.length)
        expect(crossCheck(reading)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
