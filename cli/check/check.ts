/** Runs the suite against a target, writes the reports and prints the summary. */
import { reportFiles } from '../../reports/index.ts'
import { secretsOf, tooShortIn } from '../../suites/config/secret-values.ts'
import { redactorOf } from '../../reports/bundle/redaction/run-redactor.ts'
import { serverCounterexamples } from './counterexamples.ts'
import { reported } from './failed-run.ts'
import { openFolder } from '../../reports/bundle/folder/folder.ts'
import { writeRun } from '../../reports/bundle/write-run.ts'
import { writeReports } from '../../reports/write-reports.ts'
import { mustBeLeft } from '../../reports/bundle/folder/ledger.ts'
import type { Earlier } from '../diff/earlier.ts'
import { changesSince } from '../diff/comparison.ts'
import { openSince } from '../diff/since.ts'
import type { Io } from '../io.ts'
import { collectGarbage, keepHeapSmall } from '../rejudge/small-heap.ts'
import { ordinaryKeys } from '../plan/ceiling.ts'
import { signerFrom } from '../seal/signer.ts'
import type { CheckOptions } from './options.ts'
import { printRun } from './printed-run.ts'
import type { RunObserver } from './live-run.ts'
import { createReporter, redacting, withObserver, type Reporter } from './progress.ts'
import { runners } from './runners.ts'
import { waysToSpeedUp, fromFirstScenario, restOf } from './announced.ts'
import { openTarget, type OpenTarget } from './target.ts'

/** Returns the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function runCheck(named: string | undefined, options: CheckOptions, io: Io): Promise<number> {
  if (!options.ui) return checkOnce(named, options, io)
  const { withRunPage } = await import('../show/run-page.ts')
  return withRunPage({ named, options }, io, (own, observed, ownIo) => checkOnce(named, own, ownIo, observed))
}

/** `observed`: sees the same progress as the terminal. */
async function checkOnce(
  named: string | undefined,
  options: CheckOptions,
  io: Io,
  observed?: RunObserver,
): Promise<number> {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, 'service')
  const place = await openTarget(named, options, io)
  const printed = createReporter(io, options.quiet ?? false, ordinaryKeys(place.target))
  const reporter = observed ? withObserver(printed, observed) : printed
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

const accountEach =
  '`exclusiveCredits` is declared: give each shard the key of an account of its own, or declare it as false.'

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
  if (options.shard && target.exclusiveCredits && target.kind !== 'simulator' && !options.quiet)
    io.err(`${accountEach}\n`)
  if (target.kind !== 'simulator') keepHeapSmall()
  const redactor = redactorOf(secretsOf(target), options.discloseWebhookSecrets)
  const folder = openFolder(options.out, reportFiles, () => mustBeLeft(options.out, target.kind))
  try {
    const writer = writeRun(folder, target, redactor, io.stopped)
    const kept = writer.finish(
      await runners[options.runner](target, options, {
        io,
        reporter: fromFirstScenario(redacting(reporter, redactor), (planned) => {
          const advice = waysToSpeedUp(planned, ordinaryKeys(target))
          if (advice !== '' && !options.quiet) io.err(`${advice}\n`)
        }),
        writer,
      }),
    )
    reporter.end()
    for (const name of tooShortIn(target))
      io.err(
        `${name} is too short to be redacted safely, so it stays in the reports: use 8 characters or more.\n`,
      )
    const counterexamples = (run: typeof kept) => serverCounterexamples(run, target)
    const changes = changesSince(since)
    collectGarbage()
    const written = writeReports(kept, { folder, redactor, signer, changes, counterexamples })
    folder.publish()
    const exitCode = printRun(written, folder.out, options, io)
    const rest = restOf(written.run.record, target)
    // Data goes to stdout; with JSON, everything else is a message.
    const message = options.json ? io.err : io.out
    if (rest !== null) message(`${rest}\n`)
    return exitCode
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    folder.release()
  }
}
