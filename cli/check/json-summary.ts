/** The summary of a run as JSON, for tools; everything in it is in `run.json`, too. */
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import type { Finding, OtherAnswers, Run, RunRecord } from '../../reports/bundle/record.ts'
import { replayAgain } from '../../reports/findings/check-again.ts'
import { exporters, outcomes, tally, type Beside } from '../../reports/index.ts'
import { answerOf } from '../../reports/run/scope.ts'
import { rowsOf } from '../../reports/verdicts/rows.ts'

interface Written {
  exitCode: number
  folder: string
  beside: Beside
}

export function jsonSummary(run: Run, { exitCode, folder, beside }: Written) {
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
