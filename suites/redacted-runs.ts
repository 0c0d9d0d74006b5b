/** The runs of the library: neither what they return nor what they report on the way contains a secret. */
import { contractIdentifiers } from '../spec/identifiers.ts'
import { redactRun, type RedactedRun } from '../reports/bundle/redacted-run.ts'
import { redactorOf, type RunRedactor } from '../reports/bundle/redaction/run-redactor.ts'
import { secretsOf } from './config/secret-values.ts'
import type { Target } from './config/target.ts'
import { emptyPolicy } from './policy/policy.ts'
import { subjectSecrets as secretsOfReceiver, type Subject } from './receivers/subject.ts'
import { runReceiverUnredacted, type ReceiverRunOptions } from './runner/drivers/receiver.ts'
import { runServerUnredacted, type RunOptions } from './runner/drivers/server.ts'
import type { Progress } from './runner/run-loop.ts'

/** Throws TargetUnreachable and ConfigurationError; any other problem is a finding. */
export async function runSuite(target: Target, options: RunOptions): Promise<RedactedRun> {
  const redactor = redactorOf(secretsOf(target))
  const run = await runServerUnredacted(target, { ...options, ...redactedProgress(options, redactor) })
  return redactRun(run, target, redactor)
}

/** Throws TargetUnreachable and ConfigurationError; any other problem is a finding. */
export async function runReceiver(subject: Subject, options: ReceiverRunOptions): Promise<RedactedRun> {
  const redactor = redactorOf(secretsOfReceiver(subject))
  const run = await runReceiverUnredacted(subject, { ...options, ...redactedProgress(options, redactor) })
  const basis = { dialect: {}, policy: emptyPolicy, identifiers: contractIdentifiers }
  return redactRun(run, basis, redactor)
}

interface Progressing {
  onProgress?: (progress: Progress) => void
}

/** The same listener, which receives redacted events. */
export function redactedProgress({ onProgress }: Progressing, redactor: RunRedactor): Progressing {
  if (!onProgress) return {}
  return {
    onProgress: (progress) =>
      onProgress(
        progress.is === 'exchange'
          ? { is: 'exchange', exchange: redactor.exchange(progress.exchange) }
          : redacted(progress, redactor),
      ),
  }
}

/** A plan has functions in it, and no secret. */
function redacted(progress: Progress, redactor: RunRedactor): Progress {
  return progress.is === 'planned' ? progress : redactor.value(progress)
}
