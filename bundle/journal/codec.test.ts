import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failures, type Exchange } from '../exchange.ts'
import { fromLine, fromPlain, readJournal, toLine, toPlain, writeJournal } from './codec.ts'
import type { Json } from '../json.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

function exchange(change: Partial<Exchange> = {}): Exchange {
  return {
    id: 7,
    scenario: 'chat/replay',
    name: 'again',
    request: {
      method: 'POST',
      path: '/api/v1/chat/a?x=1',
      headers: [
        ['Idempotency-Key', 'one'],
        ['idempotency-key', '\xe9'],
      ],
      body: utf8('{"message":"é\u2028"}'),
      principal: 'main',
    },
    sentAt: 1.5,
    endedAt: 20.25,
    response: {
      status: 200,
      headers: [['X-A', '\xff']],
      at: 3,
      chunks: [
        { at: 4, bytes: Uint8Array.of(0x61, 0xc3) },
        { at: 5, bytes: Uint8Array.of(0xa9) },
        { at: 6, bytes: utf8('\uFEFFé\n') },
        { at: 7, bytes: new Uint8Array() },
      ],
      complete: true,
    },
    failure: null,
    ...change,
  }
}

type Row = [name: string, given: Exchange]

describe('a journal', () => {
  it.each<Row>([
    ['a whole exchange', exchange()],
    ['one sent twice', exchange({ resent: true })],
    ['one written in two', exchange({ request: { ...exchange().request, splitAt: 3 } })],
    ['one of a replica', exchange({ request: { ...exchange().request, replica: 'https://b.test' } })],
    ...failures.map((kind): Row => [kind, exchange({ response: null, failure: { kind, message: 'm' } })]),
  ])('gives back %s as it was', (_, given) => {
    const line = toLine(given)
    expect(line).not.toContain('\n')
    expect(fromLine(line)).toEqual(given)
  })

  it('gives back any bytes as they were, and keeps those that are text readable', () => {
    const byte = fc.constantFrom(0x00, 0x0a, 0x22, 0x5c, 0x61, 0xc3, 0xa9, 0xef, 0xbb, 0xbf, 0xff)
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (body) => {
        const given = exchange()
        const again = fromLine(
          toLine({ ...given, request: { ...given.request, body: Uint8Array.from(body) } }),
        )
        return Buffer.compare(again.request.body, Uint8Array.from(body)) === 0
      }),
    )
    expect(toLine(exchange())).toContain(String.raw`{\"message\":\"é`)
  })

  it('gives a body that was kept elsewhere by its digest, and asks for it when it is read', () => {
    const kept = new Map<string, Uint8Array>()
    const digest = 'd1'.repeat(32)
    const keep = (body: Uint8Array) => {
      if (body.length < 10) return null
      kept.set(digest, body)
      return { evidence: digest, bytes: body.length }
    }
    const given = exchange()
    const plain = JSON.parse(JSON.stringify(toPlain(given, keep))) as Json
    expect(plain).toMatchObject({ request: { body: { evidence: digest, bytes: given.request.body.length } } })
    const read = fromPlain(plain, ({ evidence }) => kept.get(evidence) ?? new Uint8Array())
    expect(read).toEqual(given)
    expect(() => fromPlain(plain)).toThrow(/points to the evidence (?:d1)+, and there is none beside it/)
  })

  it('is one line for each exchange, and names the line that is none', () => {
    const journal = writeJournal([exchange(), exchange({ id: 8 })])
    expect(readJournal(journal).map(({ id }) => id)).toEqual([7, 8])
    expect(() => readJournal(`${journal}{"id":9}\n`)).toThrow(/line 3 .*\/scenario is missing/)
    expect(() => readJournal(journal.replace('"sentAt":1.5', '"sentAt":"1"'))).toThrow(
      /line 1 .*sentAt is "1"/,
    )
    // Read as infinite, it would be written as null.
    expect(() => readJournal(journal.replace('"sentAt":1.5', '"sentAt":1e999'))).toThrow(
      /line 1 .* .sentAt is .*, not number/,
    )
    expect(() => readJournal(journal.slice(0, -9))).toThrow(/line 2 .* not JSON/)
  })
})
