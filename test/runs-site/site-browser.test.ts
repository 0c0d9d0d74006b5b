/** The pages of a site of runs in a real browser: they load nothing, run nothing but the search, and can be read by everybody. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../pages/audit.ts'
import { executable, openViewer, why, type Look, type Viewer } from '../pages/browser.ts'
import { runsFolder, type BuiltSite, type RunsFolder } from './folder.ts'
import { forgeries } from './forgeries.ts'
import { hostile, year } from './honest-runs.ts'

describe.skipIf(executable === undefined)(`a site of runs in a browser (or ${why})`, () => {
  let made: RunsFolder
  let viewer: Viewer
  let site: BuiltSite
  beforeAll(async () => {
    made = await runsFolder()
    const place = made.place(made.withRuns(...year, hostile))
    forgeries['a run was copied']?.act(place)
    ;[site, viewer] = [await made.site(place.runs), await openViewer()]
  })
  afterAll(async () => {
    await viewer.close()
    made.remove()
  })

  /** One page of each kind; of targets and runs each, because some have hostile names. */
  const pages = (): readonly string[] =>
    site.files.filter(
      (file) => file.endsWith('.html') && (!file.startsWith('clauses/') || file.includes('REPLAY-HEADER')),
    )

  async function onEach(look: Look, use: (page: Page, file: string) => Promise<void>): Promise<void> {
    expect(pages().length).toBeGreaterThan(12)
    for (const file of pages()) {
      const page = await viewer.show(site.page(file), { open: true, ...look })
      await use(page, file)
      await page.context().close()
    }
  }

  test('asks for nothing, and runs nothing that a run brought', async () => {
    for (const file of pages()) {
      const loaded: string[] = []
      const page = await viewer.show(site.page(file), {}, (before) => {
        before.on('request', (request) => loaded.push(request.url()))
        before.on('console', (message) => loaded.push(message.text()))
        before.on('pageerror', (error) => loaded.push(String(error)))
      })
      expect(loaded, file).toEqual([page.url()])
      expect(await page.evaluate('globalThis.ran'), file).toBeUndefined()
      expect(await page.locator('img, iframe, object, embed').count(), file).toBe(0)
      await page.context().close()
    }
  })

  test.for([
    ['light on a desktop', { width: 1280 }],
    ['dark on a phone', { width: 400, dark: true }],
  ] as const)(
    'an audit of accessibility finds nothing, and nothing scrolls sideways, %s',
    async ([, look]) => {
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      await onEach(look, async (page, file) => {
        expect(await audit(page), file).toEqual([])
        expect(await page.evaluate(wide), file).toBeLessThanOrEqual(0)
      })
    },
  )

  test('the search narrows the list, and without scripts the list is whole', async () => {
    const page = await viewer.show(site.page('search.html'))
    const shown = page.locator('#found li:visible')
    const all = await shown.count()
    await page.getByLabel('Words').fill('replay-header')
    expect(all).toBeGreaterThan(20)
    expect(await shown.allTextContents()).toEqual([expect.stringContaining('IDEM-REPLAY-HEADER')])
    expect(await page.getByRole('status').textContent()).toBe(`1 of ${all}`)
    await page.context().close()

    const bare = await viewer.show(site.page('search.html').replace(/<script>.*<\/script>/s, ''))
    expect(await bare.locator('#found li:visible').count()).toBe(all)
    expect(await bare.locator('input').count()).toBe(0)
    await bare.context().close()
  })

  test('any two versions can be read side by side', async () => {
    const file = pages().find((one) => one.startsWith('compare/acme')) ?? ''
    const page = await viewer.show(site.page(file))
    const heads = page.locator('thead th:visible')
    expect(await heads.count()).toBe(1 + year.length)
    for (const version of ['1.0', '1.3']) await page.getByLabel(version, { exact: true }).check()
    expect(await heads.allTextContents()).toEqual([
      'clause',
      expect.stringMatching(/^1\.0/),
      expect.stringMatching(/^1\.3/),
    ])
    expect(await page.locator('tbody tr').first().locator(':is(th, td):visible').allTextContents()).toEqual([
      expect.stringContaining('IDEM-REPLAY-HEADER'),
      '✓ pass',
      '✗ fail, waived',
    ])
    await page.context().close()
  })

  test('on paper there are no ways around, and nothing is cut off', async () => {
    await onEach({ width: 718, print: true }, async (page, file) => {
      expect(await page.locator('nav:visible').count(), file).toBe(0)
      const wide = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(wide, file).toBeLessThanOrEqual(0)
    })
  })
})
