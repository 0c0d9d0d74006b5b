/** How connections to a target are opened: straight or through a proxy, with which certificates. */
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici'
import type { Header } from './exchange.ts'

export interface TargetAccess {
  tls: {
    /** Certificates, as PEM, that are trusted in place of the usual ones. */
    ca: string | null
    /** The certificate and private key, as PEM, that we identify ourselves with. */
    client?: { cert: string; key: string; passphrase?: string }
  }
  /** Address of an HTTP proxy, with its credentials if it wants any; null goes straight. */
  proxy: string | null
  /** The version of HTTP over TLS; auto: the target chooses. Default: 1.1. */
  http?: 1.1 | 2 | 'auto'
}

export const direct: TargetAccess = { tls: { ca: null }, proxy: null }

export interface Route {
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
export function routeTo(origin: URL, timeoutMs: number, { tls, proxy, http = 1.1 }: TargetAccess): Route {
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

/** Without it, a target that does not know HTTP/2 would be asked in HTTP/1.1. */
function onlyH2(open: buildConnector.connector): buildConnector.connector {
  return (options, done) =>
    open(options, (error, socket) => {
      if (!socket || !('alpnProtocol' in socket) || socket.alpnProtocol === 'h2')
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

/** What is wrong with an address, as the predicate of a sentence that repeats no password; null where nothing is. */
const anyAddress = 'https://host/path'

/** For a base address: requests append a path to it, and reports print it. `example`: of what to give instead. */
export function baseUrlProblem(text: string, example = anyAddress): string | null {
  const url = URL.parse(text)
  if (url && namesUser(url)) return 'names a user; leave user and password out'
  const problem = webUrlProblem(text, example)
  if (problem !== null || !/[?#]/.test(text)) return problem
  return `has a query or a fragment; give the address without it, such as ${example}`
}

export function webUrlProblem(text: string, example = anyAddress): string | null {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return null
  // What is before an @ may be a password.
  const given = text.includes('@') ? 'no URL' : JSON.stringify(text)
  return `is ${given}; give an address such as ${example}`
}

export const namesUser = ({ username, password }: URL): boolean => username !== '' || password !== ''

const prefixOf = (key: string): number => (key.startsWith('sk-') ? 3 : 0)

/** Whether there are letters of both cases in it, so that case distinguishes keys. */
export function isMixed(key: string): boolean {
  const own = key.slice(prefixOf(key))
  return /[a-z]/.test(own) && /[A-Z]/.test(own)
}

/** An API key with each letter in its other case, but for the prefix that all keys have. */
export function inOtherCase(key: string): string {
  const prefix = prefixOf(key)
  const toggled = Array.from(key.slice(prefix), (sign) =>
    sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
  )
  return key.slice(0, prefix) + toggled.join('')
}
