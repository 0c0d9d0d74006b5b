/** `touchstone log verify`: whether every entry that was written to a log is still there, as it was written. */
import { counted } from '../../reports/html/elements/words.ts'
import { headProblems, headsOf, type RunLogAt } from '../../reports/run-log/index.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { logsAt, problemLines } from './opened.ts'
import type { VerifyLogOptions } from './options.ts'
import { headsAt } from './published-heads.ts'

/** Returns the exit code. Throws UsageError, BundleError and DownloadFailed. */
export async function verifyLog(path: string, options: VerifyLogOptions, io: Io): Promise<number> {
  const heads = options.head === undefined ? null : await headsAt(options.head)
  const opened = logsAt(path, options)
  const problems = [...opened.problems, ...(heads === null ? [] : headProblems(opened, heads))]
  const exitCode = problems.length === 0 ? exitCodes.ok : exitCodes.nonconformant
  const conclusion = visibleLine(conclusionOn(opened.logs, problems, options))
  io.out(
    options.json
      ? jsonOf(opened.logs, { verified: exitCode === exitCodes.ok, exitCode, conclusion, problems })
      : [...problemLines(problems), conclusion].map((line) => `${line}\n`).join(''),
  )
  return exitCode
}

function conclusionOn(
  logs: readonly RunLogAt[],
  problems: readonly string[],
  { key, head }: VerifyLogOptions,
): string {
  if (problems.length > 0) return `NOT VERIFIED: ${counted(problems.length, 'problem')}`
  const entries = logs.reduce((sum, log) => sum + log.entries.length, 0)
  const signers = [...new Set(logs.map(({ keyid }) => keyid))].join(', ')
  const signed = key === undefined ? 'signatures not checked (give --key)' : `signed by key id ${signers}`
  const end =
    head === undefined
      ? 'whether entries are missing at the end is not known (give --head)'
      : `none is missing up to the head in ${head}`
  return `VERIFIED: ${counted(entries, 'entry', 'entries')}, ${signed}; ${end}`
}

function jsonOf(logs: readonly RunLogAt[], verification: Readonly<Record<string, unknown>>): string {
  const rows = logs.map(({ path, keyid, entries }) => ({ path, keyid, entries: entries.length }))
  return printedJson({ schemaVersion: 1, ...verification, logs: rows, heads: headsOf(logs) })
}
