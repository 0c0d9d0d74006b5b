import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from './clock.ts'
import type { Exchange } from './exchange.ts'
import { createRecorder } from './recorder.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-'))

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
const server = createServer(own, (_, response) => response.end('{}'))

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(async () => {
  await new Promise((closed) => server.close(closed))
  rmSync(folder, { recursive: true })
})

/** One request alone, and one on a connection that was opened ahead. */
async function asked(ca: string | null): Promise<readonly Exchange[]> {
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const recorder = createRecorder({ baseUrl, ca, timeoutMs: 5_000, clock: realClock() })
  const about = { scenario: 's', method: 'GET', path: '/', headers: [], body: new Uint8Array() }
  const request = (name: string) => ({ ...about, name, principal: null })
  try {
    return [await recorder.send(request('alone')), ...(await recorder.together([request('warm')]))]
  } finally {
    await recorder.close()
  }
}

test('a target with a certificate of its own is reached with that certificate', async () => {
  const answers = await asked(own.cert)
  expect(answers.map(({ response }) => response?.status)).toEqual([200, 200])
})

test.for([
  ['no certificate', null],
  ['the certificate of another', other.cert],
] as const)('with %s trusted it is not reached, and nothing is sent', async ([, ca]) => {
  const answers = await asked(ca)
  expect(answers.map(({ response, failure }) => response?.status ?? failure?.kind)).toEqual([
    'refused',
    'refused',
  ])
  expect(answers[0]?.failure?.message).toMatch(/self-signed certificate/)
})
