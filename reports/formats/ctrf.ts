/**
 * Common Test Report Format: one test per check, and what the format has no word for under `extra`. Both answers
 * of the run stand there too, because three words for a check cannot say what was not exercised.
 */
import { isFlaky, type Exchange, type Finding, type Run } from '../../bundle/record.ts'
import { scopeOf } from '../../bundle/seal/statement.ts'
import { messageOf, cardText } from '../findings/card.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { outcomes, reportedOutcomeOf } from '../verdicts/verdicts.ts'
import { wellFormed } from '../visible.ts'
import type { Exporter } from './exporter.ts'

export const ctrf: Exporter = { name: 'ctrf', file: 'ctrf.json', render }

const specVersion = '0.0.0'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function render(run: Run): string {
  const { record } = run
  const rows = rowsOf(run)
  const { passed, failed, skipped, warned } = outcomes(rows)
  const [start, stop] = [Date.parse(record.run.startedAt), Date.parse(record.run.endedAt)]
  const times = timesOf(run)
  const document = {
    reportFormat: 'CTRF',
    specVersion,
    ...(uuid.test(record.run.id) ? { reportId: record.run.id } : {}),
    runId: record.run.id,
    timestamp: record.run.endedAt,
    generatedBy: `${record.tool.name} ${record.tool.version}`,
    results: {
      tool: { name: record.tool.name, version: record.tool.version },
      summary: {
        tests: rows.length,
        passed,
        failed,
        skipped,
        pending: 0,
        other: warned,
        start,
        stop,
        extra: { conformance: record.conformance, gate: record.gate },
      },
      tests: rows.map((finding) => ({
        ...test(finding, times.get(finding.scenario) ?? nothing, start),
        ...(withTrace.has(finding.verdict) ? { trace: cardText(finding, run) } : {}),
      })),
      environment: { appName: record.target.name, testEnvironment: record.target.kind },
      extra: {
        lifecycle: record.run.lifecycle,
        scope: scopeOf(record),
        contract: record.contract,
        planDigest: record.plan.digest,
        seed: record.run.seed,
      },
    },
  }
  return `${JSON.stringify(document, wellFormed, 2)}\n`
}

/** When a scenario was run, in milliseconds since the run began. */
interface ScenarioTimes {
  from: number
  to: number
}
const nothing: ScenarioTimes = { from: 0, to: 0 }

function timesOf({ journal }: Run): ReadonlyMap<string, ScenarioTimes> {
  const scenarios = Map.groupBy(journal, ({ scenario }: Exchange) => scenario)
  return new Map(
    [...scenarios].map(([scenario, exchanges]) => {
      const from = Math.min(...exchanges.map(({ sentAt }) => sentAt))
      return [scenario, { from, to: Math.max(from, ...exchanges.map(({ endedAt }) => endedAt)) }]
    }),
  )
}

const withTrace: ReadonlySet<string> = new Set(['fail', 'warn', 'error'])
/** A check has the time of its scenario: many checks are read from the same exchanges. */
function test(finding: Finding, { from, to }: ScenarioTimes, start: number) {
  const { check, subject, area, title, verdict, level, reason, attempts } = finding
  const outcome = reportedOutcomeOf(finding)
  const said = outcome === 'passed' ? {} : { message: messageOf(finding) }
  return {
    testId: check,
    name: check,
    status: outcome === 'warned' ? 'other' : outcome,
    ...(attempts && { retries: attempts.of - 1, flaky: isFlaky(finding) }),
    rawStatus: verdict,
    duration: Math.round(to - from),
    start: start + Math.round(from),
    stop: start + Math.round(to),
    suite: [area, title],
    ...said,
    tags: [level],
    type: 'conformance',
    labels: { clause: subject, level, ...(reason === undefined ? {} : { reason }) },
    extra: { evidence: finding.evidence, states: finding.states },
  }
}
