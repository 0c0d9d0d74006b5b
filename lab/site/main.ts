/**
 * `npm run lab -- site` builds the site, serves it on loopback, and looks at a page of each kind as its reader would:
 * at 400 and 1280 pixels without anything cut off, audited by axe, with nothing loaded from elsewhere, with a search
 * that finds what it has to.
 *
 *   --built          looks at the site that was built last
 *   --page PATH      looks only at this page, such as check.html; may be repeated
 *   --pictures DIR   writes a picture of each page at each width
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'
import { repository } from '../../site/documents.ts'
import { deadLinks } from '../../site/links.ts'
import { htmlFolder, siteBase } from '../../site/places.ts'
import { apiDocuments } from '../../site/reference/api.ts'
import { audit } from '../../test/pages/audit.ts'
import { executable, why } from '../../test/pages/browser.ts'
import { serveFolder } from './serve.ts'

const widths = [400, 1280]

/** A page of each kind. */
const kinds = [
  '',
  'check.html',
  'target-file.html',
  'console.html',
  'guide-embedding.html',
  'architecture.html',
  'glossary.html',
  'decisions/0024-what-conformant-means.html',
  'source/examples/clients.html',
  'reference/touchstone.html',
  'reference/target-file.html',
  'reference/api.html',
  'reference/clauses.html',
  'reference/clauses/idempotency.html',
  'reference/faults.html',
  'reference/errors.html',
  'reference/gaps.html',
  ...Object.values(apiDocuments).map(({ whole }) => whole),
]

/** Rules that redocly's own markup breaks in its pages. */
const redoclyBreaks = /^(heading-order|label-content-name-mismatch|region):/

/** What somebody types, and the page that has to be among the results. */
const searches: Readonly<Record<string, string>> = {
  'replay-unmarked': 'reference/faults.html',
  OUTCOME_UNCERTAIN: 'reference/errors.html',
  'policy baseline': 'policy.html',
  '--situation': 'situations.html',
}

const { values } = parseArgs({
  options: {
    built: { type: 'boolean', default: false },
    page: { type: 'string', multiple: true },
    pictures: { type: 'string' },
  },
})

/** Each problem of the page at this width, in one line. */
async function look(browser: Browser, url: string, path: string, width: number): Promise<readonly string[]> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(`error: ${message}`))
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url))
      problems.push(`loads ${request.url()}`)
  })
  await page.goto(`${url}${siteBase}${path}`, { waitUntil: 'networkidle' })
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  if (Number(wide) > 0) problems.push(`is ${String(wide)} pixels too wide`)
  const isOurs = !Object.values(apiDocuments).some(({ whole }) => whole === path)
  problems.push(...(await audit(page)).filter((problem) => isOurs || !redoclyBreaks.test(problem)))
  if (values.pictures !== undefined) await picture(page, values.pictures, path, width)
  await page.close()
  return problems.map((problem) => `${path || 'index.html'} at ${width}: ${problem}`)
}

async function picture(page: Page, folder: string, path: string, width: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${path.replaceAll('/', '-') || 'index.html'}-${width}.png`) })
}

/** The searches that did not find their page. */
async function search(browser: Browser, url: string): Promise<readonly string[]> {
  const page = await browser.newPage()
  await page.goto(`${url}${siteBase}`, { waitUntil: 'networkidle' })
  const missing: string[] = []
  for (const [words, expected] of Object.entries(searches)) {
    await page.locator('.DocSearch-Button').first().click()
    await page.locator('.search-input').fill(words)
    const found = page.locator(`.results a[href*="${expected}"]`).first()
    const isFound = await found.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    )
    if (!isFound) missing.push(`the search for "${words}" does not find ${expected}`)
    await page.keyboard.press('Escape')
  }
  await page.close()
  return missing
}

if (executable === undefined) throw new Error(why)
if (!values.built) {
  const { status } = spawnSync('npm', ['run', '-s', 'site'], { cwd: repository, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm run site ended with ${status}`)
}
const server = await serveFolder(htmlFolder, siteBase)
const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] })
const problems = [...deadLinks(htmlFolder, siteBase)]
const pages = values.page ?? kinds
for (const path of pages)
  for (const width of widths) problems.push(...(await look(browser, server.url, path, width)))
problems.push(...(await search(browser, server.url)))
await browser.close()
await server.close()

for (const problem of problems) console.log(problem)
console.log(
  `${pages.length} pages at ${widths.length} widths, ${Object.keys(searches).length} searches: ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0
