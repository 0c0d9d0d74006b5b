/** `touchstone show`: serves the page of a run until a signal stops it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { recordFile } from '../../reports/bundle/names.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { serveRun } from './server.ts'

export interface ShowCommandOptions {
  port: number
  open?: boolean
  json?: true
}

/** Returns the exit code after the server stopped. Throws a UsageError for a folder without a finished run. */
export async function show(folder: string, options: ShowCommandOptions, io: Io): Promise<number> {
  if (!existsSync(join(folder, recordFile)))
    throw new UsageError(
      `${folder} has no ${recordFile}: give a folder that a check wrote to, such as touchstone-report; \`touchstone report\` reads a run that was cut off.`,
    )
  const server = await serveRun(folder, options.port)
  io.out(
    options.json
      ? `${JSON.stringify({ url: server.url, folder })}\n`
      : `${folder} is shown at\n  ${server.url}\n\nThe address has the token of this session: do not pass it on. Ctrl-C stops it.\n`,
  )
  if (options.open ?? (io.live && !options.json)) {
    const { openBrowser } = await import('../console/open-browser.ts')
    // A machine without a browser is no error, unless one was asked for.
    if (!(await openBrowser(server.launchUrl())) && options.open)
      io.err('--open: no browser was found; open the address above.\n')
  }
  await new Promise<void>((resolve) => {
    if (io.stopped.aborted) resolve()
    else io.stopped.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
  return exitCodes.ok
}
