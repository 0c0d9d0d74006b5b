/** What is printed of a run that was written: the summary, as text or JSON, and annotations for GitHub. */
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import type { Finding, Run, RunRecord } from '../../reports/bundle/record.ts'
import { replayAgain } from '../../reports/findings/check-again.ts'
import type { Defect } from '../../reports/findings/defects.ts'
import { annotations, exporters, outcomes, renderText, tally, type Beside } from '../../reports/index.ts'
import { answerOf } from '../../reports/run/scope.ts'
import { rowsOf } from '../../reports/verdicts/rows.ts'
import type { WrittenReports } from '../../reports/write-reports.ts'
import type { CommandAnswer } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { hasPage } from '../report/has-page.ts'

interface PrintOptions {
  json?: boolean
  verbose?: boolean
  /** Annotate the lines of a job. */
  annotate?: boolean
  /** Below the summary. */
  more?: string
}

export function printedRun(
  { run, beside, defects }: WrittenReports,
  folder: string,
  { json, verbose = false, annotate = true, more = '' }: PrintOptions,
  io: Io,
): CommandAnswer {
  // Data goes to stdout; with JSON, everything else is a message.
  if (annotate && io.env['GITHUB_ACTIONS'] === 'true') (json ? io.err : io.out)(annotations(run))
  if (json) io.err(more)
  const exitCode = reportDefects(defects, folder, io, run.record.exitCode)
  const { colour, width } = io
  return {
    exitCode,
    text: () =>
      renderText(run, {
        colour,
        width,
        folder,
        beside,
        hasPage: hasPage(folder),
        verbose,
      }) + more,
    json: jsonSummary(run, { exitCode, folder, beside }),
  }
}

/** Prints what could not be made of a run, and why. Returns `otherwise` if nothing is missing. */
export function reportDefects(defects: readonly Defect[], place: string, io: Io, otherwise: number): number {
  for (const { what, why } of defects)
    io.err(
      `internal error of Touchstone, please report it: ${what} could not be made (${why}); what could is in ${place}.\n`,
    )
  return defects.length === 0 ? otherwise : exitCodes.ourFault
}

interface Written {
  exitCode: number
  folder: string
  beside: Beside
}

function jsonSummary(run: Run, { exitCode, folder, beside }: Written) {
  const { record } = run
  const rows = rowsOf(run)
  const { passed, because, stalePolicy } = record.gate
  const failures = rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
  const { shard } = record.plan
  return {
    schemaVersion: 1,
    shard: shard && { number: shard.number, of: shard.of },
    conformance: record.conformance,
    gate: passed ? 'passed' : 'failed',
    exitCode,
    reason: passed ? answerOf(record).means : [...new Set([...because, ...stalePolicy])].join('; '),
    otherSets: record.otherAnswers?.map((other) => ({
      clauseSet: other.revision,
      conformance: other.conformance,
      gate: other.gate.passed ? 'passed' : 'failed',
      exitCode: other.exitCode,
      reason: other.gate.because.join('; '),
      moves: other.moves,
    })),
    counts: { ...outcomes(rows), verdicts: tally(rows) },
    failures: failures.map((finding) => failureOf(finding, record, { folder, beside })),
    reports: {
      folder,
      ...Object.fromEntries(exporters.map(({ name, file }) => [name, `${folder}/${file}`])),
    },
  }
}

/** `replay` and `script` are null if no counterexample was written. */
function failureOf(
  { check, subject, level, verdict, waived, expected, got, fingerprint }: Finding,
  { target }: RunRecord,
  { folder, beside }: Pick<Written, 'folder' | 'beside'>,
) {
  const path = counterexampleFolder(check)
  const place = beside.files.has(`${path}/replay.json`) ? `${folder}/${path}` : null
  return {
    check,
    clause: subject,
    level,
    verdict,
    waived: waived !== undefined,
    expected: expected ?? null,
    got: got ?? null,
    fingerprint: fingerprint ?? null,
    replay: place && replayAgain(`${place}/replay.json`, target),
    script: place && `${place}/repro.sh`,
  }
}
