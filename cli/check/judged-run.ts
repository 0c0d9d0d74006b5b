/** A run of `receiver` or `client`: stored in its folder while it goes on, then reported. */
import { renderText } from '../../reports/index.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import { eventOf } from '../../suites/runner/outcome/run-event.ts'
import type { Policy } from '../../suites/policy/policy.ts'
import type { Run } from '../../reports/bundle/record.ts'
import type { Secret } from '../../reports/bundle/redaction/redaction.ts'
import { cleaningOf, type Cleaning } from '../bundle/cleaning.ts'
import { toldDefects } from '../bundle/defects.ts'
import { openFolder } from '../bundle/folder.ts'
import { keepRun } from '../bundle/keeping.ts'
import { leaveReports } from '../bundle/leave.ts'
import { mustBeLeft } from '../bundle/ledger.ts'
import { withdrawn } from '../bundle/withdrawn.ts'
import { openSince, type Judged } from '../diff/since.ts'
import type { Io } from '../io.ts'
import { signerFrom } from '../seal/signer.ts'
import { createReporter } from './progress.ts'

export interface JudgedRunOptions {
  out: string
  since?: string
  signKey?: string
  quiet?: true
}

export interface PreparedRun {
  policy: Policy
  secrets: readonly Secret[]
  run: (deps: JudgedRunDeps) => Promise<Run>
}

export interface JudgedRunDeps {
  cleaning: Cleaning
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** Returns the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function judgedRun(
  options: JudgedRunOptions,
  judges: Judged,
  io: Io,
  prepare: () => PreparedRun,
): Promise<number> {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, judges)
  const { policy, secrets, run: runIt } = prepare()
  const cleaning = cleaningOf(secrets)
  const reporter = createReporter(io, options.quiet ?? false)
  const folder = openFolder(options.out, () => mustBeLeft(options.out, { kind: 'staging' }))
  const onStop = (): void => {
    reporter.end()
    io.err('Stopping: the results so far are reported. Ctrl-C again stops at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', onStop, { once: true })
  try {
    const keeping = keepRun(folder, { dialect: {}, policy }, cleaning, io.stopped)
    const onProgress = (progress: Progress): void => {
      const event = eventOf(progress)
      if (event) keeping.on(event)
      reporter.on(progress)
    }
    const kept = keeping.finish(await runIt({ cleaning, signal: keeping.signal, onProgress }))
    reporter.end()
    const { run, beside, defects } = leaveReports(kept, { folder, cleaning, signer, since })
    io.out(renderText(run, { colour: io.colour, width: io.width, folder: folder.path, beside }))
    return toldDefects(defects, folder.path, io, run.record.exitCode)
  } catch (error) {
    throw withdrawn(error, folder.path)
  } finally {
    io.stopped.removeEventListener('abort', onStop)
    reporter.end()
    folder.release()
  }
}
