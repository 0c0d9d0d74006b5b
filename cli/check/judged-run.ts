/** A run of `receiver` or `client`: stored in its folder while it goes on, then reported. */
import { renderText, reportFiles } from '../../reports/index.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import { eventOf } from '../../suites/runner/outcome/run-event.ts'
import type { Policy } from '../../suites/policy/policy.ts'
import type { Run } from '../../reports/bundle/record.ts'
import type { Secret } from '../../reports/bundle/redaction/redaction.ts'
import { redactorOf, type RunRedactor } from '../../reports/bundle/redaction/run-redactor.ts'
import { hasPage } from '../out-file.ts'
import { reportDefects } from '../report-defects.ts'
import { reported } from './failed-run.ts'
import { openFolder } from '../../reports/bundle/folder/folder.ts'
import { writeRun } from '../../reports/bundle/write-run.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { mustBeLeft } from '../../reports/bundle/folder/ledger.ts'
import { changesSince, openSince, type Judged } from '../diff/earlier.ts'
import type { Io } from '../io.ts'
import { signerFrom } from '../seal/signer.ts'
import { createReporter, redacting } from './progress.ts'

export interface JudgedRunOptions {
  out: string
  since?: string
  signKey?: string
  quiet?: true
  verbose?: true
}

export interface PreparedRun {
  policy: Policy
  secrets: readonly Secret[]
  run: (deps: JudgedRunDeps) => Promise<Run>
}

export interface JudgedRunDeps {
  redactor: RunRedactor
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
  const redactor = redactorOf(secrets)
  const reporter = redacting(createReporter(io, options.quiet ?? false), redactor)
  const folder = openFolder(options.out, reportFiles, () => mustBeLeft(options.out, 'staging'))
  const onStop = (): void => {
    reporter.end()
    io.err('Stopping: the results so far are reported. Ctrl-C again stops at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', onStop, { once: true })
  try {
    const writer = writeRun(folder, { dialect: {}, policy }, redactor, io.stopped)
    const onProgress = (progress: Progress): void => {
      const event = eventOf(progress)
      if (event) writer.on(event)
      reporter.on(progress)
    }
    const kept = writer.finish(await runIt({ redactor, signal: writer.signal, onProgress }))
    reporter.end()
    const changes = changesSince(since)
    const { run, beside, defects } = writeReports(kept, { folder, redactor, signer, changes })
    folder.publish()
    io.out(
      renderText(run, {
        colour: io.colour,
        width: io.width,
        folder: folder.out,
        beside,
        hasPage: hasPage(folder.out),
        verbose: options.verbose ?? false,
      }),
    )
    return reportDefects(defects, folder.out, io, run.record.exitCode)
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    io.stopped.removeEventListener('abort', onStop)
    reporter.end()
    folder.release()
  }
}
