import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Header } from '../../http/reply.ts'
import { guardBase, withTargets } from '../guard-rules.ts'
import type { Resolve } from './connect.ts'
import type { GuardPolicy, Poster } from './guard.ts'
import { createPoster } from './poster.ts'

/** Plain HTTP, so that a canary that sings is heard whatever the guard of schemes thinks. */
const plain: GuardPolicy = { ...guardBase.guard, checks: { ...guardBase.guard.checks, https: false } }
const checking = (...on: (keyof GuardPolicy['checks'])[]): GuardPolicy => {
  const off = { literal: false, resolved: false, connected: false, embedded: false, https: false }
  return { ...plain, checks: { ...off, ...Object.fromEntries(on.map((name) => [name, true])) } }
}
const unguarded = checking()

/** Listens where nothing may arrive, at both loopback addresses where the machine has them. */
async function openCanary() {
  const heard: { connections: number; requests: string[]; rawHeaders: string[][]; bodies: string[] } = {
    connections: 0,
    requests: [],
    rawHeaders: [],
    bodies: [],
  }
  const make = (): Server =>
    createHttpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        heard.requests.push(`${request.method} ${request.url}`)
        heard.rawHeaders.push(request.rawHeaders)
        heard.bodies.push(Buffer.concat(chunks).toString())
        const to = request.url?.startsWith('/to?') ? request.url.slice(4) : null
        response.writeHead(to === null ? 204 : 307, to === null ? {} : { location: to }).end()
      })
    }).on('connection', () => heard.connections++)
  const four = make().listen(0, '127.0.0.1')
  await once(four, 'listening')
  const { port } = four.address() as AddressInfo
  const six = make()
  const hasSix = await new Promise<boolean>((settle) => {
    six.once('error', () => settle(false)).listen(port, '::1', () => settle(true))
  })
  const servers = hasSix ? [four, six] : [four]
  const close = () => {
    for (const server of servers) server.close().closeAllConnections()
  }
  return { port, heard, hasSix, close }
}

let canary: Awaited<ReturnType<typeof openCanary>>
let poster: Poster
beforeEach(async () => {
  canary = await openCanary()
  poster = createPoster()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await poster.close()
  canary.close()
})

const body = new TextEncoder().encode('{"eventType":"leads.submit"}')
const never = new AbortController().signal
const post = (url: string, policy = plain, headers: readonly Header[] = []) =>
  poster.post({ url, headers, body }, policy, never)
const at = (host: string, path = '/'): string => `http://${host}:${canary.port}${path}`
const kindOf = async (posted: ReturnType<typeof post>): Promise<string | number | null> => {
  const { failure, status } = await posted
  return failure?.kind ?? status
}

const literals = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
]

describe('the host of a URL', () => {
  test('never leads to this machine as a literal, however it is spelled', async () => {
    for (const host of literals) expect(await kindOf(post(at(host))), host).toBe('blocked')
    expect(canary.heard.connections).toBe(0)
  })

  test('is judged once more where it is connected to, before a request is written', async () => {
    const policy = checking('connected', 'embedded')
    for (const host of literals) {
      if (host.startsWith('[') && !canary.hasSix) continue
      expect(await kindOf(post(at(host), policy)), host).toBe('blocked')
    }
    expect(canary.heard.connections).toBeGreaterThan(0)
    expect(canary.heard.requests).toEqual([])
  })

  test('leads there in every spelling once nothing is checked, so that the canary can be heard', async () => {
    const reached = literals.filter((host) => canary.hasSix || !host.startsWith('['))
    for (const host of reached) expect(await kindOf(post(at(host), unguarded)), host).toBe(204)
    expect(canary.heard.requests).toHaveLength(reached.length)
  })

  test('with an IPv4-mapped address leads there only where embedded addresses are forgotten', async () => {
    const forgetful = checking('literal', 'resolved', 'connected')
    expect(await kindOf(post(at('[::ffff:7f00:1]'), forgetful))).toBe(204)
    expect(await kindOf(post(at('127.0.0.1'), forgetful))).toBe('blocked')
  })

  test('over plain HTTP is blocked, localhost apart', async () => {
    const { failure } = await post(at('example.com'), guardBase.guard)
    expect(failure).toMatchObject({ kind: 'blocked', reason: expect.stringContaining('https') })
    expect(await kindOf(post(at('localhost'), guardBase.guard))).toBe(204)
  })
})

