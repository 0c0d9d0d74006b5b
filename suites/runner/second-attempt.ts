/** A race that did not come about is run once more: on a busy machine that says nothing about the target. */
import type { Exchange } from '../wire/exchange.ts'
import type { Finding, ScenarioRun } from '../../reports/bundle/record.ts'
import type { Target } from '../config/target.ts'
import { ceilingOf, type Planned, type PlannedScenario } from './plan/plan.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { Cost } from '../scenario/scenario.ts'

/** Whether a scenario whose requests were to meet left a must without an answer, and showed nothing else. */
export function wasUnmet(found: readonly Finding[], { raced, crash, stuck }: ScenarioExecution): boolean {
  const unmet = found.some(({ verdict, level }) => verdict === 'inconclusive' && level === 'must')
  const told = found.some(({ verdict }) => ['fail', 'error', 'not-exercised'].includes(verdict))
  return raced === true && unmet && !told && crash === null && stuck.length === 0
}

export interface Slack {
  /** Whether the plan allows for one more run of a scenario beside all that is still to come. */
  has(scenario: PlannedScenario): boolean
  ended(scenario: PlannedScenario): void
}

/** A plan holds for a second attempt, too: it takes what others were allowed and did not send. */
export function slackOf({ plan, scenarios }: Planned, target: Target, used: () => Cost): Slack {
  const open = new Set(scenarios)
  return {
    has(scenario) {
      const rest = ceilingOf(
        [...open].filter((one) => one !== scenario),
        target,
      )
      const [most, now] = [plan.ceiling, used()]
      const fits = (name: keyof Cost & ('requests' | 'turns')): boolean =>
        now[name] + rest[name] + scenario.scenario.cost[name] <= most[name]
      return fits('requests') && fits('turns')
    },
    ended: (scenario) => void open.delete(scenario),
  }
}

/** Where the attempt begins whose exchanges were judged. */
export function beginningOf({ exchanges }: ScenarioExecution): Pick<ScenarioRun, 'since'> {
  return exchanges.length === 0 ? {} : { since: Math.min(...exchanges.map(({ id }) => id)) }
}

/** Whether an exchange is part of what a scenario was judged by. */
export function isJudged(
  { scenario, id }: Exchange,
  planned: Pick<ScenarioRun, 'scenario' | 'since'>,
): boolean {
  return scenario === planned.scenario && id >= (planned.since ?? 0)
}
