import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Exchange, Header } from '../exchange.ts'
import { toLine } from '../journal/codec.ts'
import { mustHaveNoSecret } from './leaks.ts'
import { createRedactor, withheldText } from './redaction.ts'

/** A response with this body, which came in one read. */
function answer(
  body: string | Uint8Array,
  { headers = [], request }: { headers?: readonly Header[]; request?: unknown } = {},
): Exchange {
  return {
    id: 1,
    scenario: 'double',
    name: 'turn',
    request: {
      method: 'POST',
      path: '/',
      headers: [],
      body: utf8(request === undefined ? '' : JSON.stringify(request)),
      principal: null,
    },
    sentAt: 0,
    endedAt: 2,
    response: {
      status: 200,
      headers,
      at: 1,
      chunks: [{ at: 1, bytes: typeof body === 'string' ? utf8(body) : body }],
      complete: true,
    },
    failure: null,
  }
}

const jsonAnswer = (value: unknown, made?: Parameters<typeof answer>[1]): Exchange =>
  answer(JSON.stringify(value), made)
const withHeaders = (...headers: readonly Header[]): Exchange => jsonAnswer({}, { headers })
const streamAnswer = answer
const bytes = ({ response }: Exchange): Uint8Array =>
  Buffer.concat((response?.chunks ?? []).map((chunk) => chunk.bytes))

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const exchange = (change: Partial<Exchange> = {}): Exchange => ({ ...jsonAnswer({ n: 1 }), ...change })

/** Characters that every encoding changes: quote, backslash, slash, plus, space, percent, é, an emoji. */
const canary = 'sk-"7\\x/Q+z 9%é🙂?>~end'
const secrets = [
  { name: 'key:main', value: canary },
  { name: 'key:other', value: 'sk-other-000' },
  { name: 'key:longer', value: 'sk-other-000-and-more' },
]
const marked = createRedactor(secrets)
/** Without the marks of tokens, which differ from run to run. */
const unmarked = (text: string): string => text.replaceAll(/(?<=\[\[key:\w+):[\da-f]{8}(?=\]\])/g, '')
const clean = { text: (text: string) => unmarked(marked.text(text)) }
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
  '>': '&gt;',
}
const markup = (value: string): string => value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
const encodings: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  'in JSON': (value) => JSON.stringify(value).slice(1, -1),
  'in JSON, slashes too': (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON, in ASCII': (value) =>
    JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(/[\u0080-\uffff]/g, (unit) => escapeAll(unit).toUpperCase().replace('U', 'u')),
  'in JSON within JSON': (value) => JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  'URL-encoded': encodeURIComponent,
  'URL-encoded as a form': (value) => new URLSearchParams({ value }).toString().slice('value='.length),
  base64,
  'base64 after one byte': (value) => base64(`a${value}`),
  'base64 after two bytes': (value) => base64(`ab${value}`),
  'base64 in the middle': (value) => base64(`user:${value}, and more`),
  base64url: (value) => Buffer.from(`u:${value}`).toString('base64url'),
  'base64 in a URL': (value) => encodeURIComponent(base64(`xy${value}`)),
  'base64 in JSON': (value) => base64(value).replaceAll('/', '\\/'),
  'in HTML': markup,
  hex: (value) => Buffer.from(value).toString('hex'),
  'hex in upper case': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'in capitals': (value) => value.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
}

/** What can be found, and not be replaced. */
const others: Readonly<Record<string, (value: string) => string>> = {
  'in JSON, all escaped': escapeAll,
  'URL-encoded throughout': percentAll,
  'URL-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'in HTML twice': (value) => markup(markup(value)),
  'in HTML, all by number': (value) => Array.from(value, (one) => `&#${one.codePointAt(0)};`).join(''),
  'in UTF-16': (value) => Buffer.from(value, 'utf16le').toString('latin1'),
  'in base64 of many lines': (value) => base64(`user:${value}, and more`).replaceAll(/.{16}/g, '$&\r\n'),
  'in hex, byte by byte': (value) =>
    Buffer.from(value)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$& '),
  'in gzip in base64': (value) => gzipSync(value).toString('base64'),
  'in the events of a stream': (value) =>
    Array.from(value, (one) => `data: ${JSON.stringify({ type: 'token', content: one })}\n\n`).join(''),
}

it.each(Object.entries(encodings))('finds a secret %s', (_, encode) => {
  expect(clean.text(`<${encode(canary)}>`)).toMatch(/^<[\w+/%-]{0,8}\[\[key:main\]\][\w+/%=-]{0,16}>$/)
  expect(clean.text(`<${encode('sk-other-000')}>`)).toContain('[[key:other]]')
})

