/** A second attempt at a scenario whose requests did not overlap: on a busy machine that is not the target's fault. */
import type { Exchange } from '../wire/exchange.ts'
import type { Finding, ScenarioRun } from '../../bundle/record.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'

/** Whether requests that should overlap did not, so that a MUST clause is inconclusive, and nothing worse was found. */
export function wasUnmet(found: readonly Finding[], { raced, crash, stuck }: ScenarioExecution): boolean {
  const unmet = found.some(({ verdict, level }) => verdict === 'inconclusive' && level === 'must')
  const decided = found.some(({ verdict }) => ['fail', 'error', 'not-exercised'].includes(verdict))
  return raced === true && unmet && !decided && crash === null && stuck.length === 0
}

/** The first exchange of the attempt that was judged. */
export function beginningOf({ exchanges }: ScenarioExecution): Pick<ScenarioRun, 'since'> {
  return exchanges.length === 0 ? {} : { since: Math.min(...exchanges.map(({ id }) => id)) }
}

export function isJudged(
  { scenario, id }: Exchange,
  planned: Pick<ScenarioRun, 'scenario' | 'since'>,
): boolean {
  return scenario === planned.scenario && id >= (planned.since ?? 0)
}
