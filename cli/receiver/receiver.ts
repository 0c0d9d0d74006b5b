/** `touchstone receiver`: posts deliveries to a receiver, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import { renderText } from '../../reports/index.ts'
import { runReceiver } from '../../suites/receivers/run.ts'
import { secretsOf } from '../../suites/receivers/subject.ts'
import { bundleFiles, bundleOf, redacted, writeBundle, writePlan } from '../bundle/bundle.ts'
import { openFolder } from '../bundle/folder.ts'
import { mustBeClean } from '../bundle/leaks.ts'
import { mustBeLeft } from '../bundle/ledger.ts'
import { createReporter } from '../check/progress.ts'
import type { Io } from '../io.ts'
import { version } from '../version.ts'
import type { ReceiverOptions } from './command.ts'
import { subjectOf } from './subject.ts'

/** Gives the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export async function receiver(url: string, options: ReceiverOptions, io: Io): Promise<number> {
  const subject = subjectOf(url, options, io)
  const secrets = secretsOf(subject)
  const reporter = createReporter(io, options.quiet ?? false)
  mustBeLeft(options.out, { kind: 'staging' })
  const folder = openFolder(options.out, bundleFiles)
  const told = (): void => {
    reporter.end()
    io.err('Ending: what was done so far is reported. Ctrl-C again ends at once, without a report.\n')
  }
  io.stopped.addEventListener('abort', told, { once: true })
  try {
    const run = await runReceiver(subject, {
      seed: options.seed ?? randomInt(2 ** 31 - 1),
      version: version(),
      signal: io.stopped,
      ...(options.only === undefined ? {} : { only: options.only }),
      onProgress(progress) {
        if (progress.is === 'planned') writePlan(progress.planned.plan, folder)
        reporter.on(progress)
      },
    })
    reporter.end()
    const clean = redacted(run, secrets)
    const bundle = bundleOf(clean, { dialect: {}, policy: subject.policy })
    mustBeClean(bundle, secrets)
    writeBundle(bundle, folder)
    io.out(renderText(clean, { colour: io.colour, width: io.width, folder: folder.path }))
    return clean.record.exitCode
  } finally {
    io.stopped.removeEventListener('abort', told)
    reporter.end()
  }
}
