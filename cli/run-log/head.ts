/** `touchstone log head`: what to publish, so that a cut-off end can be seen later. */
import { headsOf, type PublishedHeads } from '../../reports/run-log/index.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { logsAt, reportLogProblems } from './opened.ts'
import type { LogOptions } from './options.ts'

/** Returns the exit code; nothing is printed of a log that is not verified. */
export function printHead(path: string, options: LogOptions, io: Io): number {
  const opened = logsAt(path, options)
  const exitCode = reportLogProblems(opened, io)
  const heads: PublishedHeads = { schemaVersion: 1, heads: headsOf(opened.logs) }
  if (exitCode === exitCodes.ok) io.out(printedJson(heads))
  return exitCode
}