it('leaves no six characters of the canary behind, in any encoding', () => {
  for (const encode of Object.values(encodings)) {
    const left = clean.text(encode(canary)).replaceAll('[[key:main]]', '')
    for (const piece of pieces(6)) expect(left).not.toContain(encode(piece))
  }
})

it('takes the longer of two secrets that begin alike, and what is behind a public prefix', () => {
  expect(clean.text('other-000-AND-more')).toBe('[[key:longer]]')
  expect(clean.text('sk-other-000-and-more, sk-other-000-and')).toBe('[[key:longer]], [[key:other]]-and')
})

it('leaves everything else as it is', () => {
  const plain = exchange()
  expect(marked.exchange(plain)).toEqual(plain)
  expect(createRedactor([]).exchange(plain)).toEqual(plain)
})

it.each(Object.entries(encodings))('finds the beginning of a secret that we cut to size: %s', (_, encode) => {
  const whole = encode(canary)
  const known = pieces(8).map(encode)
  for (let length = 1; length < whole.length; length++) {
    const left = clean.text(`{"got":"${whole.slice(0, length)}…"}`)
    expect(known.filter((piece) => left.includes(piece))).toEqual([])
    expect(left.endsWith('…"}')).toBe(true)
  }
})

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
  const left = marked.exchange(given)
  const line = toLine(left)
  for (const encode of Object.values(encodings))
    for (const piece of pieces(8)) expect(line).not.toContain(encode(piece))
  expect(unmarked(left.request.path)).toBe('/v1?key=[[key:main]]&n=1')
  expect(unmarked(left.request.headers[0]?.[1] ?? '')).toBe('Bearer [[key:main]]')
  expect(unmarked(Buffer.from(left.request.body).toString())).toBe('{"key":"[[key:main]]"}')
  expect(unmarked(Buffer.from(bytes(left)).toString())).toBe(
    'data: {"echo":"[[key:main]]"}\n\ndata: [[key:main]]!',
  )
  expect(left.response?.chunks.map((chunk) => chunk.at)).toEqual(
    given.response?.chunks.map((chunk) => chunk.at),
  )
  expect(unmarked(left.failure?.message ?? '')).toBe('the key [[key:main]] was cut')
})

it('finds a secret that a header carries in Latin-1, and its final scan finds it, too', () => {
  const value = 'pässword-Zoë-77'
  const redact = createRedactor([{ name: 'header:X-Gateway', value }])
  const left = toLine(redact.exchange(withHeaders(['x-gateway', value], ['x-echo', btoa(value)])))
  expect(left).toContain('[[header:X-Gateway:')
  expect(left).not.toMatch(/ssword|Zo/)
  expect(left).not.toContain(btoa(value).slice(2, -4))
  expect(() => mustHaveNoSecret([['a', JSON.stringify({ value })]], redact.secrets())).toThrow(
    'header:X-Gateway',
  )
})

it('refuses names and values it cannot work with', () => {
  expect(() => createRedactor([{ name: 'a"b', value: 'long enough' }])).toThrow(/"a\\"b"/)
  expect(() => createRedactor([{ name: 'a', value: 'abc' }])).toThrow(/the secret a has 3 characters/)
})

const long = 'sk-live/4f9a8b7c"6d5e+4f9a8b7c&6d5e'

it.each(Object.entries(others))(
  'withholds the body and the text with a secret %s, and no other',
  (_, write) => {
    const redact = createRedactor([{ name: 'one', value: long }])
    const given = answer(`<before>\n${write(long)}\n<after>`)
    const left = redact.exchange(given)
    expect(Buffer.from(bytes(left)).toString()).toBe(withheldText)
    expect(left).toEqual({ ...given, withheld: true, response: left.response })
    expect(redact.text(`<before>\n${write(long)}`)).toBe(withheldText)
    expect(redact.exchange(answer('<before>'))).toEqual(answer('<before>'))
    expect(redact.redaction().counts).toEqual({ withheld: 2 })
  },
)

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
] as const)(
  'withholds a body in %s that has a secret in it, given or disclosed there',
  (encoding, compress) => {
    const packed = (text: string): Exchange => {
      const { response, ...rest } = answer('')
      if (response === null) throw new Error('there is no answer')
      const headers = [...response.headers, ['Content-Encoding', encoding] as const]
      return { ...rest, response: { ...response, headers, chunks: [{ at: 1, bytes: compress(text) }] } }
    }
    const redact = createRedactor([{ name: 'one', value: long }])
    const left = (text: string): string =>
      Buffer.from(bytes(redact.exchange(packed(text)))).toString('latin1')

    expect(left(`no such key: ${long}`)).toBe(withheldText)
    expect(left(`{"secret_key":"whsec_Zm9yIG9uZSB3ZWJob29r"}`)).toBe(withheldText)
    expect(left('{}')).toBe(Buffer.from(compress('{}')).toString('latin1'))
  },
)

