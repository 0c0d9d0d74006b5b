import { expect, it } from 'vitest'
import { streamAnswer } from '../assertions/exchange.testkit.ts'
import { bytes } from './body.ts'
import type { Exchange } from './exchange.ts'
import { createRedactor } from '../../reports/bundle/redaction/redaction.ts'
import { readStream } from './sse.ts'

const secret = 'sk-live-"4f9a\\8b7c'
const secrets = [{ name: 'key:main', value: secret }]
const redacted = (given: Exchange): string =>
  Buffer.from(bytes(createRedactor(secrets).exchange(given))).toString()
const event = (content: string): string => `data: ${JSON.stringify({ type: 'token', content })}\n\n`
const done = 'data: {"type":"done","credits":1}\n\n'

/** What a reader of the stream puts together. */
function said(body: string): string {
  const { events } = readStream(streamAnswer(body))
  return events.map(({ json }) => (json as { content?: string }).content ?? '').join('')
}

const cuts = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))

it.each([1, 2, 3, 5, 11])(
  'a secret that comes in events of %i characters is taken out of all of them',
  (size) => {
    const pieces = cuts(`It is ${secret}, keep it.`, size)
    const left = redacted(streamAnswer(pieces.map(event).join('') + done))

    expect(said(left)).toMatch(/^It is \[\[key:main:[\da-f]{8}\]\], keep it\.$/)
    expect(readStream(streamAnswer(left)).events).toHaveLength(pieces.length + 1)
    expect(left).toContain(done)
  },
)

it('what stands between its pieces stays', () => {
  const [first = '', second = ''] = cuts(secret, 9)
  const between = ': ping\r\n\r\nevent: status\r\ndata: {"type":"status","note":"content"}\r\n\r\n'
  const left = redacted(streamAnswer(event(`a${first}`) + between + event(`${second}z`)))

  expect(left.replace(/:[\da-f]{8}/, '')).toBe(event('a[[key:main]]') + between + event('z'))
})

it.each([
  ['no JSON', cuts('sk-live-plain-0001', 4).map((piece) => `data: ${piece}\n\n`)],
  ['a text alone', cuts('sk-live-plain-0001', 4).map((piece) => `data: ${JSON.stringify(piece)}\n\n`)],
  [
    'deep in an object',
    cuts('sk-live-plain-0001', 4).map(
      (piece) =>
        `data:${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: piece } }] })}\n\n`,
    ),
  ],
  ['base64', cuts(Buffer.from('me:sk-live-plain-0001').toString('base64'), 5).map(event)],
])('takes a secret in pieces out where events are %s', (_, events) => {
  const redact = createRedactor([{ name: 'key:main', value: 'sk-live-plain-0001' }])
  const left = Buffer.from(bytes(redact.exchange(streamAnswer(events.join(''))))).toString()

  expect(left).toMatch(/\[\[key:main:[\da-f]{8}\]\]/)
  expect(left.split('data:')).toHaveLength(events.length + 1)
  expect(redact.counts()).toEqual({ 'key:main': 1 })
})

it('the times of reads stay, and a read may end anywhere', () => {
  const body = Buffer.from(cuts(`key ${secret}`, 3).map(event).join(''))
  const given = streamAnswer(body)
  const chunks = Array.from(body, (byte, at) => ({ at, bytes: Uint8Array.of(byte) }))
  const { response } = createRedactor(secrets).exchange({
    ...given,
    response: { status: 200, headers: [], at: 0, chunks, complete: true },
  })

  expect(response?.chunks.map(({ at }) => at)).toEqual(chunks.map(({ at }) => at))
  expect(said(Buffer.concat(response?.chunks.map((chunk) => chunk.bytes) ?? []).toString())).toMatch(
    /^key \[\[key:main:[\da-f]{8}\]\]$/,
  )
})

// With the square of its length, this would take longer than a test may.
it('looks through an event of nothing but escaped quotes', () => {
  const body = `data: {${'\\"'.repeat(300_000)}\n\n${event('x')}`
  expect(redacted(streamAnswer(body))).toBe(body)
})

it('events that say no secret are left byte for byte', () => {
  const body = cuts('sk-live-"4f9a is no key', 4).map(event).join('')
  expect(redacted(streamAnswer(body))).toBe(body)
})
