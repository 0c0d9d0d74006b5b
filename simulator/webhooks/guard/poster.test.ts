import type { GuardPolicy } from '../../rules/webhooks.ts'
import { guardBase } from './addresses.ts'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HeaderLine } from '../../edge/reply.ts'
import { openCanary, type Canary } from '../../testing/canary.testkit.ts'
import { type Poster, Breaker } from './guard.ts'
import { createPoster } from './poster.ts'

const policy: GuardPolicy = guardBase.guard

let canary: Canary
let poster: Poster
beforeEach(async () => {
  canary = await openCanary()
  poster = createPoster()
})
afterEach(async () => {
  await poster.close()
  canary.close()
})

const body = new TextEncoder().encode('{"eventType":"leads.submit"}')
const never = new Breaker()
const post = (url: string, headers: readonly HeaderLine[] = []) =>
  poster.post({ url, headers, body }, policy, never)
const hooks = (): string => `http://localhost:${canary.port}/hooks`

describe('the request', () => {
  test('carries every header as it is given, twice where it is there twice', async () => {
    const headers = [
      ['X-Service-Signature', 'sha256=ours'],
      ['x-service-signature', 'sha256=theirs'],
      ['X-Twice', 'one'],
      ['X-Twice', 'two'],
    ] as const
    expect((await post(hooks(), headers)).status).toBe(204)
    expect(canary.received.rawHeaders[0]?.join('\n')).toContain(headers.flat().join('\n'))
  })

  test.for([
    [['X-Bad', 'a\r\nX-Smuggled: 1']],
    [['X-Bad', 'a\0']],
    [['X Bad', 'a']],
    [['X-Bad:', 'a']],
    [['', 'a']],
    [['X-Bad', '☃']],
    [['Content-Length', '0']],
    [['Transfer-Encoding', 'chunked']],
    [['Expect', '100-continue']],
    [
      ['Host', 'a.example'],
      ['host', 'b.example'],
    ],
  ] as const)('that cannot be written with %j counts as unreachable', async (headers) => {
    const { failure } = await post(hooks(), headers)
    expect(failure).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('cannot be written as HTTP'),
    })
    expect(canary.received.requests).toEqual([])
  })

  test('has a URL', async () => {
    expect((await post('not a URL')).failure?.kind).toBe('blocked')
  })
})

/** Answers every request with these bytes and reports when the client closes the connection. */
async function openRaw(answer: (socket: Socket) => void) {
  const hungUp = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).on('close', () => hungUp.resolve())
    socket.once('data', () => {
      asked.resolve()
      answer(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    asked: asked.promise,
    hungUp: hungUp.promise,
    close: () => server.close(),
  }
}

describe('an answer', () => {
  const pour = (socket: Socket, chunk: string): void => {
    if (socket.destroyed) return
    if (socket.write(chunk)) setImmediate(pour, socket, chunk)
    else socket.once('drain', () => pour(socket, chunk))
  }
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

  test.for([
    ['large', `4000\r\n${'a'.repeat(0x4000)}\r\n`],
    ['dripping', '1\r\na\r\n'],
  ])('counts from its status line, and a %s body without an end is cut off', async ([, chunk = '']) => {
    const raw = await openRaw((socket) => {
      socket.write(head)
      pour(socket, chunk)
    })
    expect(await post(raw.url)).toEqual({ status: 200, location: null, failure: null })
    await raw.hungUp
    raw.close()
  })

  test.for([
    [
      'HTTP/1.1 200 OK\r\nX-Long: ' + 'a'.repeat(40_000) + '\r\n\r\n',
      'The headers of the answer are too long.',
    ],
    ['SSH-2.0-OpenSSH\r\n\r\n', 'The answer is not HTTP'],
    ['HTTP/1.1 099 Odd\r\n\r\n', 'The answer is not HTTP'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'The answer is not HTTP'],
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 'The connection broke'],
    ['', 'The connection broke'],
  ])('%#. that is none makes the endpoint unreachable', async ([bytes = '', words = '']) => {
    const raw = await openRaw((socket) => void socket.end(bytes))
    const { status, failure } = await post(raw.url)
    expect({ status, failure }).toMatchObject({
      status: null,
      failure: { kind: 'unreachable', reason: expect.stringContaining(words) },
    })
    raw.close()
  })

  test('that does not come is silent once the breaker breaks it off, and the connection goes', async () => {
    const raw = await openRaw(() => undefined)
    const breaker = new Breaker()
    const posted = poster.post({ url: raw.url, headers: [], body }, policy, breaker)
    await raw.asked
    breaker.break()
    expect((await posted).failure?.kind).toBe('silent')
    await raw.hungUp
    expect((await poster.post({ url: raw.url, headers: [], body }, policy, breaker)).failure?.kind).toBe(
      'silent',
    )
    raw.close()
  })
})

test('an endpoint that nobody listens at is unreachable', async () => {
  const raw = await openRaw(() => undefined)
  raw.close()
  expect((await post(raw.url)).failure).toEqual({
    kind: 'unreachable',
    reason: 'The endpoint refused the connection.',
  })
})
