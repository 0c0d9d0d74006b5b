/** Forwards HTTP/1.1 byte by byte as it comes, and hands on each exchange when it has ended. */
import {
  Agent as PlainAgent,
  createServer,
  request as plainRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { once } from 'node:events'
import type { Chunk, Exchange, Header } from '../../suites/wire/exchange.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import type { TargetAccess } from '../../suites/wire/route.ts'
import { joined, sharedText } from '../../bundle/chunks.ts'
import { decompressed } from '../../bundle/redaction/decoded.ts'
import { traced } from '../../bundle/trace.ts'
import { trafficScenario } from '../../suites/traffic/service.ts'

export interface Forwarding {
  to: URL
  tls: TargetAccess['tls']
  clock: Clock
  /** The run of which a request without a `traceparent` becomes a span; absent: it stays without. */
  tracedRun?: string | undefined
  /** Bytes of bodies that are kept, of one exchange. */
  most: number
  onExchange: (exchange: Exchange) => void
}

export interface Forwarder {
  host: string
  port: number
  close(): Promise<void>
}

/** RFC 9110, 7.6.1; what `Connection` names goes, too. */
const hopByHop: readonly string[] =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  )

export const pairs = (raw: readonly string[]): readonly Header[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []))

export function passedOn(headers: readonly Header[]): readonly Header[] {
  const named = headers
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/))
  return headers.filter(([name]) => ![...hopByHop, ...named].includes(name.toLowerCase()))
}

export async function openForwarder(
  listen: { host: string; port: number },
  forwarding: Forwarding,
): Promise<Forwarder> {
  const { to, tls } = forwarding
  const isSecure = to.protocol === 'https:'
  const options = {
    keepAlive: true,
    ...(isSecure && { ...(tls.ca !== null && { ca: tls.ca }), ...tls.client }),
  }
  const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options)
  let count = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (asked, answer) =>
    forward(asked, answer, ++count, forwarding, agent),
  )
  // A stream may be as long as it likes.
  server.requestTimeout = 0
  server.listen(listen.port, listen.host)
  await once(server as Server, 'listening')
  const { address, port } = server.address() as AddressInfo
  return {
    host: address.includes(':') ? `[${address}]` : address,
    port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await closed
    },
  }
}

/** A body as far as it is kept. */
function bodyKept(most: number) {
  const chunks: Chunk[] = []
  let size = 0
  return {
    chunks,
    keep(bytes: Buffer, at: number) {
      size += bytes.length
      if (size <= most) chunks.push({ at, bytes })
    },
    get isWhole() {
      return size <= most
    },
  }
}

type Answered = { status: number; headers: readonly Header[]; at: number } | null

/** One exchange as it goes on; `end` hands it on, once. */
function record(asked: IncomingMessage, id: number, { clock, most, tracedRun, onExchange }: Forwarding) {
  const sentAt = clock.now()
  const [sent, received] = [bodyKept(most), bodyKept(most)]
  const { method = 'GET', url = '/' } = asked
  // HTTP allows the whole address, and clients send it that take the service for their proxy.
  const path = url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  const given = passedOn(pairs(asked.rawHeaders))
  const headers = tracedRun === undefined ? given : traced(given, tracedRun, `${id}`)
  let response: Answered = null
  let isOver = false
  asked.on('data', (bytes: Buffer) => sent.keep(bytes, clock.now()))
  return {
    method,
    path,
    headers,
    get isAnswered() {
      return response !== null
    },
    answered(came: IncomingMessage): readonly Header[] {
      response = {
        status: came.statusCode ?? 0,
        headers: passedOn(pairs(came.rawHeaders)),
        at: clock.now(),
      }
      came.on('data', (bytes: Buffer) => received.keep(bytes, clock.now()))
      return response.headers
    },
    end(failure: Exchange['failure']): void {
      if (isOver) return
      isOver = true
      const isWhole = sent.isWhole && received.isWhole
      const body = joined(sent.chunks)
      const made: Exchange = {
        id,
        scenario: trafficScenario,
        name: sharedText(`${method} ${path.split('?', 1)[0]}`.slice(0, 200)),
        request: { method, path, headers: withoutHost(headers), body, principal: null },
        sentAt,
        endedAt: clock.now(),
        response: response && { ...response, chunks: received.chunks, complete: failure === null },
        failure: failure ?? (isWhole ? null : tooLarge),
      }
      onExchange(plain(made))
    },
  }
}

const tooLarge = { kind: 'cut', message: 'the body is larger than is recorded' } as const

function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  id: number,
  forwarding: Forwarding,
  agent: PlainAgent,
): void {
  const { to } = forwarding
  const exchange = record(asked, id, forwarding)
  const headers = withoutHost(exchange.headers).filter(([name]) => !/^expect$/i.test(name))
  const isSecure = to.protocol === 'https:'
  const upstream = (isSecure ? secureRequest : plainRequest)({
    agent,
    host: to.hostname.replace(/^\[|\]$/g, ''),
    port: to.port || (isSecure ? 443 : 80),
    method: exchange.method,
    path: `${to.pathname.replace(/\/$/, '')}${exchange.path}`,
    headers: ['Host', to.host, ...headers.flat()],
    setHost: false,
  })
  asked.pipe(upstream)
  upstream.on('response', (came) => {
    const back = exchange.answered(came)
    answer.sendDate = false
    answer.writeHead(came.statusCode ?? 502, came.statusMessage, back.flat())
    answer.flushHeaders()
    came.on('end', () => came.complete && exchange.end(null))
    came.on('close', () => {
      if (came.complete) return
      exchange.end({ kind: 'reset', message: 'the answer broke off' })
      answer.destroy()
    })
    came.pipe(answer)
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    const why = error.code ?? error.message
    exchange.end({ kind: exchange.isAnswered ? 'reset' : 'refused', message: why })
    if (answer.headersSent) {
      answer.destroy()
      return
    }
    const message = `touchstone proxy: ${to.host} does not answer (${why})`
    answer.writeHead(502, { 'content-type': 'application/json' })
    answer.end(JSON.stringify({ error: 'BAD_GATEWAY', message }))
  })
  answer.on('close', () => {
    if (answer.writableFinished) return
    exchange.end({ kind: 'aborted', message: 'the client went away' })
    upstream.destroy()
  })
}

const withoutHost = (headers: readonly Header[]): readonly Header[] =>
  headers.filter(([name]) => !/^host$/i.test(name))

/** A client may ask for a compressed answer; what is judged is what it means. */
function plain(exchange: Exchange): Exchange {
  const { response } = exchange
  if (!response || exchange.failure) return exchange
  const read = decompressed(response)
  if (read === null) return exchange
  if (read === 'too large') return { ...exchange, failure: tooLarge }
  const headers = response.headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
  return { ...exchange, response: { ...response, headers, chunks: [{ at: exchange.endedAt, bytes: read }] } }
}
