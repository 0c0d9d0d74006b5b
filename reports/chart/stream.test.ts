import { describe, expect, it } from 'vitest'
import type { Exchange } from '../bundle/record.ts'
import { exchange } from '../testing/run.testkit.ts'
import { eventLines } from '../bundle/journal/event-lines.ts'
import { streamOf } from './stream.ts'

/** Reads at their times after the request, which is sent at 1000 ms; headers after 20 ms, the end after `end`. */
function streamed(reads: readonly (readonly [at: number, text: string])[], end = 1_000): Exchange {
  return exchange(1, {
    sentAt: 1_000,
    endedAt: 1_000 + end,
    response: {
      status: 200,
      headers: [['Content-Type', 'Text/Event-Stream; charset=utf-8']],
      at: 1_020,
      chunks: reads.map(([at, text]) => ({ at: 1_000 + at, bytes: new TextEncoder().encode(text) })),
      complete: true,
    },
  })
}

const token = 'data: {"type":"token","token":"é"}\n\n'

describe('an event stream', () => {
  it('is reported in reads, events by type, its longest silence and its end', () => {
    const rest = 'data: words\n\ndata: {"x":1}\n\ndatabase: 1\n: comment\n\ndata: {"type":"done"}\n\n'
    const stream = streamOf(
      streamed([
        [100, token],
        [105, token + token],
        [700, rest],
      ]),
    )

    expect(stream).toMatchObject({ headersAt: 20, chunks: 3, ended: 'complete', whole: true })
    expect(stream?.silence).toEqual({ from: 105, to: 700 })
    expect(stream?.types).toEqual([
      { type: 'token', count: 3, bins: [20, 21] },
      { type: 'not JSON', count: 1, bins: [140] },
      { type: 'no type', count: 1, bins: [140] },
      { type: 'done', count: 1, bins: [140] },
    ])
    expect(stream?.bytes.reduce((sum, bytes) => sum + bytes)).toBe(stream?.size)
  })

  it('dates an event by the read that ended its line, wherever characters and lines are cut', () => {
    const bytes = [...new TextEncoder().encode(token)]
    const reads = bytes.map((byte, index) => ({ at: index, bytes: Uint8Array.of(byte) }))
    const [line] = eventLines(reads)
    expect(line).toEqual({ at: bytes.length - 2, value: { type: 'token', token: 'é' } })
  })

  it.each([
    ['cut off', { complete: false }, null],
    ['timeout', {}, { kind: 'timeout', message: 'no byte for 10 s' }],
  ] as const)('says that it ended %s', (ended, over, failure) => {
    const one = streamed([[100, token]])
    const response = one.response && { ...one.response, ...over }

    expect(streamOf({ ...one, response, failure })).toMatchObject({ ended, whole: false })
  })

  it('is drawn where nothing came after its headers, and at no time at all', () => {
    expect(streamOf(streamed([]))).toMatchObject({ chunks: 0, types: [], silence: { from: 20, to: 1_000 } })
    const one = streamed([[0, token]], 0)
    const response = one.response && { ...one.response, at: 1_000 }
    expect(streamOf({ ...one, response })?.grid.end).toBeGreaterThan(0)
  })

  it.each([
    ['another type', exchange(1)],
    ['no answer', exchange(1, { response: null })],
    ['times that cannot be', streamed([[Infinity, token]])],
    ['times before its own', streamed([[-500, token]])],
    ['one that came in', { ...streamed([]), inbound: { place: '/a', targetAt: 1 } }],
  ])('is none of %s', (_, given) => {
    expect(streamOf(given)).toBeNull()
  })
})
