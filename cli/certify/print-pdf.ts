/** Prints statement.html as statement.pdf with a Chromium of this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge']
/** Milliseconds. */
const timeout = 60_000

/** `why`: why there is no PDF; null if there is one. Throws a UsageError if a browser that was named cannot print. */
export async function printPdf(
  folder: string,
  named: string | undefined,
  env: Io['env'],
): Promise<{ why: string | null }> {
  const browser = named ?? browserIn(env.PATH ?? '')
  if (browser === null)
    return {
      why: 'there is no Chromium on the PATH; name one with --browser, or print statement.html yourself',
    }
  const why = await print(browser, folder)
  if (why !== null && named !== undefined) throw new UsageError(`--browser ${named}: ${why}`)
  return { why: why === null ? null : `${browser}: ${why}` }
}

function browserIn(path: string): string | null {
  const files = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return files.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function print(browser: string, folder: string): Promise<string | null> {
  const profile = mkdtempSync(join(tmpdir(), 'touchstone-print-'))
  const pdf = join(folder, 'statement.pdf')
  // The page is ours and has neither scripts nor links to load; a container often runs as root, without a sandbox.
  const child = spawn(
    browser,
    [
      '--headless',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      '--no-pdf-header-footer',
      `--print-to-pdf=${pdf}`,
      pathToFileURL(join(folder, 'statement.html')).href,
    ],
    { stdio: 'ignore', timeout },
  )
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0 && existsSync(pdf) ? null : `it did not print (exit code ${code ?? 'none'})`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}
