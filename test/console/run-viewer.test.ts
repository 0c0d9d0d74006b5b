/** The pages of `touchstone show` in a real browser. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { besideIn, openEarlier } from '../../cli/diff/diff.ts'
import { run } from '../../cli/process.testkit.ts'
import { serveRun, type RunServer } from '../../cli/show/show.ts'
import { audit } from '../pages/audit.ts'
import { executable, why } from '../pages/browser.ts'
import { openBrowser, type ConsoleBrowser } from './open-console.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const clause = 'IDEM-STREAM-REPLAY-HEADER'

describe.skipIf(executable === undefined)(`a recorded run in a browser (or ${why})`, () => {
  const root = temporaryFolder()
  let server: RunServer
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await openBrowser()
    const only = ['--only', 'idempotency-replay/stream/*,idempotency-race/four/*,streaming/streamed-turn/*']
    const fault = ['--fault', 'replay-unmarked']
    await run(['check', 'simulator', ...only, ...fault, '--quiet', '--seed', '1', '--out', root])
    const opened = openEarlier(root)
    server = await serveRun({ run: opened.run, beside: besideIn(root, opened) }, 0)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  const opened = (options: BrowserContextOptions = {}): Promise<Page> =>
    browser.open(server.launchUrl(), options)

  test('is filtered down to a failure, its evidence and the bytes of an exchange', async () => {
    const page = await opened()
    await page.getByRole('link', { name: 'Checks', exact: true }).click()
    await page.getByLabel('Verdict').selectOption({ label: 'fail (1)' })
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('1 to 1 of 1 check').waitFor()
    await page.getByRole('link', { name: clause }).click()
    await page.getByText('header x-service-idempotent-replay: true').first().waitFor()

    await page.getByText('In full:').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Hex' }).click()
    await page
      .getByText(/part 1 · \+[\d.]+ ms · \d+ B/)
      .first()
      .waitFor()
    expect(browser.complaints).toEqual([])
  })

  test('copies a command', async () => {
    const page = await opened({ permissions: ['clipboard-read', 'clipboard-write'] })
    const command = page.locator('dd', { hasText: ' replay ' }).first()
    await command.getByRole('button', { name: 'Copy' }).click()
    await command.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await command.locator('code').innerText(),
    )
    expect(browser.complaints).toEqual([])
  })

  test.for([
    ['light', { colorScheme: 'light' }],
    ['dark and narrow', { colorScheme: 'dark', viewport: { width: 390, height: 800 } }],
  ] as const)('has nothing that an audit of accessibility complains of, %s', async ([, look]) => {
    const page = await opened(look)
    const found: string[] = []
    for (const place of [
      'checks',
      `check?id=idempotency-replay/stream/${clause}`,
      'exchanges',
      'exchange?id=2',
    ]) {
      await page.goto(`${server.url}${place}`)
      found.push(...(await audit(page)).map((problem) => `${place}: ${problem}`))
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (Number(over) > 0) found.push(`${place} is ${String(over)} pixels too wide`)
    }
    expect(found).toEqual([])
  })
})
