/** Reads the run in a folder; an interrupted one is judged with the scenarios of this version. */
import type { RecordedJournal } from '../../bundle/journal/reader.ts'
import { readRun, type RecordedRun, type InterruptedRun } from '../../bundle/read-run.ts'
import type { Target } from '../../suites/config/target.ts'
import { areaOf, clauses, type ClauseId } from '../../spec/index.ts'
import { notExercised, type Ending } from '../../suites/scenario/ending.ts'
import { notRun } from '../../suites/runner/outcome/judge.ts'
import type { Scenarios } from '../../suites/runner/plan/plan.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import type { Finding, Opening, PlannedCheck, Run, RunRecord } from '../../bundle/record.ts'
import { scenariosFor, uncoveredFor } from '../../suites/scenarios.ts'

export type ReadBundle = RecordedRun & { basis: JudgeBasis }

export const readBundle = (path: string, journal?: () => RecordedJournal): ReadBundle =>
  readRun(path, { judge: judgeInterrupted, ends: endsOf }, journal) as ReadBundle

/** `judging.json` as the judges need it; its schema was checked when it was read. */
export type JudgeBasis = Pick<Target, 'dialect' | 'policy' | 'identifiers'>

/** Judges the finished scenarios again; the others are reported as not exercised. */
function judgeInterrupted({ opening, plan, basis, journal }: InterruptedRun): Run {
  const { exchanges, scenarioRuns, lines, head } = journal
  const scenarios = scenariosFor(opening)
  const runs = scenarioRuns.map(({ scenarioRun }) => scenarioRun)
  const finished = new Set(runs.map(({ scenario }) => scenario))
  const record: RunRecord = {
    ...opening,
    run: { ...opening.run, endedAt: endOf(opening, journal), lifecycle: 'crashed' },
    plan,
    findings: plan.checks.map((check) =>
      openFinding(check, scenarios, finished.has(check.scenario) ? lost : never),
    ),
    scenarioRuns: runs,
    used: scenarioRuns.at(-1)?.used ?? { requests: 0, turns: 0, credits: 0, wallSeconds: 0 },
    conformance: 'partial',
    gate: { passed: false, because: [], stalePolicy: [] },
    exitCode: 3,
    uncovered: uncoveredFor(opening),
    journal: { lines, head },
  }
  const run = { record, journal: exchanges }
  return { record: rejudge(run, scenarios, { ...(basis as JudgeBasis) }), journal: exchanges }
}

/** Where it ends, in a sentence. `writer`: the process that is still writing it. */
function endsOf(
  { journal, plan }: Pick<InterruptedRun, 'journal' | 'plan'>,
  { record }: Run,
  writer: number | null = null,
): string {
  const { lines, scenarioRuns, end, cutOff } = journal
  const open = [never.because, lost.because]
  const judged = record.findings.filter(({ detail = '' }) => !open.includes(detail)).length
  const last = scenarioRuns.at(-1)?.scenarioRun.scenario
  const why = end ? 'it had ended, and its record was never written' : 'the run was cut off'
  const how =
    writer === null ? `${why}: it ends` : `process ${writer} is still writing this run: for now it ends`
  const begun = cutOff > 0 ? `, of which line ${lines + 1} was begun` : ''
  const where = lines === 0 ? 'before the first line' : `${end ? 'after' : 'with'} line ${lines}`
  const scenario = last === undefined ? 'no scenario was run' : `the last scenario run is ${last}`
  return `${how} ${where} of its journal${begun}; ${scenario}; ${judged} of ${plan.checks.length} checks have a verdict.`
}

const never: Ending = notExercised(
  'interrupted',
  'the run was cut off before its scenario was run to the end',
).ending

/** Of a scenario or check that this version does not have. */
const lost: Ending = notExercised(
  'interrupted',
  'the run was cut off before its verdict was written, and what was recorded is not enough to judge it again',
).ending

/** Times of exchanges count from the beginning of the run. */
function endOf({ run }: Opening, { end, exchanges }: RecordedJournal): string {
  const last = exchanges.reduce((most, { endedAt }) => Math.max(most, endedAt), 0)
  return end?.endedAt ?? new Date(Date.parse(run.startedAt) + Math.ceil(last)).toISOString()
}

function openFinding(planned: PlannedCheck, scenarios: Scenarios, ending: Ending): Finding {
  const { check, subject, scenario } = planned
  const known = Object.hasOwn(scenarios, scenario) ? scenarios[scenario] : undefined
  const found = known && notRun(scenario, known, ending).find((one) => one.check === check)
  if (found) return found
  // Of a check that this version does not have, or has under another name.
  const clause = subject in clauses ? (subject as ClauseId) : null
  const silent = { area: 'chat-response', level: 'silent', basis: 'silent' } as const
  const { level, basis } = clause ? clauses[clause] : silent
  const about = { area: clause ? areaOf[clause] : silent.area, level, basis, title: scenario }
  const said = { verdict: 'not-exercised', reason: 'interrupted', detail: ending.because } as const
  return { check, subject, scenario, ...about, ...said, evidence: [], states: [] }
}
