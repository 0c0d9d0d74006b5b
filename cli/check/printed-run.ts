/** What is printed of a run that was written: the summary, as text or JSON, and annotations for GitHub. */
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import type { Finding, OtherAnswers, Run, RunRecord } from '../../reports/bundle/record.ts'
import { replayAgain } from '../../reports/findings/card.ts'
import { annotations, exporters, outcomes, renderText, tally, type Beside } from '../../reports/index.ts'
import { answerOf } from '../../reports/run/scope.ts'
import { rowsOf } from '../../reports/verdicts/clauses.ts'
import type { WrittenReports } from '../../reports/write-reports.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { hasPage } from '../out-file.ts'
import { reportDefects } from '../report-defects.ts'

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
    ...(shard && { shard: { number: shard.number, of: shard.of } }),
    conformance: record.conformance,
    gate: passed ? 'passed' : 'failed',
    exitCode,
    reason: passed ? answerOf(record).means : [...new Set([...because, ...stalePolicy])].join('; '),
    ...(record.otherAnswers && { otherSets: record.otherAnswers.map(otherSetOf) }),
    counts: { ...outcomes(rows), verdicts: tally(rows) },
    failures: failures.map((finding) => failureOf(finding, record, { folder, beside })),
    reports: {
      folder,
      ...Object.fromEntries(exporters.map(({ name, file }) => [name, `${folder}/${file}`])),
    },
  }
}

function otherSetOf({ revision, conformance, gate, exitCode, moves }: OtherAnswers) {
  return {
    clauseSet: revision,
    conformance,
    gate: gate.passed ? 'passed' : 'failed',
    exitCode,
    reason: gate.because.join('; '),
    moves,
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
    replay: place === null ? null : replayAgain(`${place}/replay.json`, target),
    script: place === null ? null : `${place}/repro.sh`,
  }
}
