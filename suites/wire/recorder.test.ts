import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from './clock.ts'
import { type Header, bytes, header, text } from './exchange.ts'
import { createRecorder, type Outgoing } from './recorder.ts'

/** What a connection of the little server does once a whole request has come; `nth` counts over all, from 1. */
type Script = (socket: Socket, request: string, nth: number) => unknown

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function serve(script: Script, prefix = '', timeoutMs = 5_000, tracedRun?: string) {
  /** As they stood on the wire. */
  const requests: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString('latin1')
      for (let end = endOf(received); end > 0; end = endOf(received)) {
        const nth = requests.push(received.slice(0, end))
        received = received.slice(end)
        script(socket, requests[nth - 1] ?? '', nth)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${prefix}`
  const recorder = createRecorder({
    baseUrl: url,
    headers: [['X-Gate', 'open']],
    timeoutMs,
    clock: realClock(),
    tracedRun,
  })
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  closing.push(() => recorder.close())
  return { recorder, url, requests, sockets }
}

function endOf(received: string): number {
  const head = received.indexOf('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
  return head >= 0 && received.length >= head + 4 + length ? head + 4 + length : 0
}

function post(change: Partial<Outgoing> = {}): Outgoing {
  const headers: Header[] = [['Content-Type', 'application/json']]
  const body = new TextEncoder().encode('{"message":"hi"}')
  const about = { scenario: 's', name: 'n', method: 'POST', path: '/chat', principal: 'main' }
  return { ...about, headers, body, ...change }
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
/** Long enough that two writes are two reads; nothing is judged by it. */
const beat = (): Promise<void> => realClock().sleep(25)

async function closed(socket: Socket | undefined): Promise<void> {
  if (socket && !socket.destroyed) await once(socket, 'close')
}

describe('a recorded exchange', () => {
  it('goes below a base address with a path, and keeps the path of the scenario', async () => {
    const { recorder, requests } = await serve((socket) => socket.write(ok), '/gate/way/')
    const exchange = await recorder.send(post({ method: 'GET', path: '/chat?a=1', body: new Uint8Array() }))
    expect(requests[0]).toMatch(/^GET \/gate\/way\/chat\?a=1 HTTP\/1\.1\r\n/)
    expect(exchange.request.path).toBe('/chat?a=1')
  })

  it('is framed by its length also where its body goes out in two writes', async () => {
    const { recorder, requests } = await serve((socket) => socket.write(ok))
    const { request, response } = await recorder.send(post({ splitAt: 5 }))
    expect([request.splitAt, response?.status]).toEqual([5, 200])
    expect(requests[0]).toMatch(/\r\ncontent-length: 16\r\n(?:.+\r\n)*\r\n\{"message":"hi"\}$/i)
    expect(requests[0]).not.toMatch(/transfer-encoding/i)
  })

  it('keeps the headers of both sides in order and casing, and lines of one name apart', async () => {
    const { recorder, requests } = await serve((socket) =>
      socket.write(
        'HTTP/1.1 201 Made\r\nX-B:\t1 \t\r\nx-a: \xe9\r\nX-b: 2 \r\nCONTENT-length: 0\r\n\r\n',
        'latin1',
      ),
    )
    const headers: Header[] = [
      ['IDEMPOTENCY-Key', 'one'],
      ['idempotency-key', 'two'],
      ['x-gate', 'shut'],
      ['Accept', '\xe9'],
    ]
    const exchange = await recorder.send(post({ headers }))
    expect(
      requests[0]?.split('\r\n').filter((line) => !/^(?:host|connection|content-length):/.test(line)),
    ).toEqual([
      'POST /chat HTTP/1.1',
      'IDEMPOTENCY-Key: one',
      'idempotency-key: two',
      'x-gate: shut',
      'Accept: \xe9',
      'accept-encoding: identity',
      '',
      '{"message":"hi"}',
    ])
    expect(exchange.request.headers).toEqual([...headers, ['accept-encoding', 'identity']])
    expect(exchange.response).toMatchObject({
      status: 201,
      headers: [
        ['X-B', '1'],
        ['x-a', '\xe9'],
        ['X-b', '2'],
        ['CONTENT-length', '0'],
      ],
      chunks: [],
      complete: true,
    })
    expect(exchange).toMatchObject({ id: 1, scenario: 's', name: 'n', failure: null })
  })

  it('has one chunk for each network read, however many HTTP chunks are in it, with rising times', async () => {
    const { recorder } = await serve(async (socket) => {
      socket.write(`${head}3\r\nabc\r\n2\r\nde\r\n`)
      await beat()
      socket.write('1\r\nf\r\n')
      await beat()
      socket.write('0\r\n\r\n')
    })
    const { response, sentAt, endedAt } = await recorder.send(post())
    expect(response?.chunks.map((chunk) => Buffer.from(chunk.bytes).toString())).toEqual(['abcde', 'f'])
    const times = [sentAt, response?.at ?? 0, ...(response?.chunks ?? []).map((chunk) => chunk.at), endedAt]
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(endedAt - sentAt).toBeGreaterThan(40)
    expect(response?.complete).toBe(true)
  })

  it.each([
    ['5,000 that end in CRLF are within the limit', '\r\n', 5_000, undefined],
    [
      '9,000 are not, and the beginning is recorded',
      '\n',
      9_000,
      expect.stringContaining('a response may have 8000 lines'),
    ],
  ] as const)('counts lines: %s', async (_, end, count, failure) => {
    const body = `data: 1${end}`.repeat(count)
    const { recorder } = await serve((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    )
    const exchange = await recorder.send(post({}))
    expect(exchange.response?.complete).toBe(failure === undefined)
    expect(exchange.failure?.message).toEqual(failure)
    expect(bytes(exchange).length).toBeGreaterThan(0)
  })

  it('follows no redirect, decodes nothing, and passes over informational answers', async () => {
    const { recorder, requests } = await serve((socket) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 307 Go\r\nlocation: /x\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\nz',
      ),
    )
    const exchange = await recorder.send(post())
    expect([exchange.response?.status, header(exchange, 'link'), header(exchange, 'location')]).toEqual([
      307,
      [],
      ['/x'],
    ])
    expect(Buffer.from(bytes(exchange)).toString()).toBe('z')
    expect(requests).toHaveLength(1)
  })
})

describe('what goes wrong', () => {
  const ends =
    (text: string): Script =>
    (socket) =>
      socket.end(text)
  const long = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`
  const nine = (more = '') => `HTTP/1.1 200 OK\r\n${more}content-length: 9\r\n\r\nabc`
  it.each<[name: string, script: Script, kind: string, status: number | null, body: string]>([
    ['a reset before the answer', (socket) => socket.resetAndDestroy(), 'reset', null, ''],
    ['an end before the answer', (socket) => socket.end(), 'reset', null, ''],
    ['an end in a chunked body', ends(`${head}3\r\nabc\r\n`), 'reset', 200, 'abc'],
    ['a body shorter than promised', ends(nine()), 'reset', 200, 'abc'],
    ['endless headers', (socket) => socket.write(long), 'protocol', null, ''],
  ])('is reported by kind: %s', async (_, script, kind, status, body) => {
    const { recorder, requests } = await serve(script)
    const exchange = await recorder.send(post())
    expect(exchange.failure?.kind).toBe(kind)
    expect(exchange.failure?.message).not.toBe('')
    expect(exchange.response?.status ?? null).toBe(status)
    expect(exchange.response?.complete ?? false).toBe(false)
    expect(Buffer.from(bytes(exchange)).toString()).toBe(body)
    expect(requests).toHaveLength(1)
    expect(exchange.resent).toBeUndefined()
  })

  it('is refused where nothing listens, and where the name does not exist', async () => {
    const { url, recorder } = await serve((socket) => socket.write(ok))
    await recorder.close()
    const port = Number(new URL(url).port)
    closing.splice(0).forEach((close) => void close())
    for (const baseUrl of [`http://127.0.0.1:${port}`, 'http://touchstone.invalid']) {
      const lost = createRecorder({ baseUrl, timeoutMs: 4_000, clock: realClock() })
      const [exchange] = await lost.together([post()])
      expect(exchange).toMatchObject({ response: null, failure: { kind: 'refused' } })
      expect(exchange?.failure?.message).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/)
      await lost.close()
    }
  })

  it('is a timeout with what was received so far, and the connection is gone', async () => {
    const { recorder, sockets } = await serve((socket) => socket.write(`${head}3\r\nabc\r\n`))
    const exchange = await recorder.send(post({ timeouts: { timeoutMs: 80 } }))
    expect(exchange).toMatchObject({ failure: { kind: 'timeout' }, response: { complete: false } })
    expect(Buffer.from(bytes(exchange)).toString()).toBe('abc')
    await closed(sockets[0])
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is read where it was compressed by %s, though not asked to be', async (coding, compress) => {
    const body = compress('{"response":"hi"}')
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
    const { recorder } = await serve((socket) => socket.write(Buffer.concat([Buffer.from(head), body])))
    expect(text(await recorder.send(post()))).toEqual({ valid: true, text: '{"response":"hi"}' })
  })

  it('is on a connection of its own once the target closed a kept one without a word', async () => {
    const { recorder, sockets } = await serve((socket) => void socket.write(ok, () => socket.end()))
    await recorder.send(post())
    await closed(sockets[0])
    await beat()
    const later = [await recorder.send(post()), await recorder.send(post())]
    expect(later.map(({ response, resent }) => [response?.status, resent])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
  })

  it('is no timeout where this process had no processor', async () => {
    const { recorder } = await serve((socket) => socket.write(ok))
    const sent = recorder.send(post({ timeouts: { timeoutMs: 300 } }))
    const stalled = performance.now() + 900
    while (performance.now() < stalled);
    expect((await sent).failure).toBeNull()
  })

  it('throws only for what cannot be written as HTTP', async () => {
    const { recorder } = await serve((socket) => socket.write(ok))
    await expect(recorder.send(post({ headers: [['bad name', 'x']] }))).rejects.toThrow(
      /POST \/chat cannot be sent/,
    )
    await expect(recorder.send(post({ path: '/a b' }))).rejects.toThrow(/cannot be sent/)
    expect(() => createRecorder({ baseUrl: 'ftp://x', timeoutMs: 1, clock: realClock() })).toThrow(/"ftp:/)
    expect((await recorder.send(post())).failure).toBeNull()
  })
})

it.each([
  ['after a time', { abortAfterMs: 60 }],
  ['after some bytes', { abortAfterBytes: 3 }],
])(
  'going away on purpose ends the exchange as aborted %s, with what was received so far, and closes the connection',
  async (_, timeouts) => {
    const { recorder, sockets } = await serve((socket) => socket.write(`${head}3\r\nabc\r\n`))
    const exchange = await recorder.send(post({ timeouts }))
    expect(exchange).toMatchObject({ failure: { kind: 'aborted' }, response: { complete: false } })
    expect(Buffer.from(bytes(exchange)).toString()).toBe('abc')
    await closed(sockets[0])
  },
)

it('a closed recorder aborts what is under way, sends nothing a second time, and nothing after', async () => {
  const { recorder, requests } = await serve((socket, _request, nth) => {
    if (nth === 1) socket.write(ok)
    else void recorder.close()
  })
  await recorder.send(post())
  expect(await recorder.send(post())).toMatchObject({ response: null, failure: { kind: 'aborted' } })
  await recorder.warm(2)
  expect(await recorder.send(post())).toMatchObject({ response: null, failure: { kind: 'aborted' } })
  expect(requests).toHaveLength(2)
})

describe('a traceparent', () => {
  const own = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const traces = (texts: readonly string[]) =>
    texts.map((one) => /^traceparent: (.*)$/im.exec(one)?.[1] ?? null)

  it('names the run as its trace and each request as its span, in place of one that was copied', async () => {
    const { recorder, requests } = await serve((socket) => socket.write(ok), '', 5_000, 'run-1')
    const first = await recorder.send(post())
    const copied = await recorder.send(post({ headers: first.request.headers }))
    const withheld = recorder.withhold(post({ headers: copied.request.headers }), 'over')
    const sent = traces(requests)
    const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(sent[0] ?? '') ?? []
    expect(sent[1]).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(new Set(sent).size).toBe(2)
    for (const [at, { request }] of [first, copied].entries())
      expect(request.headers.filter(([name]) => name === 'traceparent')).toEqual([['traceparent', sent[at]]])
    expect(withheld.request.headers.map(([name]) => name)).not.toContain('traceparent')
  })

  it('is another one where the same bytes are sent once more, and that is recorded', async () => {
    const script: Script = (socket, _, nth) => (nth === 2 ? socket.end() : socket.write(ok))
    const { recorder, requests } = await serve(script, '', 5_000, 'run-1')
    await recorder.send(post())
    const { request, resent } = await recorder.send(post())
    const sent = traces(requests)
    expect([resent, new Set(sent).size]).toEqual([true, 3])
    expect(request.headers).toContainEqual(['traceparent', sent[2]])
  })

  it.each<[string, Header[], string | undefined, (string | null)[]]>([
    ['of its own stays', [['TraceParent', own]], 'run-1', [own]],
    ['is not sent without a run', [], undefined, [null]],
  ])('%s', async (_, headers, run, expected) => {
    const { recorder, requests } = await serve((socket) => socket.write(ok), '', 5_000, run)
    await recorder.send(post({ headers }))
    expect(traces(requests)).toEqual(expected)
    expect(requests[0]?.match(/^traceparent:/gim)?.length ?? 0).toBe(expected[0] === null ? 0 : 1)
  })
})

describe('kept connections', () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ['ended', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ])(
    'found %s without a word are left for a new one, and the same bytes sent once more',
    async (_, hangUp) => {
      const { recorder, requests, sockets } = await serve((socket, _request, nth) =>
        nth === 2 ? hangUp(socket) : socket.write(ok),
      )
      await recorder.send(post())
      const exchange = await recorder.send(post())
      expect(exchange).toMatchObject({ id: 2, failure: null, resent: true, response: { status: 200 } })
      expect(requests[2]).toBe(requests[1])
      expect(sockets).toHaveLength(2)
    },
  )

  it('are not left once a byte of the response was received', async () => {
    const { recorder, requests } = await serve((socket, _request, nth) =>
      nth === 1 ? socket.write(ok) : socket.end('H'),
    )
    await recorder.send(post())
    const exchange = await recorder.send(post())
    expect(exchange).toMatchObject({ failure: { kind: 'reset' }, response: null })
    expect([exchange.resent, requests.length]).toEqual([undefined, 2])
  })

  it('carry a race: every request is there before the first is answered', async () => {
    const waiting: Socket[] = []
    const { recorder, sockets } = await serve((socket) => {
      if (waiting.push(socket) === 12) for (const each of waiting) each.write(ok)
    })
    await recorder.warm(12)
    const race = await recorder.together(Array.from({ length: 12 }, (_, i) => post({ name: `r${i}` })))
    expect(race.map(({ id, name }) => [id, name])).toEqual(race.map((_, i) => [i + 1, `r${i}`]))
    expect(race.every((exchange) => exchange.response?.status === 200)).toBe(true)
    expect(Math.max(...race.map((one) => one.sentAt))).toBeLessThan(
      Math.min(...race.map((one) => one.endedAt)),
    )
    expect(sockets).toHaveLength(12)
  })
})
