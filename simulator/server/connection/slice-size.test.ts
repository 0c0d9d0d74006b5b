/** How much is parsed at once: bodies in as few pieces as they come in, and what follows them in slices. */
import { array, assert, constantFrom, nat, oneof, property, string } from 'fast-check'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createSliceSize } from './slice-size.ts'

const sliceBytes = 1024

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** The body as it is on the wire, what ends it included. */
  readonly body: string
}

const announced = (text: string): Sent => ({
  headers: { 'content-length': `${text.length}` },
  body: text,
})

const chunked = (texts: readonly string[], end = '0\r\n\r\n'): Sent => ({
  headers: { 'transfer-encoding': 'chunked' },
  body: texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('') + end,
})

/** The ends of all slices, of a body and what follows it, whose reads end at `splits`; counted from the end of its head. */
function endsOf(
  { headers, body }: Sent,
  following: string,
  splits: readonly number[],
  head = 2,
): readonly number[] {
  const bytes = Buffer.from('\r\n'.padStart(head) + body + following, 'latin1')
  const request = { headers, complete: false }
  let at = 0
  const sizes = createSliceSize(() => (at < head ? undefined : (request as unknown as IncomingMessage)))
  const ends: number[] = []
  let from = 0
  for (const until of [...splits.map((split) => head + split), bytes.length]) {
    const read = bytes.subarray(from, until)
    while (at < until) {
      at = Math.min(until, at + sizes(read, at - from))
      ends.push(at - head)
      request.complete = at - head >= body.length
    }
    from = until
  }
  return ends
}

const beyond = (sent: Sent, splits: readonly number[], head?: number): number =>
  (endsOf(sent, pipelined, splits, head).find((end) => end > sent.body.length) ?? 0) - sent.body.length

const large = 'm'.repeat(60_000)
const pipelined = 'GET / HTTP/1.1\r\n\r\n'.repeat(1_000)

test.for([
  ['of an announced length', announced(large), [0]],
  ['in a chunk', chunked([large]), [0]],
  ['in many chunks', chunked(Array.from({ length: 60 }, () => large.slice(0, 1_000))), [0]],
  ['in two reads', announced(large), [30_000]],
] as const)('a large body is parsed as it comes: %s', ([, sent, splits]) => {
  const ends = endsOf(sent, '', splits)
  expect(ends.length).toBeLessThan(5)
  expect(ends.at(-1)).toBe(sent.body.length)
})

test.for([
  ['an announced length', announced(large)],
  ['a chunk', chunked([large])],
  ['zeros', chunked([large], '0000\r\n\r\n')],
  ['an extension of the last chunk', chunked([large], `0;a=${'b'.repeat(2_000)}\r\n\r\n`)],
  ['trailers', chunked([large], `0\r\nX-A: ${'b'.repeat(2_000)}\r\n\r\n`)],
] as const)('wherever its reads end, what follows a body waits in slices: %s', ([, sent]) => {
  const around = sent.body.lastIndexOf('\r\n0') + 1 || sent.body.length
  for (let split = around - 5; split < around + 10; split++) {
    expect(beyond(sent, [split]), `split at ${split}`).toBeLessThanOrEqual(sliceBytes)
  }
})

test.for([
  ['short', chunked(['a'])],
  ['with a long extension', chunked([], `0;a=${'b'.repeat(2_000)}\r\n\r\n`)],
] as const)('a last chunk may begin in the slice that has the head: %s', ([, sent]) => {
  for (let head = sliceBytes - 20; head < sliceBytes + 3; head++)
    expect(beyond(sent, [], head), `a head of ${head} bytes`).toBeLessThanOrEqual(sliceBytes)
})

test('no slice has more than 1 KB beyond the end of a body', () => {
  const text = string({
    unit: constantFrom('\r', '\n', '0', 'a', '\r\n0'),
    minLength: 1,
    maxLength: 3_000,
  })
  const sent = oneof(
    text.map(announced),
    array(text, { maxLength: 4 }).map((texts) => chunked(texts)),
  )
  const splits = array(nat(14_000), { maxLength: 8 })
  assert(
    property(sent, splits, (one, at) => {
      const bounds = at
        .filter((split) => split < one.body.length + pipelined.length)
        .toSorted((a, b) => a - b)
      expect(beyond(one, bounds)).toBeLessThanOrEqual(sliceBytes)
    }),
  )
})
