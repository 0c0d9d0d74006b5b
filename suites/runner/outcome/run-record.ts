/** Writes the record of a run: every number in it comes from what was run. */
import { areas, clauses, serverAreas, type ClauseId } from '../../../spec/index.ts'
import { narrowedBy } from '../../../reports/bundle/verdict.ts'
import { clauseSetOf } from '../../policy/clause-set.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Finding, Opening, RunRecord, ScenarioRun } from '../../../reports/bundle/record.ts'
import type { Target } from '../../config/target.ts'
import { uncovered } from '../../uncovered.ts'
import type { RunContext } from '../run-context.ts'
import { knownChecks } from '../plan/known.ts'
import type { Planned, Scenarios } from '../plan/plan.ts'
import type { SessionOptions } from '../progress.ts'
import { answersOf, type Answers } from './verdict.ts'

export interface Outcome {
  target: Target
  options: SessionOptions
  runContext: RunContext
  opening: Opening
  planned: Planned
  found: readonly Finding[]
  scenarioRuns: readonly ScenarioRun[]
  warning: string | null
}

export function recordOf({ target, options, runContext, ...outcome }: Outcome): RunRecord {
  const { scenarios } = options
  return writtenRecord({
    ...outcome,
    scenarios,
    policy: target.policy,
    endedAt: runContext.clock.wall(),
    used: runContext.governor.used(),
    uncovered: uncoveredBy(scenarios),
  })
}

/** What any run came to, whatever was under test. */
export interface Ended extends Pick<Outcome, 'opening' | 'planned' | 'found' | 'scenarioRuns' | 'warning'> {
  scenarios: Scenarios
  policy: Policy
  /** ISO 8601, UTC. */
  endedAt: string
  used: RunRecord['used']
  uncovered: RunRecord['uncovered']
}

export function writtenRecord(ended: Ended): RunRecord {
  const {
    opening,
    planned,
    found,
    scenarioRuns,
    warning,
    scenarios,
    policy,
    endedAt,
    used,
    uncovered: left,
  } = ended
  const judged = {
    findings: found,
    scenarioRuns,
    plan: planned.plan,
    contract: opening.contract,
    run: opening.run,
  }
  const { findings, conformance, gate, exitCode } = answersFor(judged, scenarios, policy, endedAt)
  const because = warning !== null && !gate.passed ? [warning, ...gate.because] : gate.because
  return {
    ...opening,
    run: { ...opening.run, endedAt, lifecycle: found.some(endedEarly) ? 'interrupted' : 'finished' },
    plan: planned.plan,
    findings,
    scenarioRuns,
    used,
    conformance,
    gate: { ...gate, because },
    exitCode,
    uncovered: left,
  }
}

type Judged = Pick<RunRecord, 'findings' | 'scenarioRuns' | 'plan' | 'contract'> & {
  run: Pick<RunRecord['run'], 'profile'>
}

/** `on`: ISO 8601; what has expired by then no longer counts. */
export function answersFor(
  { findings, scenarioRuns, plan, contract, run }: Judged,
  scenarios: Scenarios,
  policy: Policy,
  on: string,
): Answers {
  return answersOf({
    findings,
    planned: plan.checks.map(({ check }) => check),
    known: knownChecks(scenarios, run.profile),
    musts: mustsOf(scenarios),
    narrowed: narrowedBy({ plan, run }) !== null,
    stuck: scenarioRuns.flatMap(({ stuck }) => stuck),
    policy,
    counted: clauseSetOf(contract.revision),
    today: on.slice(0, 10),
  })
}

function endedEarly({ reason }: Finding): boolean {
  return reason === 'interrupted' || reason === 'budget-exhausted'
}

/** Clauses that some scenario judges and that have to hold. */
function mustsOf(scenarios: Scenarios): readonly ClauseId[] {
  const judged = Object.values(scenarios).flatMap(({ judge }) => Object.keys(judge) as ClauseId[])
  return [...new Set(judged)].filter((id) => clauses[id].level === 'must')
}

/** Every clause of the areas that are run and that no scenario judges, with the reason. */
export function uncoveredBy(scenarios: Scenarios): RunRecord['uncovered'] {
  const judged = new Set(Object.values(scenarios).flatMap(({ judge }) => Object.keys(judge)))
  const execution = serverAreas.filter((area) =>
    Object.keys(areas[area]).some((clause) => judged.has(clause)),
  )
  const all = execution.flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  return all
    .filter((clause) => !judged.has(clause))
    .map((clause) => ({ clause, why: uncovered[clause] ?? 'no scenario covers it' }))
}
