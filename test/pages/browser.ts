/** A real browser for pages: found on the PATH, started once, a page of its own for each look. */
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Undefined where the machine has none. */
export const executable = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find(isExecutable)

export const why = `no browser on the PATH: ${names.join(', ')}`

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Look {
  width?: number
  height?: number
  dark?: boolean
  /** As on paper. */
  print?: boolean
  /** Pixels of a picture for one of the page. */
  scale?: number
  /** Everything that is folded is opened. */
  open?: boolean
}

export interface Viewer {
  /** Writes the markup to a file and opens it; `watch` sees the page before anything is loaded. */
  show: (markup: string, look?: Look, watch?: (page: Page) => void) => Promise<Page>
  close: () => Promise<void>
}

export async function openViewer(): Promise<Viewer> {
  const browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] })
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  let count = 0
  return {
    show: async (markup, look = {}, watch = () => undefined) => {
      const file = join(folder, `${(count += 1)}.html`)
      writeFileSync(file, markup)
      const page = await newPage(browser, look)
      watch(page)
      await page.goto(pathToFileURL(file).href)
      if (look.open) await unfold(page)
      return page
    },
    close: async () => {
      await browser.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function newPage(browser: Browser, look: Look): Promise<Page> {
  const { width = 1280, height = 800, dark = false, print = false, scale = 1 } = look
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  if (print) await page.emulateMedia({ media: 'print' })
  return page
}

async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '')
  })
}
