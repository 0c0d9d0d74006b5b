import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, testIo } from '../process.testkit.ts'
import { serveRun, type RunServer } from './show.ts'
import { show } from './show.ts'

const digest = 'a'.repeat(64)
const other = 'b'.repeat(64)
const linked = 'c'.repeat(64)
const nested = 'd'.repeat(64)

let root: string
let folder: string
let server: RunServer
let origin: string
let token: string
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'touchstone-show-'))
  folder = join(root, 'run')
  mkdirSync(join(folder, 'evidence'), { recursive: true })
  writeFileSync(join(folder, 'run.json'), '{}')
  writeFileSync(join(folder, 'secret.txt'), 'not of the run')
  writeFileSync(join(folder, 'evidence', digest), 'a body')
  symlinkSync('/dev/zero', join(folder, 'evidence', other))
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'evidence', linked))
  mkdirSync(join(folder, 'evidence', nested))
  server = await serveRun(folder, 0)
  ;[origin = '', token = ''] = server.url.split('/#token=')
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

const authorized = () => ({ authorization: `Bearer ${token}` })

describe('the server of a run', () => {
  it.each([
    ['without the token', '/run.json', () => ({}), 401],
    ['with another token', '/run.json', () => ({ authorization: 'Bearer 0' }), 401],
    ['under another name', '/', () => ({ host: 'site.example' }), 403],
    ['under another name, with the token', '/run.json', () => ({ ...authorized(), host: 'a.example' }), 403],
    ['of another page', '/run.json', () => ({ ...authorized(), origin: 'http://localhost:1' }), 403],
    ['of an image of another site', '/', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['for another file of the folder', '/secret.txt', authorized, 404],
    ['for a file outside of it', '/evidence/..%2f..%2fpackage.json', authorized, 404],
    ['for a file that is missing', '/journal.ndjson', authorized, 404],
    ['for a device', `/evidence/${other}`, authorized, 404],
    ['for what a link points to', `/evidence/${linked}`, authorized, 404],
    ['for a folder', `/evidence/${nested}`, authorized, 404],
  ] as const)('refuses a request %s', async (_, path, headers, status) => {
    const { statusCode, body } = await request(`${origin}${path}`, { headers: headers() })
    expect([statusCode, await body.json()]).toEqual([status, { error: expect.any(String) as string }])
  })

  it('sends the page to everybody and the files of the run to the session, and is only read', async () => {
    const page = await request(origin)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(await page.body.text()).not.toContain(token)
    const file = await request(`${origin}/evidence/${digest}`, { headers: authorized() })
    expect([file.headers['x-content-type-options'], await file.body.text()]).toEqual(['nosniff', 'a body'])
    const { statusCode } = await request(`${origin}/run.json`, { method: 'POST', headers: authorized() })
    expect([statusCode, readFileSync(join(folder, 'run.json'), 'utf8')]).toEqual([405, '{}'])
  })

  it('gives its token once for the code that a browser is started with', async () => {
    const [, code = ''] = server.launchUrl().split('/#code=')
    const redeem = async () => {
      const { statusCode, body } = await request(`${origin}/session?code=${code}`)
      return [statusCode, await body.json()]
    }
    expect(await redeem()).toEqual([200, { token }])
    expect(await redeem()).toEqual([401, { error: expect.stringContaining('was used') as string }])
  })
})

describe('touchstone show', () => {
  it('refuses a folder without a run with one line', async () => {
    const { code, err } = await run(['show', join(root, 'nowhere')])
    expect([code, err]).toEqual([2, expect.stringMatching(/^\S+ \S+nowhere has no run\.json: give .*\n$/)])
  })

  it('prints its address and ends when it is stopped', async () => {
    const io = testIo()
    const ended = show(folder, { port: 0, json: true }, io)
    await expect.poll(() => io.printed.out).toContain('\n')
    const printed = JSON.parse(io.printed.out) as { url: string; folder: string }
    expect([new URL(printed.url).hostname, printed.folder]).toEqual(['127.0.0.1', folder])
    io.stop()
    expect(await ended).toBe(0)
  })
})
