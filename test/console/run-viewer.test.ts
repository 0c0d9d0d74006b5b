/** The page of `touchstone show` in a real browser. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namedRuns } from '../../cli/show/named-runs.ts'
import { serveRuns, type RunServer } from '../../cli/show/server.ts'
import { audit } from '../pages/audit.ts'
import { executable, why } from '../pages/browser.ts'
import { openBrowser, type ConsoleBrowser } from './open-console.ts'
import {
  alterJournal,
  copyOf,
  enlarge,
  hostileText,
  makeHostile,
  shownFolders,
  type ShownFolders,
} from './shown-runs.ts'

const check = 'idempotency-replay/stream/IDEM-STREAM-REPLAY-HEADER'

describe.skipIf(executable === undefined)(`a recorded run in a browser (or ${why})`, () => {
  let folders: ShownFolders
  let browser: ConsoleBrowser
  const servers: RunServer[] = []
  beforeAll(async () => {
    ;[folders, browser] = await Promise.all([shownFolders(), openBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    for (const server of servers) await server.close()
    folders.remove()
  })

  async function opened(paths: readonly string[], options: BrowserContextOptions = {}, since?: string) {
    const server = await serveRuns({ ...namedRuns(paths, since), expected: null }, 0)
    servers.push(server)
    return browser.open(server.url, options)
  }

  test('is filtered down to a failure, with its difference, its evidence and the bytes of an exchange', async () => {
    const page = await opened([folders.faulty], {}, folders.earlier)
    await page.getByText('Failed and warned (1)').waitFor()
    expect(page.url()).not.toContain('token')

    await page.getByRole('link', { name: 'Checks' }).click()
    await page.getByLabel('Verdict').selectOption({ label: 'fail (1)' })
    await page.getByText('1 checks').waitFor()
    await page.getByRole('link', { name: 'IDEM-STREAM-REPLAY-HEADER' }).click()
    await page.getByRole('heading', { name: 'IDEM-STREAM-REPLAY-HEADER' }).waitFor()
    expect(await page.getByLabel('Expected text').innerText()).toBe(
      'header x-service-idempotent-replay: true',
    )
    expect(await page.getByLabel('Actual text').innerText()).toBe('no such header')
    await page.getByText('Contract: States and transitions').waitFor()
    await page.getByText('fault of the simulator:').first().waitFor()

    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByRole('button', { name: 'Hex' }).click()
    expect(await page.getByLabel('Response body in hex').innerText()).toMatch(
      /000000\s+64 61 74 61 3a 20 7b 22/,
    )

    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await page.getByText('✓ pass → ✗ fail').waitFor()
    expect(browser.complaints).toEqual([])
  })

  test('is opened at a check or an exchange by a link, also in another tab, and not without the token', async () => {
    const page = await opened([folders.faulty])
    await page.getByText('Overview', { exact: true }).first().waitFor()
    const origin = new URL(page.url()).origin
    const another = await page.context().newPage()
    await another.goto(`${origin}/#/checks/${encodeURIComponent(check)}`)
    await another.getByRole('heading', { name: 'IDEM-STREAM-REPLAY-HEADER' }).waitFor()

    const launched = await browser.open(servers.at(-1)?.launchUrl() ?? '')
    await launched.getByText('Failed and warned (1)').waitFor()

    const stranger = await browser.open(`${origin}/#/exchanges/3`)
    await stranger.getByText('Runs are shown to this session only').waitFor()
    expect(await stranger.getByRole('navigation').count()).toBe(0)
  })

  test('is searched in its bodies', async () => {
    const page = await opened([folders.faulty])
    await page.getByRole('link', { name: 'Exchanges' }).click()
    await page.getByLabel('Text in path, headers and bodies').fill('"TYPE":"DONE"')
    await page.getByText(/^[1-9]\d* exchanges$/).waitFor()
    await page.getByLabel('Text in path, headers and bodies').fill('said by nobody')
    await page.getByText('No exchange of this run is like that').waitFor()
    expect(await page.getByText('0 exchanges').count()).toBe(1)
  })

  test('is reported as altered after one byte of its journal was changed', async () => {
    const folder = copyOf(folders, 'altered')
    const page = await opened([folder])
    await page.getByLabel('Bundle').getByText('verified').waitFor()
    alterJournal(folder)
    await page.getByRole('link', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Verify again' }).click()

    await page.getByRole('heading', { name: 'altered' }).waitFor()
    expect(await page.getByRole('row', { name: 'not verified: journal' }).innerText()).toMatch(
      /does not continue line \d+/,
    )
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('alert').getByText('do not rely on what is shown here').waitFor()
  })

  test('runs nothing of what a target sent, wherever it is shown', async () => {
    const folder = copyOf(folders, 'hostile')
    makeHostile(folder)
    const page = await opened([folder])
    const places = [
      '#/overview',
      `#/checks/${encodeURIComponent(check)}`,
      '#/exchanges/2',
      '#/proof',
      '#/verify',
      '#/changes',
    ]
    for (const place of places) {
      await page.goto(`${new URL(page.url()).origin}/${place}`)
      await settled(page)
    }
    await page.goto(`${new URL(page.url()).origin}/#/exchanges/2`)
    for (const form of ['Text', 'Raw', 'Hex'])
      await page.getByRole('button', { name: form, exact: true }).click()

    expect(await page.evaluate('globalThis.ran')).toBeUndefined()
    expect(await page.locator('main :is(script, img)').count()).toBe(0)
    await page.getByRole('button', { name: 'Raw', exact: true }).click()
    const shown = await page.getByLabel('Response body as sent').innerText()
    expect(shown).toContain(hostileText.replace('\u202e', String.raw`\u{202e}`))
    expect(browser.complaints).toEqual([])
  })

  test('with ten thousand exchanges has only the visible ones in the page', async () => {
    const folder = copyOf(folders, 'large')
    enlarge(folder, 10_000)
    const page = await opened([folder])
    await page.getByRole('link', { name: 'Exchanges' }).click()
    await page.getByText(/^10000 exchanges$/).waitFor()
    const list = page.getByRole('group', { name: 'Exchanges' })
    // The list comes in parts: its end is the last row only once all have come.
    const last = list.getByText('10000', { exact: true })
    await expect
      .poll(
        async () => {
          await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
          return last.count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    expect(await list.getByRole('listitem').count()).toBeLessThan(80)
  })

  test('is read with the keyboard alone, from the first failure to its bytes', async () => {
    const page = await opened([folders.faulty])
    await page.getByText('Failed and warned (1)').waitFor()
    await tabTo(page, 'IDEM-STREAM-REPLAY-HEADER')
    await page.keyboard.press('Enter')
    await page.getByLabel('Actual text').waitFor()
    await tabTo(page, 'Hex')
    await page.keyboard.press('Enter')
    await page.getByLabel('Response body in hex').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-pressed")')).toBe('true')
  })

  test.for([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 390, height: 800 } }],
  ] as const)('has nothing that an audit of accessibility complains of, %s', async ([, look]) => {
    const page = await opened([folders.faulty], look, folders.earlier)
    const found: string[] = []
    const places = [
      'overview',
      `checks/${encodeURIComponent(check)}`,
      'exchanges/1',
      'exchanges',
      'changes',
      'proof',
      'verify',
    ]
    for (const place of places) {
      await page.goto(`${new URL(page.url()).origin}/#/${place}`)
      await settled(page)
      found.push(...(await audit(page)).map((problem) => `${place}: ${problem}`))
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      if (Number(over) > 0) found.push(`${place} is ${String(over)} pixels too wide`)
    }
    expect(found).toEqual([])
  })
})

/** Everything that the page asked for is there. */
async function settled(page: Page): Promise<void> {
  const state = '/Loading…|[Vv]erifying…|^$/.test(document.querySelector("main")?.innerText ?? "")'
  await expect.poll(() => page.evaluate(state)).toBe(false)
}

/** Presses Tab until the element that has the focus begins with this text. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    const focused = String(await page.evaluate('document.activeElement.innerText'))
    if (focused.includes(text)) return
  }
  throw new Error(`${text} is not reached with Tab`)
}
