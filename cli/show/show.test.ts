import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, testIo } from '../process.testkit.ts'
import { besideIn, openEarlier } from '../diff/diff.ts'
import { serveRun, type RunServer, show } from './show.ts'

const folder = 'test/golden-run'
let server: RunServer
let origin: string
let token: string
beforeAll(async () => {
  const opened = openEarlier(folder)
  server = await serveRun({ run: opened.run, beside: besideIn(folder, opened) }, 0)
  ;({ origin, pathname: token } = new URL(server.url))
})
afterAll(async () => server.close())

describe('the server of a run', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['without the token', '/', {}, 401],
    ['with another token', '/0/', {}, 401],
    ['under another name', 'checks', { host: 'site.example' }, 403],
    ['of another page', 'checks', { origin: 'http://localhost:1' }, 403],
    ['of an image of another site', '', { 'sec-fetch-site': 'cross-site' }, 403],
    ['for a file of the folder', 'run.json', {}, 404],
    ['for a file outside of it', '..%2f..%2fpackage.json', {}, 404],
    ['for a check that is not there', 'check?id=a', {}, 404],
    ['for an exchange that is not there', 'exchange?id=0', {}, 404],
    ['for a member of every object', 'constructor', {}, 404],
  ])('refuses a request %s', async (_, page, headers, status) => {
    const at = status === 401 ? page : `${token}${page}`
    const { statusCode, headers: came } = await request(`${origin}${at}`, { headers })
    expect([statusCode, came['content-type']]).toEqual([status, 'text/plain; charset=utf-8'])
  })

  it('sends pages to those who have the address, and is only read', async () => {
    const page = await request(`${origin}${token}`)
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(await page.body.text()).not.toContain(token)
    const { statusCode } = await request(`${origin}${token}`, { method: 'POST' })
    expect(statusCode).toBe(405)
  })

  it('leads to its address once with the code that a browser is started with', async () => {
    const redeem = async () => {
      const { statusCode, headers } = await request(server.launchUrl().replace(/[^/]*$/, code))
      return [statusCode, headers['location']]
    }
    const code = server.launchUrl().split('/').at(-1) ?? ''
    expect(await redeem()).toEqual([303, token])
    expect(await redeem()).toEqual([401, undefined])
  })
})

describe('touchstone show', () => {
  it('refuses a folder without a run with one line', async () => {
    const { code, err } = await run(['show', 'test/nowhere'])
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
