import { execFileSync } from 'node:child_process'
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer, type IncomingMessage } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { certificateProblem } from './failure.ts'
import { realClock } from './clock.ts'
import type { Exchange } from './exchange.ts'
import { createRecorder } from './recorder.ts'
import { direct, type TargetAccess } from './route.ts'
import { request } from 'undici'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

/** A self-signed certificate for this machine, with its key. */
function certificate(name: string): { key: string; cert: string } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  execFileSync('openssl', [...request, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

const own = certificate('own')
const other = certificate('other')
const member = certificate('member')

/** The requests of each of the servers. */
const requests: string[] = []
const line = ({ method, url, headers }: IncomingMessage): string =>
  `${method} ${url} for ${headers.host} ${headers['proxy-authorization'] ?? ''}`.trim()

const plain = createPlainServer((asked, response) => {
  requests.push(line(asked))
  response.end('{}')
})
const secure = createServer(own, (_, response) => response.end('{}'))
const closed = createServer({ ...own, requestCert: true, ca: member.cert }, (_, response) =>
  response.end('{}'),
)
/** Speaks HTTP/2 only, and sends its body in two DATA frames. */
const modern = createSecureServer(own, (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
  response.write('{')
  setTimeout(() => response.end('}'), 50)
})
const wanted = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`

/** A proxy that wants a password, forwards plain requests and opens tunnels. */
const proxy = createPlainServer((asked, response) => {
  requests.push(`proxy: ${line(asked)}`)
  const { pathname, host } = new URL(asked.url ?? '')
  request(`http://${host}${pathname}`).then(
    async ({ statusCode, body }) => response.writeHead(statusCode).end(await body.text()),
    () => response.writeHead(502).end(),
  )
}).on('connect', (asked: IncomingMessage, socket) => {
  requests.push(`proxy: ${line(asked)}`)
  if (asked.headers['proxy-authorization'] !== wanted) {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    return
  }
  const [host = '', port] = (asked.url ?? '').split(':')
  const there = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  there.pipe(socket).pipe(there)
  for (const end of [there, socket]) end.on('error', () => there.destroy())
})

const servers: readonly Server[] = [plain, secure, closed, modern, proxy]
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const at = (server: Server, before = ''): string =>
  `${server === plain || server === proxy ? 'http' : 'https'}://${before}127.0.0.1:${portOf(server)}`

beforeAll(() =>
  Promise.all(
    servers.map((server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))),
  ),
)
beforeEach(() => void requests.splice(0))
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((ended) => server.close(ended))))
})

/** One request alone, and one on a connection that was opened ahead. */
async function asked(baseUrl: string, access: TargetAccess): Promise<readonly Exchange[]> {
  const recorder = createRecorder({ baseUrl, access, timeoutMs: 5_000, clock: realClock() })
  const about = { scenario: 's', method: 'GET', path: '/', headers: [], body: new Uint8Array() }
  const request = (name: string) => ({ ...about, name, principal: null })
  try {
    return [await recorder.send(request('alone')), ...(await recorder.together([request('warm')]))]
  } finally {
    await recorder.close()
  }
}

const outcomes = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ response, failure }) => response?.status ?? failure?.kind)

const trusting = (ca: string | null): TargetAccess => ({ ...direct, tls: { ca } })

test('a target with a certificate of its own is reached with that certificate', async () => {
  expect(outcomes(await asked(at(secure), trusting(own.cert)))).toEqual([200, 200])
})

test.for([
  ['no certificate', null],
  ['the certificate of another', other.cert],
] as const)('with %s trusted it is not reached, and nothing is sent', async ([, ca]) => {
  const answers = await asked(at(secure), trusting(ca))
  expect(outcomes(answers)).toEqual(['refused', 'refused'])
  expect(answers[0]?.failure?.message).toMatch(/self-signed certificate/)
  expect(certificateProblem(answers[0]!.failure!)).toMatch(/^the certificate is not trusted; name its CA as /)
})

