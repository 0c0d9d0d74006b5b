/** The page in a real browser: it loads nothing, runs nothing, can be read by everybody, and fits any sheet. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyVerdict, exchange, finding, runOf } from '../../reports/testing/run.testkit.ts'
import { runOfMany } from '../../reports/testing/many-checks.testkit.ts'
import { statementPage } from '../../reports/conformance-statement/statement.ts'
import { htmlPage } from '../../reports/run/page.ts'
import { audit } from './audit.ts'
import { executable, openViewer, why, type Look, type Viewer } from './browser.ts'
import { sampleChanges, samplePage } from './sample.ts'

const hostileText = `</pre></style><script>globalThis.ran = true</script><img src="http://127.0.0.1:9/" onerror="globalThis.ran = true">${'x'.repeat(500)}`

/** Everything that a target can fill tries to get out of its place. */
function hostilePage(): string {
  const said = { expected: hostileText, got: hostileText, detail: hostileText, evidence: [1] }
  const rows = everyVerdict().map((row) => ({ ...row, ...said }))
  const journal = [exchange(1, { name: hostileText, sent: hostileText, came: hostileText })]
  const target = { name: hostileText, kind: 'staging', baseUrl: hostileText } as const
  return String(htmlPage.render(runOf([...rows, finding(said)], { target }, journal)))
}

/** More than a summary has room for. */
function largePage(): string {
  const waived = { as: 'flaky', owner: 'Chat team', reason: 'being fixed. '.repeat(20) } as const
  const { record, journal } = runOfMany(800, 'fail', (check) => `status 200 in check ${check}`)
  const findings = record.findings.map((one, at) =>
    at < 60 ? { ...one, waived: { ...waived, expires: '2026-12-01' } } : one,
  )
  const because = [`740 failures: ${findings.map(({ check }) => check).join(', ')}`]
  return String(
    htmlPage.render({
      record: { ...record, findings, gate: { passed: false, because, stalePolicy: [] } },
      journal,
    }),
  )
}

/** With every column that a table of areas can have. */
function statement(): string {
  const rows = [...everyVerdict(), finding({ verdict: 'not-applicable', subject: 'IDEM-KEY-MIN' })]
  const verified = { manifest: 'ab'.repeat(32), keyid: 'cd'.repeat(32), version: '1' }
  return statementPage(runOf(rows), { ...verified, judgedAgain: null, signed: false })
}

const widths = [360, 390, 640, 768, 1000, 1025, 1100, 1280, 1440]
/** A sheet of A4 within its margins, in pixels. */
const sheet = 718

