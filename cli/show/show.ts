/** `touchstone show`: serves a page over recorded runs until a signal stops it. */
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { namedRuns } from './named-runs.ts'
import { serveRuns } from './server.ts'

export interface ShowCommandOptions {
  since?: string
  key?: string
  port: number
  open?: boolean
  json?: true
}

/** Returns the exit code after the server stopped. Throws a UsageError for a folder without a run. */
export async function show(folders: readonly string[], options: ShowCommandOptions, io: Io): Promise<number> {
  const { stopped } = io
  const expected = options.key === undefined ? null : { file: options.key, key: publicKeyAt(options.key) }
  const runs = namedRuns(folders, options.since)
  const server = await serveRuns({ ...runs, expected }, options.port)
  const names = runs.runs.map(({ path }) => path)
  if (options.json) io.out(`${JSON.stringify({ url: server.url, runs: names })}\n`)
  else
    io.out(
      `${greeting(names)}\n  ${server.url}\n\nThe address has the token of this session: do not pass it on. Ctrl-C stops it.\n`,
    )
  if (options.open ?? (io.live && !options.json)) await openPage(server.launchUrl(), options, io)
  await new Promise<void>((resolve) => {
    if (stopped.aborted) resolve()
    else stopped.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
  return exitCodes.ok
}

function greeting(names: readonly string[]): string {
  const [first = '', ...more] = names
  return more.length === 0 ? `${first} is shown at` : `${names.length} runs are shown, ${first} first, at`
}

/** A machine without a browser is no error, unless one was asked for. */
async function openPage(url: string, { open }: ShowCommandOptions, { err }: Io): Promise<void> {
  const { openBrowser } = await import('../console/open-browser.ts')
  if (!(await openBrowser(url)) && open) err(`--open: no browser was found; open the address above.\n`)
}
