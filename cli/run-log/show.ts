/** `touchstone log show`: the runs of a log in a table. */
import { clockTime, duration } from '../../reports/duration.ts'
import { counted } from '../../reports/html/elements/words.ts'
import { outcomeWords, runsByVersion, type LoggedRun, type VersionRuns } from '../../reports/run-log/index.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { logsAt, reportLogProblems } from './opened.ts'
import type { LogOptions } from './options.ts'

/** Returns the exit code. Problems are printed to stderr. */
export function showLog(path: string, options: LogOptions, io: Io): number {
  const opened = logsAt(path, options)
  const versions = runsByVersion(opened.logs)
  io.out(options.json ? printedJson({ schemaVersion: 1, versions }) : versions.map(textOf).join('\n'))
  return reportLogProblems(opened, io)
}

function textOf({ target, version, runs }: VersionRuns): string {
  const heading = `${target} ${version ?? '(no version)'}: ${counted(runs.length, 'run')}`
  const width = Math.max(...runs.map((run) => outcomeWords(run).length))
  return [heading, ...runs.map((run) => lineOf(run, width))].map((line) => `${visibleLine(line)}\n`).join('')
}

function lineOf(run: LoggedRun, width: number): string {
  const { id, startedAt, end } = run
  const took = end === null ? '' : duration((Date.parse(end.at) - Date.parse(startedAt)) / 1_000)
  return `  ${clockTime(startedAt)}  ${outcomeWords(run).padEnd(width)}  ${took.padStart(8)}  ${id.slice(0, 8)}`
}
