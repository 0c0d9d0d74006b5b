import { describe, expect, it } from 'vitest'
import {
  type Exchange,
  type Header,
  type Received,
  contentType,
  header,
  json,
  member,
  status,
  text,
} from './exchange.ts'

function exchange(chunks: readonly (string | Uint8Array)[], change: Partial<Received> = {}): Exchange {
  const request = { method: 'POST', path: '/', headers: [], body: new Uint8Array(), principal: null }
  const response = {
    status: 200,
    headers: [],
    at: 1,
    chunks: chunks.map((chunk, i) => ({ at: i, bytes: new Uint8Array(Buffer.from(chunk)) })),
    complete: true,
    ...change,
  }
  return { id: 1, scenario: 's', name: 'n', request, sentAt: 0, endedAt: 9, response, failure: null }
}
const typed = (value: string): Exchange => exchange([], { headers: [['Content-Type', value]] })
const unanswered: Exchange = { ...exchange([]), response: null, failure: { kind: 'refused', message: 'no' } }

describe('a recorded body', () => {
  it('is its chunks joined', () => {
    const cut = exchange([Uint8Array.of(0x22, 0xc3), Uint8Array.of(0xa9, 0x22)])
    expect(text(cut)).toEqual({ valid: true, text: '"é"' })
    expect(json(cut)).toEqual({ ok: true, value: 'é' })
  })

  it.each([
    ['bytes that are not UTF-8', exchange([Uint8Array.of(0x22, 0xff, 0x22)]), /not UTF-8/],
    ['a byte order mark', exchange(['\uFEFF{}']), /byte order mark/],
    ['a body that broke off', exchange(['{}'], { complete: false }), /broke off/],
    ['no answer', unanswered, /no answer/],
  ])('is no JSON for %s', (_, given, why) => {
    expect(json(given)).toEqual({ ok: false, why: expect.stringMatching(why) })
    expect(member(given, '')).toBeUndefined()
  })
})

describe('recorded headers', () => {
  const headers: Header[] = [
    ['X-One', 'a'],
    ['x-two', 'b'],
    ['x-ONE', 'c, d'],
  ]

  it('are found in any casing, every line by itself', () => {
    expect(header(exchange([], { headers }), 'x-one')).toEqual(['a', 'c, d'])
    expect(header(exchange([], { headers }), 'x-three')).toEqual([])
    expect([status(unanswered), header(unanswered, 'x-one'), contentType(unanswered)]).toEqual([
      null,
      [],
      null,
    ])
  })

  it.each([
    ['application/json', 'application/json', {}],
    [' Text/Event-Stream ;Charset=UTF-8', 'text/event-stream', { charset: 'UTF-8' }],
    ['text/plain; a="x; \\"y\\""; b=z; A=second', 'text/plain', { a: 'x; "y"', b: 'z' }],
    ['', '', {}],
  ])('give the content type of %j', (value, essence, params) => {
    expect(contentType(typed(value))).toEqual({ essence, params })
  })
})
