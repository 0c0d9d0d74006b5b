/** Judges a recorded run again, offline: same judges, same journal, nothing sent. */
import { atLevel, clauseSetOf } from '../../policy/clause-set-file.ts'
import type { Finding, Run, RunRecord, ScenarioRun } from '../../../bundle/record.ts'
import type { Target } from '../../config/target.ts'
import { identified, type Exchange } from '../../wire/exchange.ts'
import type { ScenarioExecution } from '../../scenario/execution.ts'
import { readAgain } from '../../../bundle/text.ts'
import { judgeScenario } from './judge.ts'
import type { Scenarios } from '../plan/plan.ts'
import { answersFor } from './run-record.ts'
import { watchReplies } from './same-reply.ts'

/**
 * The record with the verdicts of today's judges. Scenarios that were not run, and checks that these scenarios no longer
 * have, keep their findings; `onMore` is called with each finding of a scenario for which the record has none. `policy`
 * and clause sets may be others than at the time of the run.
 */
export function rejudge(
  { record, journal }: Run,
  scenarios: Scenarios,
  {
    dialect,
    policy,
    identifiers,
    contract,
    otherSets,
  }: Pick<Target, 'dialect' | 'policy' | 'contract' | 'otherSets' | 'identifiers'>,
  onMore?: (finding: Finding) => void,
): RunRecord {
  const before = new Set(record.findings.map(({ check }) => check))
  const replaced = new Set(journal.flatMap(({ insteadOf }) => (insteadOf === undefined ? [] : [insteadOf])))
  const recordedSet = clauseSetOf(record.contract)
  const again = new Map<string, Finding>()
  for (const planned of record.scenarioRuns) {
    const scenario = Object.hasOwn(scenarios, planned.scenario) ? scenarios[planned.scenario] : undefined
    if (!scenario || wasCutOff(planned)) continue
    const own = journal.filter((one) => isOf(one, planned) && !replaced.has(one.id))
    const recorded = scenario.rule
      ? inShards(record, journal).map((part) => wholeRun(planned.scenario, part, record.scenarioRuns))
      : [{ ...planned, exchanges: own }]
    const found = recorded.map((part) => {
      const execution = { ...part, exchanges: part.exchanges.map((one) => identified(one, identifiers)) }
      return judgeScenario(planned.scenario, scenario, execution, dialect)
    })
    for (const judged of worstOf(found)) {
      const finding = readAgain(atLevel(judged, recordedSet))
      again.set(finding.check, finding)
      if (!before.has(finding.check)) onMore?.(finding)
    }
  }
  const found = record.findings.map((finding) => again.get(finding.check) ?? finding)
  const findings = watchReplies(journal, record).without(found)
  const { otherSets: recorded, otherAnswers: _, ...rest } = record
  const others = contract === undefined ? recorded : otherSets
  const judged = {
    ...rest,
    findings,
    contract: contract ?? record.contract,
    ...(others === undefined ? {} : { otherSets: others }),
  }
  return { ...judged, ...answersFor(judged, scenarios, policy, record.run.endedAt) }
}

/** A request that a cap withheld is in the journal, but not part of the scenario. */
function isOf(exchange: Exchange, scenario: ScenarioRun): boolean {
  return isJudged(exchange, scenario) && exchange.failure?.kind !== 'budget'
}

/** Each shard may have met a service of its own, whose ids and times are its own. */
function inShards({ merged }: RunRecord, journal: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const { of = 1 } = merged ?? {}
  return Array.from({ length: of }, (_, at) => journal.filter(({ id }) => id % of === at))
}

const decisive: readonly Finding['verdict'][] = [
  'not-exercised',
  'not-applicable',
  'inconclusive',
  'pass',
  'warn',
]

/** Of the findings of each part, check by check, the one that says most. */
function worstOf([first = [], ...others]: readonly (readonly Finding[])[]): readonly Finding[] {
  const weightOf = ({ verdict }: Finding): number => (decisive.indexOf(verdict) + 6) % 6
  return first.map((finding, at) =>
    others.reduce((worst, part) => {
      const other = part[at] ?? worst
      return weightOf(other) > weightOf(worst) ? other : worst
    }, finding),
  )
}

/**
 * What a rule is judged over: every exchange of the scenarios that were judged, in the order of time, and the contradictions of the states that
 * they entered; its notes name these states by scenario. A request that a cap withheld was never sent, and one that came too early has another in its place.
 */
export function wholeRun(
  scenario: string,
  journal: readonly Exchange[],
  scenarioRuns: readonly ScenarioRun[],
): ScenarioExecution {
  const judged = new Map(scenarioRuns.filter((run) => !wasCutOff(run)).map((run) => [run.scenario, run]))
  const replaced = new Set(journal.flatMap(({ insteadOf }) => (insteadOf === undefined ? [] : [insteadOf])))
  const isPart = (exchange: Exchange): boolean => {
    const run = judged.get(exchange.scenario)
    return (
      run !== undefined &&
      isJudged(exchange, run) &&
      exchange.failure?.kind !== 'budget' &&
      !replaced.has(exchange.id)
    )
  }
  const states = [...judged.values()].flatMap((run) => run.states.filter(({ mismatch }) => mismatch))
  const exchanges = journal
    .filter(isPart)
    .toSorted((one, other) => one.sentAt - other.sentAt || one.id - other.id)
  const entered = [...judged.values()].filter((run) => run.states.length > 0)
  const notes = Object.fromEntries(
    entered.map((run) => [run.scenario, [...new Set(run.states.map(({ state }) => state))].join(' ')]),
  )
  return { scenario, exchanges, notes, ending: null, crash: null, states, stuck: [] }
}

export function isJudged(
  { scenario, id }: Exchange,
  planned: Pick<ScenarioRun, 'scenario' | 'since'>,
): boolean {
  return scenario === planned.scenario && id >= (planned.since ?? 0)
}

/** Requests that the end of a run cut off say nothing about the target. */
function wasCutOff({ ending }: Pick<ScenarioRun, 'ending'>): boolean {
  return ending?.is === 'not-exercised' && ending.reason === 'interrupted'
}
