import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { runSuite, TargetUnreachable, type Target } from '../suites/index.ts'
import { nullTarget } from './null-target.ts'

/**
 * Servers that implement nothing. A check that passes against one of them can be green without anything
 * conformant being there. Entries here are the exceptions, each with the reason why it is one.
 */
const allowed: Readonly<Record<string, string>> = {}

const answers: Readonly<Record<string, RequestListener>> = {
  '404 with nothing': (_request, response) => response.writeHead(404).end(),
  '404 with a flat error': (_request, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"NOT_FOUND"}'),
  '200 with nothing': (_request, response) => response.writeHead(200).end(),
  '200 with {}': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  '200 as an empty stream': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
  '400 with nothing': (_request, response) => response.writeHead(400).end(),
  '400 with every code': (_request, response) =>
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"error":"IDEMPOTENCY_KEY_REQUIRED IDEMPOTENCY_CONFLICT"}'),
  '401 with a flat error': (_request, response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"no"}'),
  '409 with a code': (_request, response) =>
    response.writeHead(409, { 'content-type': 'application/json' }).end('{"error":"IDEMPOTENCY_CONFLICT"}'),
  '429 with a body': (_request, response) =>
    response
      .writeHead(429, { 'content-type': 'application/json' })
      .end('{"error":"slow down","retry_after_seconds":1,"limit":60,"remaining":0}'),
  '500 with nothing': (_request, response) => response.writeHead(500).end(),
}

let server: Server | undefined
async function serve(listener: RequestListener): Promise<Target> {
  server = createServer((request, response) => {
    request.resume()
    request.on('end', () => listener(request, response))
    request.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return nullTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

async function greens(target: Target): Promise<readonly string[]> {
  const { record } = await runSuite(target, { seed: 1 })
  expect(record.findings.length).toBeGreaterThan(150)
  expect(record.conformance).not.toBe('conformant')
  return record.findings.filter((finding) => finding.verdict === 'pass').map((finding) => finding.check)
}

describe('a server that implements nothing', () => {
  test.for(Object.entries(answers))('that always answers %s passes no check', async ([, listener]) => {
    const passed = await greens(await serve(listener))
    expect(passed.filter((check) => !(check in allowed))).toEqual([])
  })

  test('that never answers is unreachable', async () => {
    const target = await serve(() => undefined)
    await expect(runSuite(target, { seed: 1 })).rejects.toBeInstanceOf(TargetUnreachable)
  })

  test('that answers once and then hangs passes no check', async () => {
    let first = true
    const target = await serve((_request, response) => {
      if (first) response.writeHead(404).end()
      first = false
    })
    const impatient = { ...target, timing: { ...target.timing, answerTimeoutMs: 20 } }
    expect(await greens(impatient)).toEqual([])
  })

  test('that listens on no port is unreachable', async () => {
    const target = await serve(() => undefined)
    const { port } = new URL(target.baseUrl)
    await new Promise<void>((resolve) => server?.close(() => resolve()))
    await expect(
      new Promise((resolve, reject) =>
        connect(Number(port), '127.0.0.1').once('connect', resolve).once('error', reject),
      ),
    ).rejects.toThrow('ECONNREFUSED')
    await expect(runSuite(target, { seed: 1 })).rejects.toBeInstanceOf(TargetUnreachable)
  })
})
