/** `touchstone receiver`: posts deliveries to a receiver, writes the reports and says how it went. */
import { randomInt } from 'node:crypto'
import { runReceiverUnredacted } from '../../suites/runner/drivers/receiver.ts'
import { subjectSecrets } from '../../suites/receivers/subject.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { Io } from '../io.ts'
import { originFor } from '../check/origin.ts'
import { version } from '../version.ts'
import type { ReceiverOptions } from './options.ts'
import { receiverSubject } from './subject.ts'

/** Gives the exit code of the run. Throws UsageError, ConfigurationError and TargetUnreachable. */
export function receiver(url: string, options: ReceiverOptions, io: Io): Promise<number> {
  const { seed = randomInt(2 ** 31 - 1), only } = options
  return judgedRun(options, 'receiver', io, () => {
    const subject = receiverSubject(url, options, io)
    return {
      policy: subject.policy,
      secrets: subjectSecrets(subject),
      run: ({ signal, onProgress }) =>
        runReceiverUnredacted(subject, {
          seed,
          version: version(),
          ...originFor(options, io.env),
          signal,
          onProgress,
          ...(only === undefined ? {} : { only }),
        }),
    }
  })
}
