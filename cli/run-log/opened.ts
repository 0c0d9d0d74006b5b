/** The logs of a command line, verified with its keys. */
import { openRunLogs, type RunLogs } from '../../reports/run-log/index.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { publicKeyAt } from '../seal/signer.ts'
import type { LogOptions } from './options.ts'

/** Throws a UsageError for a key, and a BundleError for a log that cannot be read. */
export function logsAt(path: string, { key }: LogOptions): RunLogs {
  return openRunLogs(path, key === undefined ? null : key.map(publicKeyAt))
}

/** Prints the problems, if there are any. Returns the exit code. */
export function reportLogProblems({ problems }: Pick<RunLogs, 'problems'>, { err }: Pick<Io, 'err'>): number {
  for (const line of problemLines(problems)) err(`${line}\n`)
  return problems.length === 0 ? exitCodes.ok : exitCodes.nonconformant
}

const most = 20

export function problemLines(problems: readonly string[]): readonly string[] {
  const rest = problems.length - most
  return [
    ...problems.slice(0, most).map((one) => `✗ ${visibleLine(one)}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
}