it.each([
  ['gzip, gzip', (body: string) => gzipSync(gzipSync(body))],
  ['gzip', (body: string) => gzipSync(gzipSync(body))],
  ['deflate, br', (body: string) => brotliCompressSync(deflateSync(body))],
  ['br, gzip', (body: string) => gzipSync(body)],
  ['', (body: string) => gzipSync(body)],
  ['gzip', (body: string) => gzipSync(gzipSync(gzipSync(gzipSync(gzipSync(body)))))],
])('withholds a body that is compressed otherwise than `Content-Encoding: %s` says', (encoding, compress) => {
  const redact = createRedactor([{ name: 'key:main', value: 'sk-live-Zk3vTq9LmX2pRw7B' }])
  const given = answer(compress('no such key: sk-live-Zk3vTq9LmX2pRw7B'), {
    headers: [['Content-Encoding', encoding]],
  })
  expect(Buffer.from(bytes(redact.exchange(given))).toString()).toMatch(/^\[\[withheld/)
})

describe('what goes deeper, or takes more bytes, than is looked into, is withheld', () => {
  const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')
  const nested = (depth: number): string =>
    depth === 0 ? 'a text that is readable' : base64(nested(depth - 1))

  it.each([
    ['a million backslashes', '\\'.repeat(1 << 20)],
    ['a text that was escaped too often', '%'.padEnd(20, '25')],
    ['base64 of base64 of base64 of base64 of base64', nested(5)],
    ['a few bytes of gzip that stand for many', base64(gzipSync('a'.repeat(1 << 22)))],
    ['many of them', `${base64(gzipSync('a'.repeat(1 << 19)))} `.repeat(60)],
  ])('%s', (_, text) => {
    expect(createRedactor([{ name: 'one', value: 'secret-one' }]).text(text)).toBe(withheldText)
  })

  it.each([
    ['base64 four deep', nested(4)],
    ['four million hexadecimal digits', 'e7'.repeat(1 << 21)],
    ['four million letters', 'x'.repeat(1 << 22)],
  ])('%s is not', (_, text) => {
    expect(createRedactor([{ name: 'one', value: 'secret-one' }]).text(text) === text).toBe(true)
  })
})

describe('what an answer discloses', () => {
  const secret = 'whsec_Zm9yIG9uZSB3ZWJob29r'
  const disclosing: readonly (readonly [string, Exchange])[] = [
    ['in a member', jsonAnswer({ id: 'w', secret_key: secret })],
    ['deep in a list', jsonAnswer({ webhooks: [{ id: 'w' }, { hook: { secret_key: secret } }] })],
    ['with its name escaped', answer(`{"secret\\u005fkey":"${secret}"}`)],
    ['with its value escaped', answer(`{"secret_key":"${secret.replace('w', '\\u0077')}"}`)],
    ['within a text', jsonAnswer({ log: JSON.stringify({ answered: { secret_key: secret } }) })],
    ['in an answer that broke off', answer(`{"secret_key":"${secret}","agent_id":"a`)],
    ['in an event of a stream', streamAnswer(`data: {"type":"done","secret_key": "${secret}"}\n\n`)],
    ['in a custom header', jsonAnswer({ webhooks: [{ custom_headers: { 'X-Token': secret } }] })],
    ['in a cookie', jsonAnswer({}, { headers: [['Set-Cookie', `sid="${secret}"; Path=/; HttpOnly`]] })],
  ]

  it.each([
    ['the secret of a webhook', jsonAnswer({ secret_key: secret }, { headers: [['X-Trace', secret]] })],
    ['a session', withHeaders(['X-Session-Token', secret], ['Set-Cookie', `session=${secret}`])],
  ])('is taken out of a header beside it: %s', (_, given) => {
    expect(toLine(createRedactor().exchange(given))).not.toContain(secret)
  })

  it.each(disclosing)('is taken out from there on: %s', (_, given) => {
    const redact = createRedactor()
    expect(redact.text(secret)).toBe(secret)

    const line = toLine(redact.exchange(given))
    expect(line).not.toContain(secret)
    expect(line).toMatch(/\[\[((webhook-secret|cookie|custom-header):1|withheld):/)

    expect(redact.text(secret)).toMatch(/^\[\[(webhook-secret|cookie|custom-header):1:[\da-f]{8}\]\]$/)
    expect(redact.secrets().map(({ value }) => value)).toEqual([secret])
    expect(Object.values(redact.redaction().counts).reduce((sum, one) => sum + one)).toBe(2)
  })

  it.each([
    ['stars', jsonAnswer({ secret_key: '***************************' })],
    ['a word', jsonAnswer({ secret_key: 'redacted' })],
    ['nothing', jsonAnswer({ secret_key: null })],
    ['an address', jsonAnswer({ endpoint_url: secret, custom_headers: { 'X-To': secret } })],
    ['a redaction', jsonAnswer({ secret_key: '[[webhook-secret:1:7d5dc838]]' })],
    ['a preview', jsonAnswer({ secret_key_preview: 'whsec_Zm9...b29r' })],
    ['what was sent', jsonAnswer({ secret_key: secret }, { request: { name: secret } })],
    ['an id', jsonAnswer({ secret_key: secret, webhook_id: secret })],
    ['in a header and a cookie', withHeaders(['x-pod', secret], ['set-cookie', `c=${secret}`])],
    ['a conversation', jsonAnswer({ conversationId: secret }, { headers: [['set-cookie', `c=${secret}`]] })],
    ['part of our plan', jsonAnswer({ secret_key: 'idempotency-replay/json/IDEM' })],
  ])('is no secret where it is %s', (_, given) => {
    const redact = createRedactor()
    redact.publish('checks: idempotency-replay/json/IDEM-REPLAY')
    expect(redact.exchange(given)).toEqual(given)
    expect(redact.secrets()).toEqual([])
  })

  it('is no secret where it named something before, and a secret where it only gave access', () => {
    const cookie = jsonAnswer({}, { headers: [['Set-Cookie', `c=${secret}`]] })
    for (const [name, count] of [
      ['agent_id', 0],
      ['agentId', 0],
      ['session_id', 1],
      ['tokenId', 1],
    ] as const) {
      const redact = createRedactor()
      redact.exchange(jsonAnswer({ [name]: secret }))
      redact.exchange(cookie)
      expect([name, redact.secrets().length]).toEqual([name, count])
    }
  })

  it('is looked for in names of any length in no time to speak of', () => {
    const redact = createRedactor()
    for (const part of ['a_', 'aId', '"id" ', '"a_id"    '])
      expect(redact.exchange(answer(`{"${part.repeat(300_000)}":1}`)).response?.status).toBe(200)
  })

  it('is looked for also where it ends in half a character', () => {
    const redact = createRedactor()
    const given = answer(`{"secret_key":"${secret}\\ud800"}`, { request: { name: 'x' } })
    expect(toLine(redact.exchange(given))).not.toContain(secret)
  })

  it('stays in on request, but for cookies and what was secret before', () => {
    const redact = createRedactor([{ name: 'key:main', value: 'sk-live-0001' }], true)
    const cookie = [['set-cookie', 'sid=0123-4567-89ab']] as const
    const left = redact.exchange(
      jsonAnswer({ secret_key: secret, echo: 'sk-live-0001' }, { headers: cookie }),
    )

    expect(toLine(left)).toContain(secret)
    expect(redact.redaction().counts).toEqual({ cookie: 1, 'key:main': 1 })
    expect(redact.secrets().map(({ name }) => name)).toEqual(['key:main', 'cookie:1'])
  })
})

it('marks the same secret alike within a run, others otherwise, and nothing alike in two runs', () => {
  const pool = ['sk-live-0001', 'sk-live-0002'].map((value) => ({ name: 'key:main', value }))
  const text = 'sk-live-0001 sk-live-0002 sk-live-0001'

  const [first, second, again] = createRedactor(pool).text(text).split(' ')
  expect(first).toBe(again)
  expect(first).not.toBe(second)
  expect(createRedactor(pool).text(text)).not.toContain(first)
})

// A pattern of that length would end the process.
it('takes out a secret of many thousand characters, in any encoding and cut to size', () => {
  const secret = Array.from({ length: 800 }, (_, i) => (i * 7919 + 13).toString(36)).join('-')
  const redact = createRedactor([{ name: 'header:Cookie', value: secret }])
  const token = /\[\[header:Cookie:[\da-f]{8}\]\]/.source

  for (const spelled of [secret, encodeURIComponent(secret), secret.toUpperCase()])
    expect(redact.text(`<${spelled}>`)).toMatch(new RegExp(`^<${token}>$`))
  expect(redact.text(`<${base64(`user:${secret}`)}>`)).toMatch(new RegExp(`^<[\\w+/]{0,8}${token}\\w?=*>$`))
  expect(redact.text(`<${secret.slice(0, 2_000)}…>`)).toMatch(new RegExp(`^<${token}…>$`))
  expect(redact.text(`${secret} ${secret}`)).toMatch(new RegExp(`^${token} ${token}$`))
})
