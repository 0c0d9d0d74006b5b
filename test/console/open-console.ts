/** The console in a real browser, over a simulator of its own. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { consolePath, consoleRoutes } from '../../cli/console/routes.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { executable } from '../pages/browser.ts'

export interface ConsoleBrowser {
  /** Opens a page of its own; errors of scripts, and what the policy forbids, are added to `complaints`. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>
  readonly complaints: string[]
  close(): Promise<void>
}

export const simulatorWithConsole = (options: SimulatorOptions = {}): Promise<Simulator> =>
  createSimulator({ ...options, routes: consoleRoutes, home: consolePath })

export async function openBrowser(): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] })
  const complaints: string[] = []
  return {
    complaints,
    open: async (address, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(String(error)))
      // Responses that are refused, and connections that break, are what some tests are about.
      page.on('console', (line) => {
        if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
          complaints.push(line.text())
      })
      await page.goto(address)
      return page
    },
    close: () => browser.close(),
  }
}
