/** `--ui`: a page of a run while it is in progress, and of its bundle afterwards, until a signal ends it. */
import { existsSync } from 'node:fs'
import type { QueuedRun } from '../../spec/types/show.ts'
import { runningOf } from '../../reports/bundle/folder/report-folder.ts'
import type { RunObserver } from '../check/live-run.ts'
import type { CheckOptions } from '../check/options.ts'
import { failedCommand } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { createFeed } from './live/feed.ts'
import { failedIn } from './live/known-checks.ts'
import { policyFile } from './live/policy-file.ts'
import { createRunQueue } from './live/reruns.ts'
import { targetFileEditor } from './live/target-file.ts'
import { namedRuns } from './named-runs.ts'
import { recordIn } from './opened-runs.ts'
import { serveRuns, type RunServer } from './server.ts'
import { UsageError } from '../usage-error.ts'

/** One run with these options; the observer sees the same progress as the terminal. */
type RunOnce = (options: CheckOptions, observed: RunObserver, io: Io) => Promise<number>

/** Returns the exit code of the first run. Throws what that throws. */
export async function withRunPage(
  { named: target, options }: { named: string | undefined; options: CheckOptions },
  io: Io,
  run: RunOnce,
): Promise<number> {
  const { stopped } = io
  const { out, since } = options
  const feed = createFeed(() => io.now())
  const queue = createRunQueue(feed)
  // What is in the folder until the end of the run is the run before.
  const folders: string[] = []
  let named = { runs: [], since: null } as ReturnType<typeof namedRuns>
  const ended = (folder: string, exitCode: number): void => {
    folders.push(folder)
    named = namedRuns(folders, since)
    feed.end({ run: named.runs[folders.length - 1]?.id ?? null, exitCode, problem: null })
  }

  const again = async ({ number, checks }: QueuedRun): Promise<void> => {
    const only = checks ?? failedIn(named.runs.slice(0, folders.length))
    const folder = freeFolder(out)
    const observed = feed.begin({ number, folder, checks: [...only] })
    io.err(`Running ${only.length} of the checks again, for ${folder}.\n`)
    try {
      if (only.length === 0) throw new UsageError('no check has failed, so none is run again.')
      ended(folder, await run(rerunOf(options, { only, folder, first: out }), observed, printedBeside(io)))
    } catch (error) {
      const { exitCode, text } = failedCommand(error)
      io.err(`${text}\n`)
      feed.end({ run: null, exitCode, problem: text })
    }
  }

  const shown = {
    get runs() {
      return named.runs
    },
    get since() {
      return named.since
    },
    expected: null,
    session: { feed, queue, ...filesOf(target, options, io) },
  }
  const server = await serveRuns(shown, 0)
  try {
    await announce(server, io)
    const exitCode = await run(options, feed.begin({ number: 1, folder: out, checks: null }), io)
    ended(out, exitCode)
    if (stopped.aborted) return exitCode
    io.err(`The run is shown at ${server.url} until Ctrl-C.\n`)
    await queue.work(again, stopped)
    return exitCode
  } finally {
    await server.close()
  }
}

/** The files that may be written: those that were named, as they are named at the start. */
function filesOf(named: string | undefined, options: CheckOptions, { env }: Io) {
  const file = named === 'simulator' || named === undefined || !existsSync(named) ? undefined : named
  const hasPolicy = options.policy === undefined || existsSync(options.policy)
  return {
    target: file === undefined ? null : targetFileEditor(file, options, env),
    policy: hasPolicy ? policyFile({ policy: options.policy, target: file, env }) : null,
  }
}

/** Beside the folder of the first run; what an earlier session left there stays. */
function freeFolder(out: string): string {
  const base = out.replace(/(?<=.)[/\\]+$/, '')
  for (let number = 1; ; number++) {
    const folder = `${base}.rerun-${number}`
    if (!existsSync(folder) && !existsSync(runningOf(folder))) return folder
  }
}

interface RerunOptions {
  only: readonly string[]
  folder: string
  /** Folder of the first run. */
  first: string
}

/** With the seed of the first run, so that random choices are the same. */
function rerunOf(options: CheckOptions, { only, folder, first }: RerunOptions): CheckOptions {
  const { since: _, shard: __, ...rest } = options
  const { seed } = recordIn({ id: first, path: first }).record.run
  return { ...rest, only, out: folder, seed, quiet: true }
}

/** Data on stdout is that of the first run. */
const printedBeside = (io: Io): Io => ({ ...io, out: io.err })

async function announce(server: RunServer, io: Io): Promise<void> {
  io.err(`The run is shown at ${server.url}\n`)
  if (!io.live) return
  const { openBrowser } = await import('../console/open-browser.ts')
  await openBrowser(server.launchUrl())
}
