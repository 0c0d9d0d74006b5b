/** Runs the suite against a target, writes the reports and prints the summary. */
import { annotations, renderText } from '../../reports/index.ts'
import { secretsOf, tooShortIn } from '../../suites/config/secret-values.ts'
import { cleaningOf } from '../bundle/cleaning.ts'
import { counterexamplesOf } from '../bundle/counterexamples.ts'
import { openFolder } from '../bundle/folder.ts'
import { keepRun } from '../bundle/keeping.ts'
import { toldDefects } from '../bundle/defects.ts'
import { leaveReports } from '../bundle/leave.ts'
import { mustBeLeft } from '../bundle/ledger.ts'
import { withdrawn } from '../bundle/withdrawn.ts'
import type { Earlier } from '../diff/earlier.ts'
import { openSince } from '../diff/since.ts'
import type { Io } from '../io.ts'
import { signerFrom } from '../seal/signer.ts'
import type { CheckOptions } from './options.ts'
import { createReporter, type Reporter } from './progress.ts'
import { runners } from './runners.ts'
import { openTarget, type OpenTarget } from './target.ts'

/** Returns the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function runCheck(named: string | undefined, options: CheckOptions, io: Io): Promise<number> {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, 'service')
  const place = await openTarget(named, options, io)
  const reporter = createReporter(io, options.quiet ?? false)
  const onStop = (): void => {
    reporter.end()
    io.err('Stopping: the results so far are reported. Ctrl-C again stops at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', onStop, { once: true })
  try {
    return await checkAt(place, options, { io, reporter, signer, since })
  } finally {
    io.stopped.removeEventListener('abort', onStop)
    reporter.end()
    await place.close()
  }
}

interface Deps {
  io: Io
  reporter: Reporter
  signer: ReturnType<typeof signerFrom>
  since: Earlier | null
}

async function checkAt(
  { target }: OpenTarget,
  options: CheckOptions,
  { io, reporter, signer, since }: Deps,
): Promise<number> {
  const cleaning = cleaningOf(secretsOf(target), options.discloseWebhookSecrets)
  const folder = openFolder(options.out, () => mustBeLeft(options.out, target))
  for (const name of tooShortIn(target))
    io.err(
      `${name} is too short to be redacted safely, so it stays in the reports: use 8 characters or more.\n`,
    )
  try {
    const keeping = keepRun(folder, target, cleaning, io.stopped)
    const kept = keeping.finish(await runners[options.runner](target, options, { io, reporter, keeping }))
    reporter.end()
    const counterexamples = (run: typeof kept) => counterexamplesOf(run, target)
    const { run, beside, defects } = leaveReports(kept, { folder, cleaning, signer, since, counterexamples })
    if (io.env['GITHUB_ACTIONS'] === 'true') io.out(annotations(run))
    io.out(renderText(run, { colour: io.colour, width: io.width, folder: folder.path, beside }))
    return toldDefects(defects, folder.path, io, run.record.exitCode)
  } catch (error) {
    throw withdrawn(error, folder.path)
  } finally {
    folder.release()
  }
}
