/** How much is parsed at once, with the parser of Node: bodies as they come, and what follows them in slices. */
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  double,
  nat,
  oneof,
  property,
  record,
  tuple,
} from 'fast-check'
import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { createSliceSize, type SliceSize } from './slice-size.ts'

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const pipelined = get.repeat(200)
/** What a slice of 512 bytes has. */
const requestsMost = Math.ceil(512 / get.length)

const post = (lines: string): string => `POST / HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n`
const announced = (body: string): string => post(`Content-Length: ${body.length}`) + body
const chunked = (chunks: readonly string[], end = '0\r\n\r\n'): string =>
  post('Transfer-Encoding: chunked') +
  chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('') +
  end

interface Parsed {
  readonly slices: number
  /** Of the most in one slice. */
  readonly requests: number
  readonly all: number
}

/** Parses reads that end at `splits`; those before `from` whole, as before a connection is read in slices. */
function parse(sent: string, splits: readonly number[] = [], from = 0): Parsed {
  let newest: IncomingMessage | undefined
  let all = 0
  const server = createServer((request) => {
    newest = request.resume()
    all++
  })
  server.on('clientError', (error) => {
    throw error
  })
  const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() })
  server.emit('connection', socket)
  const pass = (bytes: Buffer): void => void socket.emit('data', bytes)
  let sizes: SliceSize | undefined
  let [slices, requests] = [0, 0]
  const ends = [...splits, sent.length]
  for (const [number, end] of ends.entries()) {
    const read = Buffer.from(sent.slice(ends[number - 1] ?? 0, end), 'latin1')
    if (number < from) {
      pass(read)
      continue
    }
    sizes ??= createSliceSize(() => newest)
    for (let at = 0; at < read.length; slices++) {
      const before = all
      pass(read.subarray(at, (at += sizes(read, at))))
      requests = Math.max(requests, all - before)
    }
  }
  return { slices, requests, all }
}

const large = 'm'.repeat(60_000)

test.for([
  ['of an announced length', announced(large)],
  ['in a chunk', chunked([large])],
  ['in many chunks', chunked(Array.from({ length: 60 }, () => large.slice(0, 1_000)))],
] as const)('a large body is parsed as it comes: %s', ([, sent]) => {
  expect(parse(sent)).toMatchObject({ all: 1 })
  expect(parse(sent).slices).toBeLessThan(5)
  expect(parse(sent, [30_000]).slices).toBeLessThan(6)
})

const long = 'b'.repeat(2_000)

test.for([
  ['an announced length', announced(large)],
  ['a chunk', chunked([large])],
  ['zeros', chunked([large], '0000\r\n\r\n')],
  ['an extension of the last chunk', chunked([large], `0;a=${long}\r\n\r\n`)],
  ['trailers', chunked([large], `0\r\nX-A: ${long}\r\n\r\n`)],
  ['a short body in chunks', chunked(['a'])],
  ['nothing but an extension', chunked([], `0;a=${long}\r\n\r\n`)],
  ['an announced length, then an extension', announced(long) + chunked([], `0;a=${long}\r\n\r\n`)],
] as const)('wherever its reads end, what follows a body waits in slices: %s', ([, sent]) => {
  const around = sent.lastIndexOf('\r\n0') + 1 || sent.length
  for (let split = around - 5; split < around + 10; split++) {
    const { requests, all } = parse(sent + pipelined, [split])
    expect(requests, `split at ${split}`).toBeLessThanOrEqual(requestsMost)
    expect(all).toBeGreaterThan(200)
  }
})

test('a last chunk may begin in the slice that has the head', () => {
  for (const end of ['0\r\n\r\n', `0;a=${long}\r\n\r\n`])
    for (let padding = 400; padding < 520; padding++) {
      const sent = chunked([], end).replace('Host: a', `Host: ${'a'.repeat(padding)}`)
      expect(parse(sent + pipelined).requests, `padding ${padding}`).toBeLessThanOrEqual(requestsMost)
    }
})

test('slices may begin in the middle of a body', () => {
  for (const sent of [announced(large), chunked([large])])
    for (const missing of [1, 7, 2_000]) {
      const { requests } = parse(sent + pipelined, [sent.length - missing], 1)
      expect(requests, `${missing} bytes were missing`).toBeLessThanOrEqual(requestsMost)
    }
})

test('whatever comes, no slice has more requests than fit into 512 bytes', () => {
  const unit = constantFrom('m'.repeat(900), 'm', '\r', '\n', '0', '\r\n0')
  const text = array(unit, { maxLength: 12 }).map((units) => units.join(''))
  const filled = text.filter((chunk) => chunk !== '')
  const end = constantFrom('0\r\n\r\n', '000\r\n\r\n', `0;a=${long}\r\n\r\n`, `0\r\nX-A: ${long}\r\n\r\n`)
  const body = oneof(
    text.map(announced),
    tuple(array(filled, { maxLength: 3 }), end).map(([chunks, last]) => chunked(chunks, last)),
    nat(4).map((count) => get.repeat(count)),
    constant(pipelined),
  )
  const sent = record({
    bodies: array(body, { minLength: 1, maxLength: 4 }),
    shares: array(double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
    isLate: boolean(),
  })
  assert(
    property(sent, ({ bodies, shares, isLate }) => {
      const whole = bodies.join('') + pipelined
      const splits = shares.map((share) => Math.floor(share * whole.length)).toSorted((a, b) => a - b)
      expect(parse(whole, splits, isLate ? 1 : 0).requests).toBeLessThanOrEqual(requestsMost)
    }),
    { numRuns: 200 },
  )
})
