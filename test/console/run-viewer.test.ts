/** The page of `touchstone show` in a real browser. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { serveRun, type RunServer } from '../../cli/show/show.ts'
import { audit } from '../pages/audit.ts'
import { executable, why } from '../pages/browser.ts'
import { openBrowser, type ConsoleBrowser } from './open-console.ts'

const clause = 'IDEM-STREAM-REPLAY-HEADER'
const check = encodeURIComponent(`idempotency-replay/stream/${clause}`)
const hostileText =
  '</pre><script>globalThis.ran = true</script><img src=x onerror="globalThis.ran = true">\u202e'

describe.skipIf(executable === undefined)(`a recorded run in a browser (or ${why})`, () => {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-show-'))
  const faulty = join(root, 'faulty')
  const servers: RunServer[] = []
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await openBrowser()
    const only = ['--only', 'idempotency-replay/stream/*,idempotency-race/four/*,streaming/streamed-turn/*']
    const fault = ['--fault', 'replay-unmarked']
    await run(['check', 'simulator', ...only, ...fault, '--quiet', '--seed', '1', '--out', faulty])
  })
  afterAll(async () => {
    await browser.close()
    for (const server of servers) await server.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function opened(folder: string, options: BrowserContextOptions = {}): Promise<Page> {
    const server = await serveRun(folder, 0)
    servers.push(server)
    return browser.open(server.url, options)
  }

  /** A copy of the run with another record and journal. */
  function changed(name: string, change: (file: string, text: string) => string): string {
    const folder = join(root, name)
    cpSync(faulty, folder, { recursive: true })
    for (const file of ['run.json', 'journal.ndjson'])
      writeFileSync(join(folder, file), change(file, readFileSync(join(folder, file), 'utf8')))
    return folder
  }

  test('is filtered down to a failure, its evidence and the bytes of an exchange', async () => {
    const page = await opened(faulty)
    await page.getByText('Failed and warned (1)').waitFor()
    expect(page.url()).not.toContain('token')

    await page.getByRole('link', { name: 'Checks' }).click()
    await page.getByLabel('Verdict').selectOption({ label: 'fail (1)' })
    await page.getByText('1 checks').waitFor()
    await page.getByRole('link', { name: clause }).click()
    await page.getByRole('heading', { name: clause }).waitFor()
    const texts = ['Expected text', 'Actual text'].map((label) => page.getByLabel(label).innerText())
    expect(await Promise.all(texts)).toEqual(['header x-service-idempotent-replay: true', 'no such header'])
    await page.getByText('Contract: States and transitions').waitFor()

    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByRole('button', { name: 'Hex' }).click()
    const bytes = page.getByLabel('Response body in hex')
    expect(await bytes.innerText()).toMatch(/part 1 · \+[\d.]+ ms · \d+ B\s+000000\s+64 61 74 61 3a 20 7b 22/)
    await page.getByRole('button', { name: 'Text' }).click()
    await page.getByLabel('Events of the stream').getByText('done', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Exchanges' }).click()
    await page.getByLabel('Text in path').fill('"TYPE":"DONE"')
    await page.getByText(/^[1-9]\d* exchanges$/).waitFor()
    await page.getByLabel('Text in path').fill('said by nobody')
    await page.getByText('No exchange of this run is like that').waitFor()
    expect(browser.complaints).toEqual([])
  })

  test('is opened by a link in another tab or with a code, and not without the token', async () => {
    const page = await opened(faulty)
    await page.getByText('Failed and warned (1)').waitFor()
    const { origin } = new URL(page.url())
    const another = await page.context().newPage()
    await another.goto(`${origin}/#/checks/${check}`)
    await another.getByRole('heading', { name: clause }).waitFor()
    const launched = await browser.open(servers.at(-1)?.launchUrl() ?? '')
    await launched.getByText('Failed and warned (1)').waitFor()
    const stranger = await browser.open(`${origin}/#/exchanges/3`)
    await stranger.getByText('The run is shown to this session only').waitFor()
    expect(await stranger.getByRole('navigation').count()).toBe(0)
  })

  test('runs nothing of what a target sent, wherever it is shown', async () => {
    const folder = changed('hostile', (file, text) =>
      (file === 'run.json' ? [text] : text.trimEnd().split('\n'))
        .map((part) => JSON.stringify(madeHostile(JSON.parse(part))))
        .join('\n'),
    )
    const page = await opened(folder)
    for (const place of ['overview', `checks/${check}`, 'checks', 'exchanges', 'exchanges/2'])
      await shown(page, place)
    for (const form of ['Text', 'Hex', 'Raw'])
      await page.getByRole('button', { name: form, exact: true }).click()
    const raw = await page.getByLabel('Response body as sent').innerText()
    expect(raw).toContain(hostileText.replace('\u202e', String.raw`\u202e`))
    expect(await page.evaluate('globalThis.ran')).toBeUndefined()
    expect(await page.locator('main :is(script, img)').count()).toBe(0)
    expect(browser.complaints).toEqual([])
  })

  test('with ten thousand exchanges has only the visible ones in the page', async () => {
    const page = await opened(
      changed('large', (file, text) => {
        if (file === 'run.json') return text
        const line = text.split('\n').findLast((one) => one.includes('"is":"exchange"')) ?? ''
        const last = JSON.parse(line) as { exchange: { id: number } }
        const more = Array.from({ length: 10_000 - last.exchange.id }, (_, at) =>
          JSON.stringify({ exchange: { ...last.exchange, id: last.exchange.id + at + 1 } }),
        )
        return `${text}${more.join('\n')}\n`
      }),
    )
    await page.getByRole('link', { name: 'Exchanges' }).click()
    await page.getByText(/^10000 exchanges$/).waitFor()
    const list = page.getByRole('group', { name: 'Exchanges' })
    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await list.getByText('10000', { exact: true }).waitFor()
    expect(await list.getByRole('listitem').count()).toBeLessThan(80)
  })

  test('says what cannot be read of an altered run', async () => {
    const journal = await opened(
      changed('cut', (file, text) => (file === 'run.json' ? text : text.replace('"is":"exchange"', '"is'))),
    )
    const unread = journal.getByText('1 lines of journal.ndjson cannot be read')
    await expect.poll(() => unread.count()).toBe(1)
    const record = await opened(changed('shape', (file, text) => (file === 'run.json' ? '{"run":[]}' : text)))
    await record.getByRole('alert').getByText('The run cannot be shown').waitFor()
  })

  test.for([
    ['light', { colorScheme: 'light' }],
    ['dark and narrow', { colorScheme: 'dark', viewport: { width: 390, height: 800 } }],
  ] as const)('has nothing that an audit of accessibility complains of, %s', async ([, look]) => {
    const page = await opened(faulty, look)
    const found: string[] = []
    for (const place of ['overview', `checks/${check}`, 'exchanges/1', 'exchanges']) {
      await shown(page, place)
      found.push(...(await audit(page)).map((problem) => `${place}: ${problem}`))
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (Number(over) > 0) found.push(`${place} is ${String(over)} pixels too wide`)
    }
    expect(found).toEqual([])
  })
})

/** Everything that the page asks for is there. */
async function shown(page: Page, place: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/${place}`)
  const isLoading = '/Loading…|^$/.test(document.querySelector("main")?.innerText ?? "")'
  await expect.poll(() => page.evaluate(isLoading)).toBe(false)
}

/** Members that have a value from a list, or a form. */
const fixed =
  /^(id|check|subject|area|level|basis|verdict|reason|kind|lifecycle|conformance|scenario|startedAt|clause|identifiers|evidence|base64)$/

/** Every text that a target can fill, in every place, says something hostile. */
function madeHostile(value: unknown, name = ''): unknown {
  if (fixed.test(name)) return value
  if (typeof value === 'string') return hostileText
  if (Array.isArray(value)) return value.map((one) => madeHostile(one, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inside]) => [member, madeHostile(inside, member)]),
  )
}
