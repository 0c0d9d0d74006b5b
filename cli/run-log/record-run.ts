/** Records a run in a log: its start before the first request, and how it ended. */
import { join, resolve, sep } from 'node:path'
import { BundleError } from '../../reports/bundle/errors.ts'
import { errorMessage } from '../../reports/bundle/text.ts'
import type { RunEvent } from '../../reports/bundle/journal/writer.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import type { RunRedactor } from '../../reports/bundle/redaction/run-redactor.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import type { Signer } from '../../reports/bundle/seal/envelope.ts'
import { manifestFile } from '../../reports/bundle/seal/names.ts'
import { recordFile } from '../../reports/bundle/names.ts'
import type { RunWriter } from '../../reports/bundle/write-run.ts'
import { openRunLog } from '../../reports/run-log/append.ts'
import { startOf, type RunResult } from '../../reports/run-log/entry.ts'
import { runLogFile } from '../../reports/run-log/place.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { failedCommand } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

interface LoggedRunOptions {
  log?: string
  out: string
}

export interface RunLogging {
  /** Records the start when the plan is known, and nothing was sent. Throws a UsageError. */
  on(event: RunEvent, redactor: Pick<RunRedactor, 'value'>): void
  /** `folder`: of the sealed run. Throws a BundleError. */
  ended(record: RunRecord, folder: string): void
  /** Records that the run left no result, if it was started. */
  failed(error: unknown, io: Pick<Io, 'err'>): void
}

/** Null without a path. Throws a UsageError without a signer, and a BundleError for a log that cannot be appended to. */
export function logRun({ log: path, out }: LoggedRunOptions, signer: Signer | null): RunLogging | null {
  if (path === undefined) return null
  if (signer === null)
    throw new UsageError(
      '--log needs --sign-key: its entries are signed; make a key with `touchstone keygen`.',
    )
  const file = runLogFile(path, signer.keyid)
  if (isBelow(file, out))
    throw new UsageError(
      `--log ${path}: this is in the folder of the reports, which is replaced; name another place.`,
    )
  const log = openRunLog(file, { signer, now: () => realClock().wall() })
  let open: string | null = null
  const end = (exitCode: number, result: RunResult | null): void => {
    const run = open
    open = null
    if (run !== null) log.append(run, { is: 'end', exitCode, result })
  }
  return {
    on(event, redactor) {
      if (event.is !== 'planned') return
      const { opening, planned } = redactor.value(event)
      try {
        log.append(opening.run.id, startOf(opening, planned.plan))
      } catch (error) {
        throw new UsageError(`${errorMessage(error)} Nothing was sent.`)
      }
      open = opening.run.id
    },
    ended(record, folder) {
      try {
        end(record.exitCode, resultIn(record, folder))
      } catch (error) {
        throw new BundleError(
          `${errorMessage(error)} The run is in ${folder}, and its end is not in the log.`,
        )
      }
    },
    failed(error, { err }) {
      try {
        end(failedCommand(error).exitCode, null)
      } catch (problem) {
        err(`${failedCommand(problem).text}\n`)
      }
    },
  }
}

/** The plan is on disk before the start is in the log, and both before anything is sent. */
export function withLog(writer: RunWriter, log: RunLogging | null, redactor: RunRedactor): RunWriter {
  return {
    ...writer,
    on(event) {
      writer.on(event)
      log?.on(event, redactor)
    },
  }
}

const isBelow = (file: string, folder: string): boolean =>
  resolve(file).startsWith(`${resolve(folder)}${sep}`)

function resultIn({ conformance, gate, run }: RunRecord, folder: string): RunResult {
  return {
    conformance,
    gatePassed: gate.passed,
    lifecycle: run.lifecycle,
    record: digestOfFile(join(folder, recordFile)).sha256,
    manifest: digestOfFile(join(folder, manifestFile)).sha256,
  }
}
