/** The most that planned scenarios can take. */
import type { Target } from '../../config/target.ts'
import type { AnyScenario, Cost } from '../../scenario/scenario.ts'
import { searchMost } from '../requests/envelope.ts'
import { floodMost } from '../requests/flood.ts'
import { stateProbes } from '../states/probes-by-state.ts'
import { provisionOf } from '../states/state-providers.ts'
import type { Ending } from '../../scenario/ending.ts'

/** Whether the file can be right: a request, a turn where its answer speaks against that, and one of the session. */
const preflight: Cost = { requests: 3, turns: 1 }

interface Planned {
  scenario: AnyScenario
  outlook: Ending | null
}

export function ceilingOf(scenarios: readonly Planned[], target: Target): Cost {
  const runnable = scenarios.filter(({ outlook }) => outlook === null)
  return sum([preflight, ...runnable.map(({ scenario }) => scenarioCost(scenario, target)), searchOf(target)])
}

/** The most that one scenario can take, with the probes of its states. */
export function scenarioCost({ cost, needs }: AnyScenario, target: Target): Cost {
  const ofStates = (needs?.states ?? []).flatMap((state) => [
    ...(stateProbes[state].asksFirst ? [{ requests: 1, turns: 1 }] : []),
    ...(state === 'rate.limited' && provisionOf(state, target).provide === 'wire'
      ? [{ requests: floodMost, turns: 1 }]
      : []),
  ])
  return sum([cost, ...ofStates])
}

/**
 * The most requests of a scenario that the rate of a key holds back. One with a session sends its other requests without
 * a key, and with one few, to be refused.
 */
export const pacedRequests = ({ needs, cost }: AnyScenario): number =>
  needs?.session ? cost.turns : cost.requests

/** The same for all scenarios that can run. */
export const pacedCeiling = (scenarios: readonly Planned[]): number =>
  scenarios.reduce((all, { scenario, outlook }) => all + (outlook ? 0 : pacedRequests(scenario)), 0)

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce((all, { requests, turns }) => ({
    requests: all.requests + requests,
    turns: all.turns + turns,
  }))
}

/** What is not declared of how an input is wrapped is found out with a read. */
function searchOf({ dialect, fixtures }: Target): Cost {
  const searches = dialect.execution?.input === undefined && fixtures.operations.length > 0
  return { requests: searches ? searchMost : 0, turns: 0 }
}
