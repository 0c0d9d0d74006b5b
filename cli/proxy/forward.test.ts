import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { main } from '../main.ts'
import { testIo } from '../process.testkit.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { openForwarder } from './forward.ts'

/** A service behind a forwarder, with the exchanges that ended. */
async function forwarded(listener: RequestListener, most = 1e6, tracedRun?: string) {
  const service = createServer(listener).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const ended: Exchange[] = []
  const waiting: (() => void)[] = []
  const onExchange = (one: Exchange): void => {
    ended.push(one)
    waiting.shift()?.()
  }
  const to = new URL(`http://127.0.0.1:${port}/base/`)
  const about = { to, tls: { ca: null }, clock: realClock(), most, tracedRun, onExchange }
  const forwarder = await openForwarder({ host: '127.0.0.1', port: 0 }, about)
  const down = async (): Promise<void> => {
    service.closeAllConnections()
    await new Promise((closed) => service.close(closed))
  }
  onTestFinished(async () => {
    await forwarder.close()
    await down()
  })
  const next = (): Promise<Exchange> =>
    new Promise((resolve) => {
      const give = (): void => resolve(ended.shift() as Exchange)
      if (ended.length > 0) give()
      else waiting.push(give)
    })
  return { port: forwarder.port, next, down }
}

function send(port: number, body: string | null, headers: Record<string, string> = {}) {
  const asked = request({
    port,
    host: '127.0.0.1',
    path: '/api/v1/x?a=1',
    method: body === null ? 'GET' : 'POST',
    headers,
  })
  asked.on('error', () => undefined)
  asked.end(body ?? undefined)
  return asked
}
const answerTo = async (asked: ReturnType<typeof send>): Promise<IncomingMessage> =>
  (await once(asked, 'response'))[0] as IncomingMessage
const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(stream)).toString()
const received = (one: Exchange): string =>
  Buffer.concat(one.response?.chunks.map(({ bytes }) => bytes) ?? []).toString()

test('bytes and headers pass as they are, without those of a connection', async () => {
  const { port, next } = await forwarded(async (asked, answer) => {
    const { host, 'x-odd': odd, te, connection } = asked.headers
    answer.writeHead(201, { 'X-Back': 'yes', Date: 'never' })
    answer.end(
      JSON.stringify({
        url: asked.url,
        odd,
        te,
        hop: connection,
        own: host?.endsWith(String(port)),
        body: await textOf(asked),
      }),
    )
  })
  const answer = await answerTo(send(port, 'hello', { 'X-Odd': 'a b', te: 'trailers' }))
  expect([answer.statusCode, answer.headers['x-back'], answer.headers.date]).toEqual([201, 'yes', 'never'])
  const seen = JSON.parse(await textOf(answer)) as object
  expect(seen).toMatchObject({ url: '/base/api/v1/x?a=1', odd: 'a b', own: false, body: 'hello' })
  const ended = await next()
  expect(ended).toMatchObject({
    request: { method: 'POST', path: '/api/v1/x?a=1' },
    failure: null,
    response: { status: 201, complete: true },
  })
  expect(JSON.parse(received(ended))).toEqual(seen)
})

test.for([
  [
    'is added where there is none, a span for each request',
    {},
    'run-1',
    /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/,
  ],
  ['of the client passes', { traceparent: 'its own' }, 'run-1', /^its own$/],
  ['is not added without a run', {}, undefined, /^$/],
] as const)('a traceparent %s', async ([, headers, run, expected]) => {
  const { port, next } = await forwarded(
    (asked, answer) => void answer.end(asked.headersDistinct['traceparent']?.join()),
    1e6,
    run,
  )
  const seen = new Set<string>()
  for (let at = 0; at < 2; at++) {
    const sent = await textOf(await answerTo(send(port, null, headers)))
    const { request } = await next()
    expect(sent).toMatch(expected)
    expect(request.headers.find(([name]) => name === 'traceparent')?.[1] ?? '').toBe(sent)
    seen.add(sent)
  }
  expect(seen.size).toBe(run && !('traceparent' in headers) ? 2 : 1)
})

test('a stream passes as it comes', async () => {
  const go = Promise.withResolvers<void>()
  const { port, next } = await forwarded(async (_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write('data: 1\n\n')
    await go.promise
    answer.end('data: 2\n\n')
  })
  const answer = await answerTo(send(port, null))
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.toString()).toBe('data: 1\n\n')
  go.resolve()
  expect(await textOf(answer)).toContain('data: 2')
  const ended = await next()
  expect(ended.response?.chunks).toHaveLength(2)
})

test('what was compressed for the client is recorded as what it means', async () => {
  const { port, next } = await forwarded((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'))
  })
  const answer = await answerTo(send(port, null, { 'accept-encoding': 'gzip' }))
  expect(answer.headers['content-encoding']).toBe('gzip')
  answer.resume()
  const ended = await next()
  expect(received(ended)).toBe('{"a":1}')
  expect(ended.response?.headers.map(([name]) => name)).not.toContain('content-encoding')
})

test('a service that is down is answered for with 502, which is recorded as no answer', async () => {
  const { port, next, down } = await forwarded(() => undefined)
  await down()
  const answer = await answerTo(send(port, '{}'))
  expect(answer.statusCode).toBe(502)
  answer.resume()
  expect(await next()).toMatchObject({ response: null, failure: { kind: 'refused' } })
})

test.for([
  ['the service breaks off', 'reset'],
  ['the client goes away', 'aborted'],
] as const)('where %s, the other side notices', async ([who, kind]) => {
  const gone = Promise.withResolvers<void>()
  const { port, next } = await forwarded((asked, answer) => {
    answer.on('close', () => gone.resolve())
    answer.writeHead(200, { 'content-length': '100' }).write('half')
    if (who === 'the service breaks off') setTimeout(() => asked.destroy(), 20)
  })
  const asked = send(port, null)
  const answer = await answerTo(asked)
  answer.on('error', () => undefined).resume()
  if (who === 'the client goes away') asked.destroy()
  await gone.promise
  const ended = await next()
  expect(ended.failure?.kind).toBe(kind)
  expect(ended.response?.complete).toBe(false)
})

test('a body that is larger than is kept passes whole, and is recorded as cut', async () => {
  const { port, next } = await forwarded((_, answer) => answer.end('x'.repeat(5_000)), 1_000)
  expect(await textOf(await answerTo(send(port, null)))).toHaveLength(5_000)
  expect((await next()).failure?.kind).toBe('cut')
})

test('a target that never answers is reported at once, and ends the proxy with exit code 4', async () => {
  const io = testIo()
  const record = join(temporaryFolder(onTestFinished), 'recording')
  const argv = ['--to', 'http://127.0.0.1:1', '--listen', '127.0.0.1:0', '--record', record]
  const ended = main(['proxy', ...argv], io)
  const port = await vi.waitFor(() => {
    const [, shown] = /Forwarding http:\/\/[^:]+:(\d+)/.exec(io.printed.err) ?? []
    expect(shown).toBeDefined()
    return Number(shown)
  }, 5_000)
  expect((await answerTo(send(port, null))).statusCode).toBe(502)
  expect(io.printed.err).toContain('does not answer (ECONNREFUSED): clients get a 502')
  io.stop()
  expect([await ended, existsSync(record)]).toEqual([4, false])
})
