/**
 * Kept connections to one origin. Each is a client of its own, so it is known which connection a request went
 * out on and whether it was open before; there is no upper limit, so a race is never queued behind itself.
 */
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { Agent, buildConnector, Client, ProxyAgent, type Dispatcher } from 'undici'
import { baseUrlProblem, direct, type TargetAccess } from './route.ts'
import type { Header, SentRequest } from './exchange.ts'

export interface Connection {
  readonly client: Client
  /** Open since before the request that takes it: it may have been closed at the other end meanwhile. */
  kept: boolean
  /** Opened ahead of the first request, which will take it. */
  ready: Socket | null
}

interface Connections {
  /** An idle one, or a new one; with `fresh` always a new one. */
  take(fresh?: boolean): Connection
  /** Back to the kept ones, for the next request. */
  give(connection: Connection): void
  /** Closes it, and with it whatever is under way on it. */
  drop(connection: Connection): void
  /** Connects until `count` are kept. Where the target cannot be reached, the requests to come will say so. */
  warm(count: number): Promise<void>
  /** Closes each once what is under way on it is over, at the `latest` then; what is taken after is closed already. */
  close(latest: Promise<void>): Promise<void>
}

function connectionsTo({ origin, open, allowH2 }: Route): Connections {
  const kept = new Set<Connection>()
  const all = new Set<Connection>()
  let closed = false
  /** The target closes kept connections without a word, so that each may be closed when it is taken. */
  let closing = false

  function drop(connection: Connection): void {
    kept.delete(connection)
    if (all.delete(connection)) void shut(connection)
  }

  function give(connection: Connection): void {
    if (!all.has(connection)) return
    if (closing && connection.ready === null) return drop(connection)
    connection.kept = true
    kept.add(connection)
  }

  function make(ready: Socket | null): Connection {
    const connection: Connection = { client: clientOf(origin, connect, allowH2), kept: ready !== null, ready }
    function connect(options: buildConnector.Options, done: buildConnector.Callback): void {
      const { ready: socket } = connection
      connection.ready = null
      if (socket && !socket.destroyed) return queueMicrotask(() => done(null, socket))
      connection.kept = false
      open(options, done)
    }
    const gone = (): void => {
      if (kept.has(connection)) drop(connection)
    }
    connection.client.on('disconnect', (_origin, _targets, { code }) => {
      // After an idle time, and as they are closed, our side closes them.
      if (code === 'UND_ERR_SOCKET' && connection.kept) closing = true
      gone()
    })
    ready?.once('close', gone)
    all.add(connection)
    if (closed) drop(connection)
    return connection
  }

  async function warm(count: number): Promise<void> {
    const missing = Math.max(0, count - kept.size)
    const sockets = await Promise.all(Array.from({ length: missing }, () => connected(open, origin)))
    for (const socket of sockets) if (socket) give(make(socket))
  }

  return {
    take(fresh = false) {
      const newest = fresh ? undefined : [...kept].findLast(({ ready }) => !closing || ready !== null)
      if (!newest) return make(null)
      kept.delete(newest)
      return newest
    },
    give,
    drop,
    warm,
    async close(latest) {
      closed = true
      kept.clear()
      const last = [...all]
      all.clear()
      await Promise.all(last.map((one) => Promise.race([one.client.close(), latest]).then(() => shut(one))))
    },
  }
}

function shut({ client, ready }: Connection): Promise<void> {
  ready?.destroy()
  return client.destroy()
}

/** One request at a time, over HTTP/2 as well. Time limits are the recorder's, so the client's own are off. */
function clientOf(origin: URL, connect: buildConnector.connector, allowH2: boolean): Client {
  return new Client(origin.origin, {
    connect,
    allowH2,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 65_536,
    keepAliveMaxTimeout: 10_000,
  })
}

function connected(open: buildConnector.connector, origin: URL): Promise<Socket | null> {
  const { host, protocol, port } = origin
  const hostname = origin.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    open({ host, hostname, protocol, port }, (_error, socket) => resolve(socket))
  })
}

export interface BaseAddress {
  readonly prefix: string
  /** Sent with every request, for the way there. */
  readonly headers: readonly Header[]
  readonly connections: Connections
}

interface Places {
  readonly first: BaseAddress
  /** Where a request goes. Throws for a replica that is none of them. */
  of(request: Pick<SentRequest, 'replica'>): BaseAddress
  close(wait: (over: AbortSignal) => Promise<void>): Promise<void>
}

/** The base addresses of a target, each with connections of its own. */
interface Addresses {
  baseUrl: string
  replicas?: readonly string[]
  timeoutMs: number
  access?: TargetAccess
}