describe('a name', () => {
  const names = {
    'loop.example': ['127.0.0.1'],
    'mixed.example': ['8.8.8.8', '127.0.0.1'],
    'six.example': ['::1'],
  }
  const policy = { ...plain, names }

  test.for(Object.keys(names))('such as %s is blocked for any one blocked address', async (name) => {
    const { failure } = await post(at(name), policy)
    expect(failure).toMatchObject({ kind: 'blocked', reason: expect.stringContaining(`${name} resolves to`) })
    expect(await kindOf(post(at(`${name.toUpperCase()}.`), policy))).toBe('blocked')
    expect(canary.heard.connections).toBe(0)
  })

  test('is judged where it is connected to when its addresses are not', async () => {
    expect(await kindOf(post(at('loop.example'), { ...checking('connected'), names }))).toBe('blocked')
    expect(canary.heard.requests).toEqual([])
    expect(await kindOf(post(at('loop.example'), { ...unguarded, names }))).toBe(204)
  })

  test('that resolves to another address the second time is judged by the one that is used', async () => {
    const answers = [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['10.0.0.1']]
    let asked = 0
    const resolve: Resolve = (_name, answer) => answer(null, answers[asked++] ?? [])
    const rebinding = createPoster({ resolve })
    const message = { url: at('moving.example'), headers: [], body }
    expect((await rebinding.post(message, withTargets(plain, { allow: ['127.0.0.1'] }), never)).status).toBe(
      204,
    )
    for (const _ of answers.slice(1))
      expect((await rebinding.post(message, plain, never)).failure?.kind).toBe('blocked')
    expect(asked).toBe(3)
    expect(canary.heard.requests).toHaveLength(1)
    await rebinding.close()
  })

  test('that does not resolve, or to nothing, is unreachable', async () => {
    const gone = createPoster({
      resolve: (_name, answer) => answer(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    })
    const posted = await gone.post({ url: at('gone.example'), headers: [], body }, plain, never)
    expect(posted.failure).toEqual({ kind: 'unreachable', reason: 'The name of the host does not resolve.' })
    await gone.close()
    expect(await kindOf(post(at('void.example'), { ...plain, names: { 'void.example': [] } }))).toBe(
      'unreachable',
    )
  })

  test('that is let through may lead anywhere', async () => {
    expect(await kindOf(post(at('loop.example'), withTargets(policy, { allow: ['Loop.Example'] })))).toBe(204)
  })
})

describe('localhost', () => {
  test('in development reaches this machine', async () => {
    expect(await kindOf(post(at('localhost', '/hooks?a=1')))).toBe(204)
    expect(canary.heard.requests).toEqual(['POST /hooks?a=1'])
    expect(canary.heard.bodies).toEqual(['{"eventType":"leads.submit"}'])
  })

  test('in production does not', async () => {
    expect(await kindOf(post(at('localhost'), { ...plain, development: false }))).toBe('blocked')
    const resolvedOnly = { ...checking('resolved'), development: false }
    expect(await kindOf(post(at('localhost'), resolvedOnly))).toBe('blocked')
    expect(canary.heard.connections).toBe(0)
  })

  test.for(['10.0.0.1', '8.8.8.8', '::ffff:127.0.0.1'])('never leads to %s', async (address) => {
    const { failure } = await post(at('localhost'), {
      ...plain,
      names: { localhost: ['127.0.0.1', address] },
    })
    expect(failure?.reason).toContain(`localhost leads to ${address}`)
    expect(canary.heard.connections).toBe(0)
  })
})

test('a kept connection serves no other policy than the one that let it out', async () => {
  const sent = 6
  for (let i = 0; i < sent; i++) expect(await kindOf(post(at('localhost')))).toBe(204)
  // Two take turns: one that has just answered rests until the next turn of the event loop.
  expect(canary.heard.connections).toBeLessThanOrEqual(2)
  const stricter = { ...checking('resolved', 'connected'), development: false }
  expect(await kindOf(post(at('localhost'), stricter))).toBe('blocked')
  expect(canary.heard.requests).toHaveLength(sent)
})

test('a redirect is told and not followed', async () => {
  const to = at('127.0.0.1', '/inner')
  expect(await post(at('localhost', `/to?${to}`))).toEqual({ status: 307, location: to, failure: null })
  expect(canary.heard.requests).toHaveLength(1)
})

test('proxies of the environment are not asked', async () => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
    vi.stubEnv(name, at('127.0.0.1'))
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  expect(await kindOf(post('http://private.example:1/'))).toBe('blocked')
  expect(canary.heard.connections).toBe(0)
})

describe('the request', () => {
  test('carries every header as it is given, twice where it is there twice', async () => {
    const headers = [
      ['X-Service-Signature', 'sha256=ours'],
      ['x-service-signature', 'sha256=theirs'],
      ['X-Twice', 'one'],
      ['X-Twice', 'two'],
    ] as const
    expect(await kindOf(post(at('localhost'), plain, headers))).toBe(204)
    expect(canary.heard.rawHeaders[0]?.join('\n')).toContain(headers.flat().join('\n'))
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
    const { failure } = await post(at('localhost'), plain, headers)
    expect(failure).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('cannot be written as HTTP'),
    })
    expect(canary.heard.requests).toEqual([])
  })

  test('has a URL', async () => {
    expect(await kindOf(post('not a URL'))).toBe('blocked')
  })
})

/** Answers whatever comes with these bytes, and tells when the other side has hung up. */
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

  test('after a provisional one is the one that counts', async () => {
    const raw = await openRaw((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'),
    )
    expect((await post(raw.url)).status).toBe(500)
    raw.close()
  })

  test('that does not come is silent once the signal breaks it off, and the connection goes', async () => {
    const raw = await openRaw(() => undefined)
    const breaker = new AbortController()
    const posted = poster.post({ url: raw.url, headers: [], body }, plain, breaker.signal)
    await raw.asked
    breaker.abort()
    expect((await posted).failure?.kind).toBe('silent')
    await raw.hungUp
    expect(
      (await poster.post({ url: raw.url, headers: [], body }, plain, breaker.signal)).failure?.kind,
    ).toBe('silent')
    raw.close()
  })

  test('is not waited for once the poster is closed', async () => {
    const raw = await openRaw(() => undefined)
    const posted = post(raw.url)
    await raw.asked
    await poster.close()
    expect((await posted).failure?.kind).toBe('unreachable')
    expect((await post(raw.url)).failure?.kind).toBe('unreachable')
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