describe.skipIf(executable === undefined)(`the page in a browser (or ${why})`, () => {
  let viewer: Viewer
  beforeAll(async () => {
    viewer = await openViewer()
  })
  afterAll(() => viewer.close())

  async function withPage<T>(markup: string, look: Look, use: (page: Page) => Promise<T>): Promise<T> {
    const page = await viewer.show(markup, look)
    const result = await use(page)
    await page.context().close()
    return result
  }

  test.for([
    ['everything that it can show', samplePage],
    ['hostile bytes', hostilePage],
  ] as const)(
    'with %s asks for nothing beside itself, runs nothing and complains of nothing',
    async ([, make]) => {
      const loaded: string[] = []
      const page = await viewer.show(make(), { open: true }, (before) => {
        before.on('request', (request) => loaded.push(request.url()))
        before.on('console', (message) => loaded.push(message.text()))
        before.on('pageerror', (error) => loaded.push(String(error)))
      })

      expect(loaded).toEqual([page.url()])
      expect(await page.evaluate('globalThis.ran')).toBeUndefined()
      expect(await page.locator('script, img, iframe, link, object, embed').count()).toBe(0)
      await page.context().close()
    },
  )

  test('its policy stops a script and an image that got in all the same, and without it both would run', async () => {
    const intruder = `new Promise((done) => {
      const stopped = []
      document.addEventListener('securitypolicyviolation', (event) => stopped.push(event.effectiveDirective))
      const script = document.createElement('script')
      script.textContent = 'globalThis.ran = true'
      const image = document.createElement('img')
      image.onerror = () => done({ ran: globalThis.ran === true, stopped })
      image.src = 'data:image/png;base64,'
      document.body.append(script, image)
    })`
    const naked = samplePage().replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, '')
    const load = (markup: string) => withPage(markup, {}, (page) => page.evaluate(intruder))

    expect(await load(samplePage())).toEqual({ ran: false, stopped: ['script-src-elem', 'img-src'] })
    expect(await load(naked)).toEqual({ ran: true, stopped: [] })
  })

  test.for([
    ['light on a desktop', samplePage, {}],
    ['dark on a phone', samplePage, { dark: true, width: 360 }],
    ['of what changed, dark on a desktop', sampleChanges, { dark: true }],
  ] as const)('an audit of accessibility finds nothing, %s', async ([, make, look]) => {
    const found = await withPage(make(), { ...look, open: true }, audit)
    expect(found).toEqual([])
  })

  test('the audit finds what is wrong', async () => {
    const pale = samplePage().replace('<html lang="en">', '<html>')
    expect(await withPage(pale, {}, audit)).toEqual([expect.stringContaining('html-has-lang')])
  })

  test.for([
    ['everything', samplePage],
    ['what changed', sampleChanges],
    ['a statement', statement],
    ['hostile bytes', hostilePage],
  ] as const)('with %s it never scrolls sideways, at any width', async ([, make]) => {
    const page = await viewer.show(make(), { open: true })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      expect(await over(page), `${width} pixels`).toBeLessThanOrEqual(0)
      expect(await cutOff(page), `areas at ${width} pixels`).toBeLessThanOrEqual(0)
    }
    await page.context().close()
  })

  test('on paper shows what is folded, cuts nothing off, and has every card', async () => {
    const page = await viewer.show(samplePage(), { width: sheet })
    const cards = page.locator('article.card')
    expect(await folded(page)).toBeGreaterThan(10)
    await page.emulateMedia({ media: 'print' })

    expect(await folded(page)).toBe(0)
    expect(await over(page)).toBeLessThanOrEqual(0)
    expect(await cards.count()).toBeGreaterThan(4)
    for (const card of await cards.all()) expect((await card.boundingBox())?.height).toBeGreaterThan(100)
    expect(sheetsOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(5)
    await page.context().close()
  })

  test.for([
    ['everything that it can show', samplePage],
    ['800 failures and 60 waivers', largePage],
  ] as const)(
    'with %s prints a summary of two pages, then failures and an appendix on pages of their own',
    async ([, make]) => {
      const page = await viewer.show(make())
      const later = page.locator('.summary > :is(.part, .appendix)')
      await page.emulateMedia({ media: 'print' })
      const styles = `[...document.querySelectorAll('.summary > :is(.part, .appendix)')].map((one) =>
        [getComputedStyle(one).breakBefore, getComputedStyle(one).order].join(' '))`
      expect(await page.evaluate(styles)).toEqual(['page 1', 'page 2'])
      await later.evaluateAll((all) => all.forEach((one) => one.remove()))

      for (const format of ['A4', 'Letter'])
        expect(sheetsOf(await page.pdf({ format })), format).toBeLessThanOrEqual(2)
      await page.context().close()
    },
  )

  test.for([1280, 400])('its tables are tables to a screen reader, %i pixels wide', async (width) => {
    const page = await viewer.show(samplePage(), { width, open: true })
    const client = await page.context().newCDPSession(page)
    const { nodes } = await client.send('Accessibility.getFullAXTree')
    const count = (role: string): number => nodes.filter((node) => node.role?.value === role).length
    const elements = (names: string) => page.locator(names).count()

    expect(count('table')).toBe(await elements('table'))
    expect(count('row')).toBe(await elements('tr'))
    expect(count('rowheader')).toBe(await elements('th[scope=row]'))
    expect(count('columnheader')).toBe(await elements('th[scope=col]'))
    await page.context().close()
  })

  test('a click selects a command whole', async () => {
    const page = await viewer.show(samplePage(), { open: true })
    const commands = page.locator('.command, dd > code:only-child')
    const texts = await commands.allInnerTexts()
    expect(texts.some((one) => one.startsWith('curl '))).toBe(true)
    for (const [at, text] of texts.entries()) {
      await commands.nth(at).click({ position: { x: 4, y: 4 } })
      expect(await page.evaluate('getSelection().toString()')).toBe(text)
    }
    await page.context().close()
  })

  test('is walked through with the keyboard, from the way past what repeats on', async () => {
    const reached = await withPage(samplePage(), {}, async (page) => {
      await page.keyboard.press('Tab')
      const skip = await page.evaluate('document.activeElement.getBoundingClientRect().left >= 0')
      await page.keyboard.press('Enter')
      return [skip, await page.evaluate('location.hash')]
    })
    expect(reached).toEqual([true, '#main'])
  })
})

/** Pixels by which the page is wider than its window. */
async function over(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
}

/** By how many pixels the widest table of areas is wider than its frame. */
function cutOff(page: Page): Promise<number> {
  const frames = page.locator('.scroll:has(.named)')
  return frames.evaluateAll((all) => Math.max(0, ...all.map((one) => one.scrollWidth - one.clientWidth)))
}

/** How many pieces are not drawn because they are folded away; exchanges of what did not fail stay so. */
function folded(page: Page): Promise<number> {
  const pieces = page.locator('main details:not(.proof details) > :not(summary)')
  return pieces.evaluateAll((all) => all.filter((one) => !one.checkVisibility()).length)
}

function sheetsOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}
