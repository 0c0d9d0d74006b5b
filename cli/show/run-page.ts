/** `--ui`: a page of a run while it is in progress, and of its bundle afterwards, until a signal ends it. */
import type { Io } from '../io.ts'
import { observeRun, type ObservedRun } from '../check/live-run.ts'
import { namedRuns } from './named-runs.ts'
import { serveRuns, type RunServer } from './server.ts'

export interface RunPageOptions {
  out: string
  since?: string
}

/** Returns the exit code of the run. Throws what the run throws. */
export async function withRunPage(
  { out, since }: RunPageOptions,
  io: Io,
  run: (observed: ObservedRun) => Promise<number>,
): Promise<number> {
  const { stopped } = io
  const observed = observeRun(() => io.now())
  let named = { runs: [], since: null } as ReturnType<typeof namedRuns>
  const server = await serveRuns(
    {
      // What is in the folder until the end of the run is the run before.
      get runs() {
        return named.runs
      },
      get since() {
        return named.since
      },
      expected: null,
      live: () => observed.state(),
    },
    0,
  )
  try {
    await announce(server, io)
    const exitCode = await run(observed)
    named = namedRuns([out], since)
    observed.end()
    if (stopped.aborted) return exitCode
    io.err(`The run is shown at ${server.url} until Ctrl-C.\n`)
    await new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve(), { once: true }))
    return exitCode
  } finally {
    await server.close()
  }
}

async function announce(server: RunServer, io: Io): Promise<void> {
  io.err(`The run is shown at ${server.url}\n`)
  if (!io.live) return
  const { openBrowser } = await import('../console/open-browser.ts')
  await openBrowser(server.launchUrl())
}
