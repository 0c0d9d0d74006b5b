import { guardBase } from './addresses.ts'
import { Breaker } from './guard.ts'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { HeaderLine } from '../../edge/reply.ts'
import { createPoster } from './poster.ts'
import { temporaryFolder } from '../../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const bundled = getCACertificates('default')
const policy = { ...guardBase.guard, names: { 'other.example': ['127.0.0.1'] }, allow: ['other.example'] }
const requests: { servername: string | false | null; host: string | undefined; httpVersion: string }[] = []
let server: Server

/** Of `localhost` alone; offers HTTP/2 too. */
beforeAll(async () => {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  execFileSync('openssl', [...request, ...about, '-keyout', keyPath, '-out', certPath], { stdio: 'ignore' })
  const pair = { key: readFileSync(keyPath), cert: readFileSync(certPath), ALPNProtocols: ['h2', 'http/1.1'] }
  server = createServer(pair, ({ headers, httpVersion }, response) => {
    requests.push({ servername, host: headers.host, httpVersion })
    response.writeHead(204).end()
  })
  let servername: string | false | null = null
  server.on('secureConnection', (socket) => (servername = socket.servername))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  requests.length = 0
  setDefaultCACertificates([...bundled, readFileSync(certPath, 'utf8')])
})
afterAll(() => {
  setDefaultCACertificates(bundled)
  server.close().closeAllConnections()
})

async function post(host: string, headers: readonly HeaderLine[] = []) {
  const poster = createPoster()
  const { port } = server.address() as AddressInfo
  const message = { url: `https://${host}:${port}/`, headers, body: new Uint8Array([123, 125]) }
  const { status, failure } = await poster.post(message, policy, new Breaker())
  await poster.close()
  return failure ?? status
}

test('an endpoint with a certificate that is trusted is reached over HTTP/1.1', async () => {
  expect(await post('localhost')).toBe(204)
  expect(requests).toMatchObject([{ servername: 'localhost', httpVersion: '1.1' }])
})

test('a Host header goes out as it is given, and the certificate is still that of the URL', async () => {
  expect(await post('localhost', [['Host', 'other.example']])).toBe(204)
  expect(requests).toMatchObject([{ servername: 'localhost', host: 'other.example' }])
})

test.for([
  ['of another name', 'other.example', true, [['Host', 'localhost']]],
  ['that nobody trusts', 'localhost', false, []],
] as const)('an endpoint with a certificate %s gets nothing', async ([, host, trusted, headers]) => {
  if (!trusted) setDefaultCACertificates(bundled)
  const failure = { kind: 'unreachable', reason: expect.stringContaining('certificate') }
  expect(await post(host, headers)).toMatchObject(failure)
  expect(requests).toEqual([])
})
