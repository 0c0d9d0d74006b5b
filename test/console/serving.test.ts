import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleFiles, consolePath, consoleRoutes } from '../../cli/console/routes.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { request } from 'undici'

let simulator: Simulator
beforeAll(async () => {
  simulator = await createSimulator({
    routes: consoleRoutes,
    home: consolePath,
    controlToken: 'a-token-of-the-control-plane',
  })
})
afterAll(() => simulator.close())

const browser = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' }

describe('the console', () => {
  it.each([
    ['a browser is redirected to the console', '/', 'GET', browser, 302, '/_sim/'],
    ['a program is not', '/', 'GET', { accept: '*/*' }, 404, undefined],
    ['nor a request of a page', '/', 'GET', { ...browser, 'sec-fetch-mode': 'cors' }, 404, undefined],
    ['nor another method', '/', 'POST', browser, 404, undefined],
    ['nor another path', '/api', 'GET', browser, 404, undefined],
    ['the page needs no token', '/_sim/', 'GET', browser, 200, undefined],
    ['the routes behind it do', '/_sim/v1/faults', 'GET', browser, 401, undefined],
    ['there is no way to other files', '/_sim/assets/..%2findex.html', 'GET', browser, 404, undefined],
  ] as const)('%s', async (_, path, method, headers, status, location) => {
    const { statusCode, headers: sent, body } = await request(simulator.url + path, { method, headers })
    await body.dump()
    expect([statusCode, sent['location']]).toEqual([status, location])
  })

  it('runs only its own files, and turns no text into markup', async () => {
    const { headers, body } = await request(`${simulator.url}/_sim/`)
    const page = await body.text()
    const loaded = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const policy = String(headers['content-security-policy'])

    expect(loaded.length).toBeGreaterThan(1)
    expect(page).not.toMatch(/<script(?![^>]*src)|<style|\son\w+=/)
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    )
    for (const path of loaded) {
      const file = await request(`${simulator.url}/_sim/${path}`)
      expect([file.statusCode, (await file.body.arrayBuffer()).byteLength]).toEqual([
        200,
        consoleFiles().get(path)?.bytes.length,
      ])
    }
  })

  it('has at most 150 kB, compressed', () => {
    const bytes = [...consoleFiles().values()].reduce((sum, file) => sum + gzipSync(file.bytes).length, 0)

    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(150_000)
  })
})