export function placesOf({ baseUrl, replicas = [], timeoutMs, access = direct }: Addresses): Places {
  const place = (address: string): BaseAddress => {
    const base = baseOf(address)
    const route = routeTo(base, Math.min(timeoutMs, 10_000), access)
    const prefix = `${route.prefix}${base.pathname.replace(/\/+$/, '')}`
    return { prefix, headers: route.headers, connections: connectionsTo(route) }
  }
  const first = place(baseUrl)
  const further = new Map(replicas.map((replica) => [replica, place(replica)]))
  return {
    first,
    of({ replica }) {
      const found = replica === undefined ? first : further.get(replica)
      if (found) return found
      throw new Error(`${replica} is no base address of the target; declare it under \`target.replicas\``)
    },
    async close(wait) {
      const over = new AbortController()
      const latest = wait(over.signal)
      await Promise.all([first, ...further.values()].map(({ connections }) => connections.close(latest)))
      over.abort('over')
    },
  }
}

function baseOf(baseUrl: string): URL {
  const problem = baseUrlProblem(baseUrl)
  if (problem === null) return new URL(baseUrl)
  throw new Error(`the base address ${problem}`)
}

/** How connections to a target are opened: straight or through a proxy, with which certificates. */
interface Route {
  origin: URL
  open: buildConnector.connector
  allowH2: boolean
  prefix: string
  headers: readonly Header[]
}

/**
 * After so many ms the next address of a host is tried. With the quarter of a second that Node gives each, a target that is
 * far away, or met by a busy process, is never reached.
 */
const eachAddress = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

/** The route to an origin. `timeoutMs` bounds one attempt to connect. */
function routeTo(origin: URL, timeoutMs: number, { tls, proxy, http = 1.1 }: TargetAccess): Route {
  const allowH2 = http !== 1.1
  const versions = { allowH2, preferH2: true }
  const connect = buildConnector({ ...eachAddress, ...versions, timeout: timeoutMs, ...tlsOptions(tls) })
  const open = http === 2 ? onlyH2(connect) : connect
  if (proxy === null) return { origin, open, allowH2, prefix: '', headers: [] }
  const through = new URL(proxy)
  if (origin.protocol === 'https:')
    return { origin, open: tunnelled(through, open, timeoutMs), allowH2, prefix: '', headers: [] }
  // What needs no tunnel is asked of the proxy by its whole address.
  const headers: readonly Header[] = [['host', origin.host], ...credentials(through)]
  return { origin: through, open, allowH2, prefix: origin.origin, headers }
}

/** Without it, a target that does not know HTTP/2, or no TLS, would be asked in HTTP/1.1. */
function onlyH2(open: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    open(options, (error, socket) => {
      if (!socket || ('alpnProtocol' in socket && socket.alpnProtocol === 'h2'))
        return error ? done(error, null) : done(null, socket)
      socket.destroy()
      done(new Error('the target does not speak HTTP/2, which `target.http: 2` asks for'), null)
    })
}

/** For single requests beside those of a run. To be closed. */
export function dispatcherFor({ tls, proxy }: TargetAccess): Dispatcher {
  const options = tlsOptions(tls)
  return proxy === null
    ? new Agent({ ...eachAddress, connect: options })
    : new ProxyAgent({ ...eachAddress, uri: proxy, requestTls: options, proxyTls: options })
}

function tlsOptions({ ca, client }: TargetAccess['tls']): Readonly<Record<string, string>> {
  return { ...(ca === null ? {} : { ca }), ...client }
}

function credentials({ username, password }: URL): readonly Header[] {
  if (username === '') return []
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return [['proxy-authorization', `Basic ${Buffer.from(pair).toString('base64')}`]]
}

/** Opens a tunnel through the proxy, and secures what is at its end. */
function tunnelled(proxy: URL, open: buildConnector.connector, timeoutMs: number): buildConnector.connector {
  return (options, done) => {
    const host = options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname
    tunnel(proxy, `${host}:${options.port || 443}`, timeoutMs).then(
      (httpSocket) => open({ ...options, httpSocket }, done),
      (error: Error) => done(error, null),
    )
  }
}

function tunnel(proxy: URL, authority: string, timeoutMs: number): Promise<Socket> {
  const ask = proxy.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const asking = ask({
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...Object.fromEntries(credentials(proxy)) },
      timeout: timeoutMs,
      agent: false,
    })
    asking.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy ${proxy.host} refused a tunnel to ${authority} with ${statusCode}`))
    })
    asking.once('timeout', () => asking.destroy(new Error(`the proxy ${proxy.host} did not answer`)))
    asking.once('error', reject)
    asking.end()
  })
}
