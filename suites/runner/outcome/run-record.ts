import type { ClauseLevels } from '../../../spec/index.ts'
import { uncheckedClauses } from '../../../bundle/clause-set.ts'
import {
  narrowedBy,
  type Finding,
  type Opening,
  type Plan,
  type RunRecord,
  type ScenarioRun,
} from '../../../bundle/record.ts'
import { clauseSetOf } from '../../policy/clause-set-file.ts'
import type { Policy, Promised } from '../../policy/policy.ts'
import { knownChecks } from '../plan/selection.ts'
import type { Planned, Scenarios } from '../plan/plan.ts'
import { answersOf, wasAbandoned, type Answers } from './verdict.ts'

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
  endedAt: string
  used: RunRecord['used']
  uncovered: RunRecord['uncovered']
}

export function runRecord(outcome: RunOutcome): RunRecord {
  const { opening, planned, scenarioRuns, warning, scenarios, policy, endedAt, used, uncovered } = outcome
  const { plan } = planned
  const { run } = opening
  const judged = { ...opening, findings: outcome.findings, scenarioRuns, plan }
  const { findings, conformance, gate, exitCode, ...others } = answersFor(judged, scenarios, policy, endedAt)
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
    ...others,
  }
}

type Judged = Pick<RunRecord, 'findings' | 'scenarioRuns' | 'plan' | 'contract'> & {
  target: Pick<RunRecord['target'], 'kind' | 'client'>
  run: Pick<RunRecord['run'], 'profile'>
}

export function answersFor(
  { contract, ...judged }: Judged,
  scenarios: Scenarios,
  policy: Policy,
  on: string,
): Answers {
  const { findings, scenarioRuns, plan, target, run } = judged
  const counted = clauseSetOf(contract)
  return answersOf({
    findings,
    planned: plan.checks.map(({ check }) => check),
    known: knownChecks(scenarios, run.profile),
    mustClauses: [...mustClausesOf(scenarios, counted), ...uncheckedClauses(contract, target)],
    // What was not looked for was not shown.
    narrowed: target.kind === 'traffic' || narrowedBy({ plan, run }) !== null,
    isShard: plan.shard !== undefined,
    stuck: scenarioRuns.flatMap(({ stuck }) => stuck),
    policy: plan.shard === undefined ? policy : promisesIn(policy, plan),
    counted,
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

export function lifecycleOf(findings: readonly Finding[]): RunRecord['run']['lifecycle'] {
  if (findings.some(wasAbandoned)) return 'target-lost'
  const isEarly = findings.some(({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted')
  return isEarly ? 'interrupted' : 'finished'
}

function mustClausesOf(scenarios: Scenarios, counted: ClauseLevels): readonly string[] {
  const judged = Object.values(scenarios).flatMap(({ judge }) => Object.keys(judge))
  return [...new Set(judged)].filter((id) => Object.hasOwn(counted, id) && counted[id] === 'must')
}
