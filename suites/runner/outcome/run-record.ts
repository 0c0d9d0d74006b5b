/** Writes the record of a run: every number in it comes from what was run. */
import { clauses, type ClauseId } from '../../../spec/index.ts'
import { narrowedBy } from '../../../reports/bundle/record.ts'
import { clauseSetOf } from '../../policy/clause-set.ts'
import type { Policy, Promised } from '../../policy/policy.ts'
import type { Finding, Opening, Plan, RunRecord, ScenarioRun } from '../../../reports/bundle/record.ts'
import { knownChecks } from '../plan/known.ts'
import type { Planned, Scenarios } from '../plan/plan.ts'
import { answersOf, wasAbandoned, type Answers } from './verdict.ts'

/** What a run comes to, whatever is under test. */
export interface RunOutcome {
  opening: Opening
  planned: Planned
  findings: readonly Finding[]
  scenarioRuns: readonly ScenarioRun[]
  /** Every scenario of such a target, planned or not. */
  scenarios: Scenarios
  policy: Policy
  /** For the report, if the gate fails. */
  warning: string | null
  /** ISO 8601, UTC. */
  endedAt: string
  used: RunRecord['used']
  uncovered: RunRecord['uncovered']
}

export function runRecord(outcome: RunOutcome): RunRecord {
  const { opening, planned, scenarioRuns, warning, scenarios, policy, endedAt, used, uncovered } = outcome
  const { plan } = planned
  const { contract, run } = opening
  const judged = { findings: outcome.findings, scenarioRuns, plan, contract, run }
  const { findings, conformance, gate, exitCode } = answersFor(judged, scenarios, policy, endedAt)
  const because = warning !== null && !gate.passed ? [warning, ...gate.because] : gate.because
  return {
    ...opening,
    run: { ...run, endedAt, lifecycle: lifecycleOf(findings) },
    plan,
    findings,
    scenarioRuns,
    used,
    conformance,
    gate: { ...gate, because },
    exitCode,
    uncovered,
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
    mustClauses: mustClausesOf(scenarios),
    narrowed: narrowedBy({ plan, run }) !== null,
    isShard: plan.shard !== undefined,
    stuck: scenarioRuns.flatMap(({ stuck }) => stuck),
    policy: plan.shard === undefined ? policy : promisesIn(policy, plan),
    counted: clauseSetOf(contract.revision),
    today: on.slice(0, 10),
  })
}

/** What has expired is for the shard to say that has its check. */
function promisesIn(policy: Policy, { checks }: Pick<Plan, 'checks'>): Policy {
  const own = new Set(checks.map(({ check }) => check))
  const isOwn = ({ check }: Promised): boolean => own.has(check)
  return {
    ...policy,
    knownFailures: policy.knownFailures.filter(isOwn),
    flaky: policy.flaky.filter(isOwn),
  }
}

/** How a run with such findings ended, unless it was killed. */
export function lifecycleOf(findings: readonly Finding[]): RunRecord['run']['lifecycle'] {
  if (findings.some(wasAbandoned)) return 'target-lost'
  const isEarly = findings.some(({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted')
  return isEarly ? 'interrupted' : 'finished'
}

/** Clauses that some scenario judges and that have to hold. */
function mustClausesOf(scenarios: Scenarios): readonly ClauseId[] {
  const judged = Object.values(scenarios).flatMap(({ judge }) => Object.keys(judge) as ClauseId[])
  return [...new Set(judged)].filter((id) => clauses[id].level === 'must')
}
