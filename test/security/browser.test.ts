/** What a real browser makes of answers, and what pages of other sites can do with the control plane. */
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { executable, why } from '../pages/browser.ts'

const script = '<html><body><script>globalThis.ran = true</script><img src=x onerror="globalThis.ran=true">'
const safe = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const log: string[] = []
let simulator: Simulator
let base: string
beforeAll(async () => {
  simulator = await createSimulator({ log: (line) => void log.push(line) })
  const { url, tenant } = simulator
  base = `/_sim/v1/tenants/${tenant.id}`
  await fetch(`${url}/api/v1/chat/${tenant.agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.keys.main}`, 'idempotency-key': script },
    body: JSON.stringify({ message: script }),
  })
  // A page of this origin, to see what one could do; as no service has it.
  tenant.addNetworkFaults([
    {
      on: { method: 'GET', path: '/page' },
      times: 100,
      do: { is: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: script },
    },
  ])
})
afterAll(() => simulator.close())

describe('an answer carries what keeps a browser from making more of it:', () => {
  const cases: readonly [method: string, path: () => string, status: number][] = [
    ['GET', () => '/healthz', 200],
    ['GET', () => base, 200],
    ['DELETE', () => `${base}/network-faults/none`, 404],
    ['POST', () => `${base}/reset`, 403],
    ['POST', () => `${base}/states/${encodeURIComponent(script)}`, 404],
    ['GET', () => '/nowhere', 404],
    ['PUT', () => '/healthz', 405],
  ]
  test.for(cases)('%s %s', async ([method, path, status]) => {
    const headers = status === 403 ? { origin: 'https://page.example' } : {}
    const answer = await fetch(simulator.url + path(), { method, headers })
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject(safe)
  })

  test('a deletion, too', async () => {
    const { id } = simulator.createTenant({ seed: 'to be ended' })
    const answer = await fetch(`${simulator.url}/_sim/v1/tenants/${id}`, { method: 'DELETE' })
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([200, safe])
  })
})

describe.skipIf(executable === undefined)(`in a browser (or ${why})`, () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    const args = ['--no-sandbox', '--no-proxy-server', '--host-resolver-rules=MAP rebound.example 127.0.0.1']
    browser = await chromium.launch({ executablePath: executable ?? '', args })
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  const ran = (): Promise<unknown> => page.evaluate('globalThis.ran')
  const at = (host: string): string => `http://${host}:${simulator.port}`

  test('a script in a page would run', async () => {
    await page.goto(`${simulator.url}/page`)
    expect(await ran()).toBe(true)
  })

  test.for([
    ['the journal, with a message that is one', (): string => `${base}/journal`],
    ['a refusal that has it in its words', () => `/_sim/v1/tenants/${encodeURIComponent(script)}`],
    ['a path that is not there', () => `/${encodeURIComponent(script)}`],
  ] as const)('and runs nothing of %s', async ([, path]) => {
    const answer = await page.goto(simulator.url + path())
    expect(answer?.headers()).toMatchObject(safe)
    expect(await page.evaluate('document.contentType')).toBe('application/json')
    expect(await ran()).toBeUndefined()
  })

  /** What a page at an address is answered; `none` where the browser does not let it see. */
  const asks = async (from: string, url: string, init: object = {}): Promise<number | 'none'> => {
    await page.goto(`${from}/page`)
    const asked = `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(({ status }) => status, () => 'none')`
    return page.evaluate<number | 'none'>(asked)
  }

  test('a page of the own origin is answered, one under a name that stands for this machine is not', async () => {
    expect(await asks(at('127.0.0.1'), '/_sim/v1/faults')).toBe(200)
    expect(await asks(at('rebound.example'), '/_sim/v1/faults')).toBe(403)
    expect(await asks(at('rebound.example'), `${base}/reset`, { method: 'POST' })).toBe(403)
  })

  test('a page of another origin sees nothing, and what it sends unseen is refused', async () => {
    const from = at('localhost')
    const url = simulator.url + base
    const unseen = { method: 'POST', mode: 'no-cors' }
    const body = JSON.stringify({ event: 'leads.submit' })
    log.length = 0
    expect(await asks(from, url)).toBe('none')
    expect(await asks(from, `${url}/reset`, unseen)).toBe('none')
    expect(await asks(from, `${url}/events`, { ...unseen, body })).toBe('none')
    expect(log.filter((line) => line.includes(base))).toEqual([
      `GET ${base} 403`,
      `POST ${base}/reset 403`,
      `POST ${base}/events 403`,
    ])
  })
})
