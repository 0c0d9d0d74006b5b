/** What is printed of a run that was written: the summary, as text or JSON, and annotations for GitHub. */
import { annotations, renderText } from '../../reports/index.ts'
import type { WrittenReports } from '../../reports/write-reports.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { hasPage } from '../report/has-page.ts'
import { reportDefects } from '../report-defects.ts'
import { jsonSummary } from './json-summary.ts'

export interface PrintOptions {
  json?: true
  verbose?: true
}

/** Returns the exit code. */
export function printRun(
  { run, beside, defects }: WrittenReports,
  folder: string,
  options: PrintOptions,
  io: Io,
): number {
  // Data goes to stdout; with JSON, everything else is a message.
  if (io.env['GITHUB_ACTIONS'] === 'true') (options.json ? io.err : io.out)(annotations(run))
  const exitCode = reportDefects(defects, folder, io, run.record.exitCode)
  const { colour, width } = io
  const verbose = options.verbose ?? false
  io.out(
    options.json
      ? printedJson(jsonSummary(run, { exitCode, folder, beside }))
      : renderText(run, { colour, width, folder, beside, hasPage: hasPage(folder), verbose }),
  )
  return exitCode
}
