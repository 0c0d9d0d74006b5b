/** `touchstone check`: runs the suite against a target, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import { renderText } from '../../reports/index.ts'
import { runSuite } from '../../suites/engine/run.ts'
import type { RunOptions } from '../../suites/engine/run.ts'
import type { Io } from '../io.ts'
import { version } from '../version.ts'
import { bundleFiles, withoutSecrets, writeBundle, writePlan } from './bundle.ts'
import type { CheckOptions } from './command.ts'
import { openFolder } from './folder.ts'
import type { Folder } from './folder.ts'
import { createReporter } from './progress.ts'
import type { Reporter } from './progress.ts'
import { openTarget } from './target.ts'

/** Gives the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function check(named: string | undefined, options: CheckOptions, io: Io): Promise<number> {
  const place = await openTarget(named, options, io)
  const reporter = createReporter(io, options.quiet ?? false)
  try {
    const folder = openFolder(options.out, bundleFiles)
    const run = await runSuite(place.target, runOptions(options, { io, reporter, folder }))
    reporter.end()
    const clean = withoutSecrets(run, place.target)
    writeBundle(clean, place.target, folder)
    io.out(renderText(clean, { colour: io.colour, width: io.width, folder: folder.path }))
    return clean.record.exitCode
  } finally {
    reporter.end()
    await place.close()
  }
}

interface Means {
  io: Io
  reporter: Reporter
  folder: Folder
}

function runOptions({ seed, only }: CheckOptions, { io, reporter, folder }: Means): RunOptions {
  return {
    seed: seed ?? randomInt(2 ** 31 - 1),
    ...(only === undefined ? {} : { only }),
    version: version(),
    signal: io.stopped,
    onProgress(progress) {
      // Before the first request, so that nobody can say later that less was planned.
      if (progress.is === 'planned') writePlan(progress.planned.plan, folder)
      reporter.on(progress)
    },
  }
}
