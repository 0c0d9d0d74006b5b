/** A registry is static files: it can withhold statements, and nothing else. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { release, stated } from './statements.ts'

interface Reply {
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

const root = mkdtempSync(join(tmpdir(), 'touchstone-registry-'))
const key = join(root, 'release.pem')
let server: Server
let port: number
let replies: Readonly<Record<string, Reply>>
let asked: string[]

beforeAll(async () => {
  writeFileSync(key, release.publicKey.export({ type: 'spki', format: 'pem' }))
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status = 200, headers = {}, body = '' } = replies[request.url ?? ''] ?? { status: 404 }
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.close()
  await once(server, 'close')
  rmSync(root, { recursive: true })
})

async function decided(index: Reply, files: Readonly<Record<string, Reply>> = {}) {
  replies = { '/runs/index.json': index, ...files }
  asked = []
  const from = ['--from', `http://127.0.0.1:${port}/runs`, '--key', key]
  return run(['gate', '--target', 'acme', '--version', '4.2.1', ...from])
}

const listing = (...statements: readonly unknown[]): Reply => ({ body: JSON.stringify({ statements }) })
const good: Reply = { body: stated() }

test('statements are loaded as the index lists them', async () => {
  const { code, out } = await decided(listing('4.2.1/a b/statement.dsse.json'), {
    '/runs/4.2.1/a%20b/statement.dsse.json': good,
  })

  expect(code).toBe(0)
  expect(out).toContain(`http://127.0.0.1:${port}/runs/4.2.1/a%20b/statement.dsse.json`)
})

test.for<[string, Reply]>([
  ['a path that leads out', listing('../other/statement.dsse.json')],
  ['one that leads out later', listing('a/../../other/statement.dsse.json')],
  ['one that is encoded', listing('%2e%2e/other/statement.dsse.json')],
  ['the root', listing('/other/statement.dsse.json')],
  ['another host', listing('//other.example/statement.dsse.json')],
  ['another address', listing('https://other.example/statement.dsse.json')],
  ['a file of this machine', listing('file:///etc/passwd')],
  ['a backslash', listing('..\\other\\statement.dsse.json')],
  ['a query', listing('statement.dsse.json?a=../')],
  ['a line feed', listing('a\nb')],
  ['half a letter', listing('\ud800')],
  ['nothing', listing('')],
  ['a number', listing(1)],
  ['too many', listing(...Array.from({ length: 10_001 }, (_, number) => `${number}`))],
  ['the list twice', { body: '{"statements":["a"],"statements":[]}' }],
  ['no list', { body: '{}' }],
  ['a page', { body: '<html>' }],
])('an index with %s is refused, and nothing of it is loaded', async ([, index]) => {
  const { code, out, err } = await decided(index, { '/other/statement.dsse.json': good })

  expect({ code, out, asked }).toEqual({ code: 2, out: '', asked: ['/runs/index.json'] })
  expect(err).toMatch(/^error: --from http:\S+: index\.json (?:lists|has) /)
})

const elsewhere: Reply = { status: 302, headers: { location: '/other/statement.dsse.json' } }

test.for<[string, Reply, Reply, string]>([
  ['a redirect of the index', elsewhere, good, 'status 302'],
  ['a redirect of a statement', listing('a'), elsewhere, 'status 302'],
  ['a missing statement', listing('a'), { status: 404 }, 'status 404'],
  ['a failing server', { status: 500 }, good, 'status 500'],
  ['a huge index', { body: ' '.repeat(2_000_000) }, good, 'larger than 1048576 bytes'],
  ['a huge statement', listing('a'), { body: ' '.repeat(300_000) }, 'larger than 262144 bytes'],
  [
    'a compressed bomb',
    listing('a'),
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(50_000_000)) },
    'larger than 262144 bytes',
  ],
])('%s decides nothing', async ([, index, statement, words]) => {
  const { code, out, err } = await decided(index, {
    '/runs/a': statement,
    '/other/statement.dsse.json': good,
  })

  expect({ code, out }).toEqual({ code: 4, out: '' })
  expect(err).toContain(words)
  expect(asked).not.toContain('/other/statement.dsse.json')
})

test('a registry that is not there decides nothing', async () => {
  const from = ['--from', 'http://127.0.0.1:1/', '--key', key]
  const { code, err } = await run(['gate', '--target', 'acme', '--version', '4.2.1', ...from])

  expect(code).toBe(4)
  expect(err).toContain('so nothing was decided')
})
