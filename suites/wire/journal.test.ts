import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from './body.ts'
import { failures, type Exchange } from './exchange.ts'
import { fromLine, readJournal, toLine, writeJournal } from './journal.ts'
import { redactor } from './redaction.ts'

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

  it('is one line for each exchange, and names the line that is none', () => {
    const journal = writeJournal([exchange(), exchange({ id: 8 })])
    expect(readJournal(journal).map(({ id }) => id)).toEqual([7, 8])
    expect(() => readJournal(`${journal}{"id":9}\n`)).toThrow(/line 3 .* scenario is missing, not a text/)
    expect(() => readJournal(journal.replace('"sentAt":1.5', '"sentAt":"1"'))).toThrow(
      /line 1 .* sentAt is "1"/,
    )
    // Read as infinite, it would be written as null.
    expect(() => readJournal(journal.replace('"sentAt":1.5', '"sentAt":1e999'))).toThrow(
      /line 1 .* sentAt is .*, not a number/,
    )
    expect(() => readJournal(journal.slice(0, -9))).toThrow(/line 2 .* not JSON/)
  })
})

describe('redaction', () => {
  /** Characters that every encoding changes: quote, backslash, slash, plus, space, percent, é, an emoji. */
  const canary = 'sk-"7\\x/Q+z 9%é🙂?>~end'
  const secrets = [
    { name: 'key:main', value: canary },
    { name: 'key:other', value: 'sk-other-000' },
    { name: 'key:longer', value: 'sk-other-000-and-more' },
  ]
  const clean = redactor(secrets)
  const points = Array.from(canary)
  /** Every run of so many characters of the canary. */
  const pieces = (length: number): string[] =>
    points.slice(length - 1).map((_, from) => points.slice(from, from + length).join(''))

  const escapeAll = (value: string): string =>
    value.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const percentAll = (value: string): string => Buffer.from(value).toString('hex').replace(/../g, '%$&')
  const base64 = (value: string): string => Buffer.from(value).toString('base64')
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '"': '&quot;',
    "'": '&#39;',
    '>': '&#x3E;',
  }
  const markup = (value: string): string =>
    value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
  const spellings: Readonly<Record<string, (value: string) => string>> = {
    plain: (value) => value,
    'in JSON': (value) => JSON.stringify(value).slice(1, -1),
    'in JSON, slashes too': (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
    'in JSON, all escaped': escapeAll,
    'in JSON, escaped in upper case': (value) =>
      escapeAll(value).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
    'in JSON within JSON': (value) => JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    'URL-encoded': encodeURIComponent,
    'URL-encoded as a form': (value) => new URLSearchParams({ value }).toString().slice('value='.length),
    'URL-encoded throughout': percentAll,
    'URL-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
    base64,
    'base64 after one byte': (value) => base64(`a${value}`),
    'base64 after two bytes': (value) => base64(`ab${value}`),
    'base64 in the middle': (value) => base64(`user:${value}, and more`),
    base64url: (value) => Buffer.from(`u:${value}`).toString('base64url'),
    'base64 in a URL': (value) => encodeURIComponent(base64(`xy${value}`)),
    'base64 in JSON': (value) => base64(value).replaceAll('/', '\\/'),
    'in HTML': markup,
    'in HTML twice': (value) => markup(markup(value)),
    hex: (value) => Buffer.from(value).toString('hex'),
    'hex in upper case': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  }

  it.each(Object.entries(spellings))('finds a secret %s', (_, spell) => {
    expect(clean.text(`<${spell(canary)}>`)).toMatch(/^<[\w+/%-]{0,8}\[\[key:main\]\][\w+/%=-]{0,16}>$/)
    expect(clean.text(`<${spell('sk-other-000')}>`)).toContain('[[key:other]]')
  })

  it('leaves no six characters of the canary behind, in any spelling', () => {
    for (const spell of Object.values(spellings)) {
      const left = clean.text(spell(canary)).replaceAll('[[key:main]]', '')
      for (const piece of pieces(6)) expect(left).not.toContain(spell(piece))
    }
  })

  it('takes the longer of two secrets that begin alike', () => {
    expect(clean.text('sk-other-000-and-more, sk-other-000-and')).toBe('[[key:longer]], [[key:other]]-and')
  })

  it('leaves everything else as it is', () => {
    const plain = exchange()
    expect(clean.exchange(plain)).toEqual(plain)
    expect(clean.bytes(Uint8Array.of(0xff, 0xc3, 0))).toEqual(Uint8Array.of(0xff, 0xc3, 0))
    expect(redactor([]).exchange(plain)).toEqual(plain)
  })

  it.each(Object.entries(spellings))(
    'finds the beginning of a secret that we cut to size: %s',
    (_, spell) => {
      const whole = spell(canary)
      const known = pieces(8).map(spell)
      for (let length = 1; length < whole.length; length++) {
        const left = clean.text(`{"got":"${whole.slice(0, length)}…"}`)
        expect(known.filter((piece) => left.includes(piece))).toEqual([])
        expect(left.endsWith('…"}')).toBe(true)
      }
    },
  )

  it('reaches every place of an exchange, and secrets that lie across reads', () => {
    const body = utf8(`data: {"echo":${JSON.stringify(canary)}}\n\ndata: ${canary}!`)
    const latin = Buffer.from(canary).toString('latin1')
    const given = exchange({
      request: {
        method: 'GET',
        path: `/v1?key=${encodeURIComponent(canary)}&n=1`,
        headers: [
          ['Authorization', `Bearer ${latin}`],
          ['Authorization', `Basic ${base64(`me:${canary}`)}`],
        ],
        body: utf8(JSON.stringify({ key: canary })),
        principal: 'main',
      },
      response: {
        status: 200,
        headers: [['x-echo', latin]],
        at: 1,
        chunks: Array.from(body, (byte, at) => ({ at, bytes: Uint8Array.of(byte) })),
        complete: true,
      },
      failure: { kind: 'reset', message: `the key ${canary} was cut` },
    })
    const left = clean.exchange(given)
    const line = toLine(left)
    for (const spell of Object.values(spellings))
      for (const piece of pieces(8)) expect(line).not.toContain(spell(piece))
    expect(left.request.path).toBe('/v1?key=[[key:main]]&n=1')
    expect(left.request.headers[0]).toEqual(['Authorization', 'Bearer [[key:main]]'])
    expect(Buffer.from(left.request.body).toString()).toBe('{"key":"[[key:main]]"}')
    expect(Buffer.from(bytes(left)).toString()).toBe('data: {"echo":"[[key:main]]"}\n\ndata: [[key:main]]!')
    expect(left.response?.chunks.map((chunk) => chunk.at)).toEqual(
      given.response?.chunks.map((chunk) => chunk.at),
    )
    expect(left.failure?.message).toBe('the key [[key:main]] was cut')
  })

  it('refuses names and values it cannot work with', () => {
    expect(() => redactor([{ name: 'a"b', value: 'long enough' }])).toThrow(/"a\\"b"/)
    expect(() => redactor([{ name: 'a', value: 'abc' }])).toThrow(/the secret a has 3 characters/)
  })
})

// With the square of its length, this would take longer than a test may.
it('looks through a body of nothing but backslashes, and finds the escaped secret after them', () => {
  const text = `${'\\'.repeat(300_000)}u0073ecret-one`
  expect(redactor([{ name: 'one', value: 'secret-one' }]).text(text)).toBe('[[one]]')
})
