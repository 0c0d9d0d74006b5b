import { execFileSync } from 'node:child_process'
import { createServer as createPlain } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createSecure } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { ConfigurationError } from '../../config/configuration-error.ts'
import { bareTarget } from '../../config/bare.ts'
import { runServerUnredacted } from '../drivers/server.ts'
import { TargetUnreachable } from './unreachable.ts'

/** A key and a certificate for it, of one day. */
function selfSigned(): { key: string; cert: string } {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-']
  const args = ['req', '-x509', ...key, '-subj', '/CN=localhost', '-days', '1']
  const pem = execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  return { key: pem, cert: pem }
}

let server: Server | undefined
afterEach(() => void server?.close())

const banner = (): Server =>
  createServer((socket) => void socket.on('error', () => undefined).write('SSH-2.0-OpenSSH_9.6\r\n'))
const hangsUp = (): Server => createServer((socket) => void socket.on('error', () => undefined).destroy())

test.for([
  [
    'speaks SSH',
    banner,
    'http',
    ConfigurationError,
    /^--base-url \S+: what listens there does not speak HTTP \(/,
  ],
  [
    'speaks TLS',
    () => createSecure(selfSigned()),
    'http',
    ConfigurationError,
    /: the port speaks TLS; use https:/,
  ],
  [
    'speaks no TLS',
    () => createPlain(),
    'https',
    ConfigurationError,
    /: the port does not speak TLS; use http:/,
  ],
  ['hangs up', hangsUp, 'http', TargetUnreachable, /^nothing answers at \S+ \(reset: .*\); check --base-url/],
] as const)('a port that %s is no target', async ([, open, scheme, kind, words]) => {
  server = open()
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const baseUrl = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = {
    ...bareTarget({ baseUrl, apiKey: 'sk-1', agent: 'a' }),
    arguments: ['--base-url', baseUrl],
  }
  const thrown = await runServerUnredacted(target, { seed: 1 }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(kind)
  expect((thrown as Error).message).toMatch(words)
})

test('a name that leads nowhere is named', async () => {
  const target = bareTarget({ baseUrl: 'http://nope.invalid', apiKey: 'sk-1', agent: 'a' })
  await expect(runServerUnredacted(target, { seed: 1 })).rejects.toThrow(
    /^nope\.invalid cannot be resolved \(.*\); check target\.baseUrl/,
  )
})
