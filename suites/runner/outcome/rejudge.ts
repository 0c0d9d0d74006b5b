/** Judges a recorded run again, offline: same judges, same journal, nothing sent. */
import { atLevel, clauseSetOf } from '../../policy/clause-set-file.ts'
import type { Finding, Run, RunRecord } from '../../../bundle/record.ts'
import type { Target } from '../../config/target.ts'
import { identified, type Exchange } from '../../wire/exchange.ts'
import type { ScenarioExecution } from '../../scenario/ending.ts'
import { readAgain } from '../../../bundle/text.ts'
import { type ScenarioAttempts, attemptsByScenario, inLooks, asOne } from './attempts.ts'
import { judgeScenario } from './judge.ts'
import type { Scenarios } from '../plan/plan.ts'
import { answersFor } from './run-record.ts'
import { watchReplies } from './same-reply.ts'

/**
 * The record with the verdicts of today's judges. Scenarios that were not run, and checks that these scenarios no longer
 * have, keep their findings; `onMore` is called with each finding of a scenario for which the record has none. `policy`
 * and clause set may be others than at the time of the run.
 */
export function rejudge(
  { record, journal }: Run,
  scenarios: Scenarios,
  { dialect, policy, identifiers, contract }: Pick<Target, 'dialect' | 'policy' | 'contract' | 'identifiers'>,
  onMore?: (finding: Finding) => void,
): RunRecord {
  const before = new Set(record.findings.map(({ check }) => check))
  const recordedSet = clauseSetOf(record.contract)
  const again = new Map<string, Finding>()
  const attempts = attemptsByScenario(record.scenarioRuns)
  for (const [id, made] of attempts) {
    const scenario = Object.hasOwn(scenarios, id) ? scenarios[id] : undefined
    if (!scenario) continue
    const judged = (recorded: ScenarioExecution): readonly Finding[] => {
      const exchanges = recorded.exchanges.map((one) => identified(one, identifiers))
      const findings = judgeScenario(id, scenario, { ...recorded, exchanges }, dialect)
      return findings.map((finding) => atLevel(finding, recordedSet))
    }
    const found = scenario.rule
      ? inShards(record, journal).map((part) => {
          const look = (at: number): readonly Finding[] => judged(wholeRun(id, part, attempts, at))
          return inLooks(look(1), attempts, part, look)
        })
      : [asOne(made.map(({ run, has }) => judged({ ...run, exchanges: sentIn(journal, has) })))]
    for (const one of worstOf(found)) {
      const finding = readAgain(one)
      again.set(finding.check, finding)
      if (!before.has(finding.check)) onMore?.(finding)
    }
  }
  const found = record.findings.map((finding) => again.get(finding.check) ?? finding)
  const findings = watchReplies(journal, record).without(found)
  const judged = { ...record, findings, contract: contract ?? record.contract }
  return { ...judged, ...answersFor(judged, scenarios, policy, record.run.endedAt) }
}

/** A request that a cap withheld was never sent, and one that came too early has another in its place. */
function sentIn(journal: readonly Exchange[], has: (exchange: Exchange) => boolean): readonly Exchange[] {
  const replaced = new Set(journal.flatMap(({ insteadOf }) => (insteadOf === undefined ? [] : [insteadOf])))
  return journal.filter((one) => has(one) && one.failure?.kind !== 'budget' && !replaced.has(one.id))
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
 * What a rule is judged over: every exchange of the scenarios that were judged, in the order of time, and the
 * contradictions of the states that they entered; its notes name these states by scenario. `look`: which attempt at each
 * scenario counts, from 1; where there were fewer, the last one.
 */
export function wholeRun(
  scenario: string,
  journal: readonly Exchange[],
  attempts: ScenarioAttempts,
  look = 1,
): ScenarioExecution {
  const chosen = new Map([...attempts].map(([id, made]) => [id, made[Math.min(look, made.length) - 1]]))
  const runs = [...chosen.values()].flatMap((one) => one?.run ?? [])
  const exchanges = sentIn(journal, (one) => chosen.get(one.scenario)?.has(one) === true)
  const notes = Object.fromEntries(
    runs.flatMap(({ scenario: id, states }) =>
      states.length === 0 ? [] : [[id, [...new Set(states.map(({ state }) => state))].join(' ')]],
    ),
  )
  return {
    scenario,
    exchanges: exchanges.toSorted((one, other) => one.sentAt - other.sentAt || one.id - other.id),
    notes,
    ending: null,
    crash: null,
    states: runs.flatMap(({ states }) => states.filter(({ mismatch }) => mismatch)),
    stuck: [],
  }
}