test.for([
  ['certificate has expired (CERT_HAS_EXPIRED)', /has expired; renew it/],
  ['Host: a is not cert’s CN: b (ERR_TLS_CERT_ALTNAME_INVALID)', /for another name/],
  ['unable to get local issuer certificate (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)', /not trusted/],
  ['connect ECONNREFUSED 127.0.0.1:9', null],
] as const)('of a certificate it is said what is wrong: %s', ([message, words]) => {
  const problem = certificateProblem({ kind: 'refused', message })
  expect(words === null ? problem : words.test(problem ?? '')).toBe(words === null ? null : true)
})

test.for([
  ['2', modern, 2, [200, 200]],
  ['auto', modern, 'auto', [200, 200]],
  ['1.1', modern, 1.1, ['refused', 'refused']],
  ['auto', secure, 'auto', [200, 200]],
  ['2', secure, 2, ['refused', 'refused']],
  ['2', plain, 2, ['refused', 'refused']],
] as const)('with `http: %s` a target is spoken to in what both know', async ([, server, http, found]) => {
  expect(outcomes(await asked(at(server), { ...trusting(own.cert), http }))).toEqual(found)
})

test('of HTTP/2 the headers and each DATA frame with its time are recorded', async () => {
  const [exchange] = await asked(at(modern), { ...trusting(own.cert), http: 2 })
  const { http, headers, chunks } = exchange!.response!
  expect(http).toBe(2)
  expect(headers.slice(0, 3)).toEqual([
    ['content-type', 'application/json'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ])
  const [first, second] = chunks
  expect(chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{', '}'])
  expect(second!.at - first!.at).toBeGreaterThan(20)
})

test('a target that asks for a client certificate is reached with it, and not without', async () => {
  const tls = { ca: own.cert, client: member }
  expect(outcomes(await asked(at(closed), { ...direct, tls }))).toEqual([200, 200])
  expect(outcomes(await asked(at(closed), trusting(own.cert)))).not.toContain(200)
})

test('a target of two addresses is reached by a process that was busy when the first was there', async () => {
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  const found = vi.spyOn(dns, 'lookup')
  found.mockImplementation(((_name: string, _options: object, done: (...found: unknown[]) => void) => {
    process.nextTick(done, null, both)
    process.nextTick(() => {
      for (const until = performance.now() + 400; performance.now() < until;);
    })
  }) as never)
  const [exchange] = await asked(`http://two.example:${portOf(plain)}`, direct)
  found.mockRestore()
  expect(exchange?.response?.status).toBe(200)
})

describe('through a proxy', () => {
  test('a plain target is asked for by its whole address', async () => {
    const exchanges = await asked(at(plain), { ...direct, proxy: at(proxy, 'ann:p%40ss@') })
    const { host } = new URL(at(plain))
    expect(outcomes(exchanges)).toEqual([200, 200])
    expect(requests.slice(0, 2)).toEqual([
      `proxy: GET ${at(plain)}/ for ${host} ${wanted}`,
      `GET / for ${host}`,
    ])
    expect(exchanges.map(({ request: { path, headers } }) => [path, headers])).toEqual([
      ['/', [['accept-encoding', 'identity']]],
      ['/', [['accept-encoding', 'identity']]],
    ])
  })

  test('a target over TLS gets a tunnel, and the certificates on both sides count', async () => {
    const access = { tls: { ca: own.cert, client: member }, proxy: at(proxy, 'ann:p%40ss@') }
    const { host } = new URL(at(closed))
    expect(outcomes(await asked(at(closed), access))).toEqual([200, 200])
    expect(requests).toEqual(
      Array.from({ length: requests.length }, () => `proxy: CONNECT ${host} for ${host} ${wanted}`),
    )
    expect(outcomes(await asked(at(closed), { ...access, tls: { ca: null } }))).not.toContain(200)
  })

  test('a proxy that refuses the tunnel is named, and its password is not', async () => {
    const [alone] = await asked(at(secure), { tls: { ca: own.cert }, proxy: at(proxy, 'ann:wrong@') })
    expect(alone?.failure).toEqual({
      kind: 'refused',
      message: `the proxy ${new URL(at(proxy)).host} refused a tunnel to ${new URL(at(secure)).host} with 407`,
    })
  })
})
