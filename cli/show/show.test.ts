import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run, testIo } from '../process.testkit.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { namedRuns } from './named-runs.ts'
import { showRoutes } from './routes/routes.ts'
import { verificationOf } from './routes/verification.ts'
import { serveRuns, type RunServer } from './server.ts'
import { show } from './show.ts'

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>
}
const document = parse(readFileSync(new URL('../../spec/show.yaml', import.meta.url), 'utf8')) as Document

/** Answered without the table of routes. */
const ofServer = ['openSession', 'followLiveRun']

let root: string
let folder: string
let server: RunServer
let origin: string
let token: string
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'touchstone-show-'))
  folder = join(root, 'runs/faulty')
  mkdirSync(join(root, 'empty'))
  const only = ['--only', 'idempotency-replay/stream/*', '--fault', 'replay-unmarked']
  await run(['check', 'simulator', ...only, '--quiet', '--out', folder])
  server = await serveRuns({ ...namedRuns([join(root, 'runs')]), expected: null }, 0)
  ;[origin = '', token = ''] = server.url.split('/#token=')
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

const check = encodeURIComponent('idempotency-replay/stream/IDEM-STREAM-REPLAY-HEADER')
const authorized = () => ({ authorization: `Bearer ${token}` })

describe('the server of recorded runs', () => {
  it('has the routes of spec/show.yaml and no others', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) =>
        operationId === undefined || ofServer.includes(operationId)
          ? []
          : [[operationId, method.toUpperCase(), path]],
      ),
    )
    const served = Object.entries(showRoutes).map(([id, { method, path }]) => [id, method, path])
    expect(served).toEqual(documented)
  })

  it.each([
    ['RunList', '/api/runs'],
    ['RunOverview', '/api/runs/faulty'],
    ['Verification', '/api/runs/faulty/verification'],
    ['CheckList', '/api/runs/faulty/checks?verdict=fail&text=header'],
    ['CheckDetail', `/api/runs/faulty/checks/${check}`],
    ['ExchangeList', '/api/runs/faulty/exchanges?limit=2&status=2xx'],
    ['ExchangeDetail', '/api/runs/faulty/exchanges/2'],
    ['RunChanges', '/api/runs/faulty/changes?since=faulty'],
    ['ProofList', '/api/runs/faulty/faults'],
  ])('sends a %s as the document has it', async (schema, path) => {
    const { statusCode, body } = await request(origin + path, { headers: authorized() })
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    const validate = ajv.addSchema(document, 'show').compile({ $ref: `show#/components/schemas/${schema}` })
    const sent = await body.json()
    validate(sent)
    expect([statusCode, validate.errors, Object.keys(sent as object).length > 0]).toEqual([200, null, true])
  })

  it.each([
    ['without the token', '/api/runs', () => ({}), 401],
    ['with another token', '/api/runs', () => ({ authorization: 'Bearer 0' }), 401],
    ['under another name', '/', () => ({ host: 'site.example' }), 403],
    ['under another name, with the token', '/api/runs', () => ({ ...authorized(), host: 'a.example' }), 403],
    [
      'of a page of another origin',
      '/api/runs',
      () => ({ ...authorized(), origin: 'http://localhost:1' }),
      403,
    ],
    ['of an image of another site', '/', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['for a run that was not named', '/api/runs/..%2Fempty', authorized, 404],
    ['for a check that there is not', '/api/runs/faulty/checks/none', authorized, 404],
    ['for a file beside the page', '/assets/..%2f..%2fpackage.json', () => ({}), 404],
  ] as const)('refuses a request %s', async (_, path, headers, status) => {
    const { statusCode, body } = await request(origin + path, { headers: headers() })
    expect([statusCode, await body.json()]).toEqual([status, { error: expect.any(String) as string }])
  })

  it('gives its token once for the code that a browser is started with', async () => {
    const [, code = ''] = server.launchUrl().split('/#code=')
    const redeem = async () => {
      const { statusCode, body } = await request(`${origin}/api/session?code=${code}`)
      return [statusCode, await body.json()]
    }
    expect(await redeem()).toEqual([200, { token }])
    expect(await redeem()).toEqual([401, { error: expect.stringContaining('was used') as string }])
  })

  it('reports a signature as not checked without its key, and as verified with it', async () => {
    const [signed, pem] = [join(root, 'signed'), join(root, 'own.pem')]
    cpSync(folder, signed, { recursive: true })
    await run(['keygen', '--out', pem])
    await run(['report', signed, '--sign-key', `file:${pem}`])
    const file = join(root, 'own.pub.pem')
    const wordsFor = async (expected: Parameters<typeof verificationOf>[0]['expected']) =>
      (await verificationOf({ expected }, { path: signed }, false)).words
    expect(await wordsFor(null)).toMatchObject({ word: 'signature not checked', tone: 'quiet' })
    expect(await wordsFor({ file, key: publicKeyAt(file) })).toMatchObject({ word: 'verified' })
  })

  it('reads only', async () => {
    const before = readdirSync(folder, { recursive: true })
    const { statusCode } = await request(`${origin}/api/runs`, { method: 'POST', headers: authorized() })
    await request(`${origin}/api/runs/faulty/verification?rejudge=true`, { headers: authorized() })
    expect([statusCode, readdirSync(folder, { recursive: true })]).toEqual([405, before])
  })
})

describe('touchstone show', () => {
  it.each([
    ['a folder without a run', ['empty'], /empty holds no run: give a folder that a check wrote to/],
    ['no folder', ['nowhere'], /nowhere cannot be read \(ENOENT\): give a folder/],
    ['an earlier run that is none', ['runs', '--since', 'empty'], /empty holds no run/],
  ])('refuses %s with one line', async (_, [first = '', option, second = ''], line) => {
    const words = ['show', join(root, first), ...(option === undefined ? [] : [option, join(root, second)])]
    const { code, err } = await run(words)
    expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1])
    expect(err).toMatch(line)
  })

  it('prints its address and ends when it is stopped', async () => {
    const io = testIo()
    const ended = show([folder], { port: 0, json: true }, io)
    await expect.poll(() => io.printed.out).toContain('\n')
    const { url, runs } = JSON.parse(io.printed.out) as { url: string; runs: readonly string[] }
    expect([new URL(url).hostname, runs]).toEqual(['127.0.0.1', [folder]])
    io.stop()
    expect(await ended).toBe(0)
  })
})
