/** `touchstone receiver`: posts deliveries to a receiver, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import { renderText } from '../../reports/index.ts'
import { eventOf } from '../../suites/engine/run-event.ts'
import { runReceiver } from '../../suites/receivers/run.ts'
import { secretsOf, type Subject } from '../../suites/receivers/subject.ts'
import type { Run } from '../../suites/record.ts'
import { cleaningOf } from '../bundle/cleaning.ts'
import { openFolder } from '../bundle/folder.ts'
import { keepRun, type Keeping } from '../bundle/keeping.ts'
import { toldDefects } from '../bundle/defects.ts'
import { leaveReports } from '../bundle/leave.ts'
import { mustBeLeft } from '../bundle/ledger.ts'
import { withdrawn } from '../bundle/withdrawn.ts'
import { createReporter, type Reporter } from '../check/progress.ts'
import { openSince } from '../diff/since.ts'
import type { Io } from '../io.ts'
import { signerFrom } from '../seal/signer.ts'
import { version } from '../version.ts'
import type { ReceiverOptions } from './command.ts'
import { subjectOf } from './subject.ts'

/** Gives the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function receiver(url: string, options: ReceiverOptions, io: Io): Promise<number> {
  const signer = signerFrom(options.signKey, io.env)
  const since = openSince(options.since, 'receiver')
  const subject = subjectOf(url, options, io)
  const cleaning = cleaningOf(secretsOf(subject))
  const reporter = createReporter(io, options.quiet ?? false)
  const folder = openFolder(options.out, () => mustBeLeft(options.out, { kind: 'staging' }))
  const told = (): void => {
    reporter.end()
    io.err('Ending: what was done so far is reported. Ctrl-C again ends at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', told, { once: true })
  try {
    const keeping = keepRun(folder, { dialect: {}, policy: subject.policy }, cleaning, io.stopped)
    const kept = keeping.finish(await play(subject, options, { keeping, reporter }))
    reporter.end()
    const { run, beside, defects } = leaveReports(kept, { folder, cleaning, signer, since })
    io.out(renderText(run, { colour: io.colour, width: io.width, folder: folder.path, beside }))
    return toldDefects(defects, folder.path, io, run.record.exitCode)
  } catch (error) {
    throw withdrawn(error, folder.path)
  } finally {
    io.stopped.removeEventListener('abort', told)
    reporter.end()
    folder.release()
  }
}

function play(
  subject: Subject,
  { seed, only }: ReceiverOptions,
  { keeping, reporter }: { keeping: Keeping; reporter: Reporter },
): Promise<Run> {
  return runReceiver(subject, {
    seed: seed ?? randomInt(2 ** 31 - 1),
    version: version(),
    signal: keeping.signal,
    ...(only === undefined ? {} : { only }),
    onProgress(progress) {
      const event = eventOf(progress)
      if (event) keeping.on(event)
      reporter.on(progress)
    },
  })
}
