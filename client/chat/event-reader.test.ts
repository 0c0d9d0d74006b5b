import { expect, test } from 'vitest'
import { createEventReader } from './reply.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function read(parts: readonly Uint8Array[]): string[] {
  const reader = createEventReader()
  return parts.flatMap((part) => reader.push(part))
}

/** One part for each byte, and empty ones between them, which a transport may hand on. */
const oneByOne = (bytes: Uint8Array): Uint8Array[] =>
  Array.from(bytes).flatMap((byte) => [Uint8Array.of(byte), Uint8Array.of()])

const streams: Readonly<Record<string, { text: string; events: readonly string[] }>> = {
  'LF ends a line': { text: 'data: a\n\ndata: b\n\n', events: ['a', 'b'] },
  'CR LF ends a line': { text: 'data: a\r\n\r\ndata: b\r\n\r\n', events: ['a', 'b'] },
  'CR ends a line': { text: 'data: a\r\rdata: b\r\r', events: ['a', 'b'] },
  'line ends are mixed': { text: 'data: a\r\n\rdata: b\n\r\ndata: c\r\n\n', events: ['a', 'b', 'c'] },
  'characters of two to four bytes': { text: 'data: é世🙂\r\n\r\n', events: ['é世🙂'] },
  'a comment is no event': { text: ': data: no\n\n:\n\ndata: a\n:data: no\n\n', events: ['a'] },
  'one blank behind the colon is none of the value': { text: 'data:a\n\ndata:  b\n\n', events: ['a', ' b'] },
  'other fields are passed over': {
    text: 'event: done\nid: 7\nretry: 5\ndatax: no\nDATA: no\nsomething\ndata: a\n\n',
    events: ['a'],
  },
  'data lines of one block are joined': { text: 'data: {\ndata: }\n\n', events: ['{\n}'] },
  'a block without data is no event': { text: 'retry: 10\n\nevent: x\n\ndata: a\n\n\n\n', events: ['a'] },
  'a mark before everything is passed over': { text: '\ufeffdata: a\n\n', events: ['a'] },
  'only one mark is, and only there': {
    text: '\ufeff\ufeffdata: a\n\ndata: \ufeffb\n\n',
    events: ['\ufeffb'],
  },
  'an unfinished block at the end is discarded': { text: 'data: a\n\ndata: b\n', events: ['a'] },
  'an unfinished line at the end is discarded': { text: 'data: a\n\ndata: {"type":"done"}', events: ['a'] },
}

test.for(Object.entries(streams))(
  'LIB-STREAM-GRAMMAR, LIB-STREAM-SPLIT-LINE, LIB-STREAM-SPLIT-CHARACTER: %s',
  ([, { text, events }]) => {
    const bytes = bytesOf(text)
    expect(read([bytes])).toEqual(events)
    for (let at = 0; at <= bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(events)
    expect(read(oneByOne(bytes)), 'a byte at a time').toEqual(events)
  },
)

test('an event is given with the byte that ends it, also where that may be the first half of CR LF', () => {
  const reader = createEventReader()
  expect(reader.push(bytesOf('data: a\r\n\r'))).toEqual(['a'])
  expect(reader.push(bytesOf('\n'))).toEqual([])
})

test('a very long token in small parts costs its length', () => {
  const token = 'x'.repeat(2 ** 20)
  const bytes = bytesOf(`data: ${token}\n\n`)
  const parts = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) =>
    bytes.subarray(at * 16, at * 16 + 16),
  )
  const [event] = read(parts)
  expect(event).toHaveLength(token.length)
})
