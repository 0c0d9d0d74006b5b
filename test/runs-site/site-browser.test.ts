/** The pages of a site of runs in a real browser: they load nothing, run nothing but the search, and can be read by everybody. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../pages/audit.ts'
import { executable, openViewer, why, type Viewer } from '../pages/browser.ts'
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

  /** One page of each kind, and the hostile one where there are several. */
  function pages(): readonly string[] {
    const of = (start: string): string => site.files.find((file) => file.startsWith(start)) ?? start
    const runs = site.files.filter(
      (file) => file.startsWith('runs/') && site.page(file).includes('&lt;script'),
    )
    const top = site.files.filter((file) => /^[^/]+\.html$/.test(file))
    return [...top, of('clauses/IDEM-REPLAY-HEADER'), of('targets/x'), of('compare/acme'), ...runs]
  }

  const overflow = (page: Page): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  test('each page runs nothing and asks for nothing, can be read by everybody, and fits a screen and a sheet', async () => {
    expect(pages()).toHaveLength(9)
    for (const file of pages()) {
      const loaded: string[] = []
      const page = await viewer.show(site.page(file), {}, (before) => {
        before.on('request', (request) => loaded.push(request.url()))
        before.on('console', (message) => loaded.push(message.text()))
        before.on('pageerror', (error) => loaded.push(String(error)))
      })
      expect(loaded, file).toEqual([page.url()])
      expect(await page.evaluate('globalThis.ran'), file).toBeUndefined()
      expect(await audit(page), file).toEqual([])
      expect(await overflow(page), file).toBeLessThanOrEqual(0)

      await page.setViewportSize({ width: 718, height: 800 })
      await page.emulateMedia({ media: 'print' })
      expect(await overflow(page), file).toBeLessThanOrEqual(0)
      expect(await page.locator('nav:visible').count(), file).toBe(0)
      await page.context().close()
    }
  })

  test('each page can be read on a phone in the dark', async () => {
    for (const file of pages()) {
      const page = await viewer.show(site.page(file), { width: 400, dark: true })
      expect(await audit(page), file).toEqual([])
      expect(await overflow(page), file).toBeLessThanOrEqual(0)
      await page.context().close()
    }
  })

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
})
