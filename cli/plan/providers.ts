/** The state providers of each planned check, and the checks that will not be tested. */
import { eventState, type StateId } from '../../spec/index.ts'
import { chooseEvent, choosingFor } from '../../suites/runner/plan/event-choice.ts'
import { provisionOf } from '../../suites/runner/states/state-providers.ts'
import type { Planned, PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Permits } from '../../suites/runner/states/providers/provider.ts'
import type { PlannedCheck } from '../../reports/bundle/record.ts'
import { neededStates } from '../../suites/scenario/scenario.ts'
import type { Provide } from '../../suites/config/provided.ts'
import type { Target } from '../../suites/config/target.ts'

/** From the easiest to the hardest; of several states, the hardest counts. */
const providers: readonly Provide[] = [
  'wire',
  'fixture',
  'control',
  'http',
  'exec',
  'manual',
  'attest',
  'none',
]

export interface PlannedProvider extends PlannedCheck {
  provider: Provide
  states: Readonly<Partial<Record<StateId, Provide>>>
  /** Null if the check will be tested. */
  notExercised: { reason: string; because: string } | null
}

/** What is not permitted is reported for the scenario as a whole. */
const everything: Permits = { allowExec: true, ask: () => Promise.resolve(false) }

export function stateProvidersOf(
  { id, scenario }: PlannedScenario,
  target: Target,
): PlannedProvider['states'] {
  const { needs = {} } = scenario
  const event = needs.event && chooseEvent(needs, target, choosingFor(id, target, everything))
  const happening = typeof event === 'string' ? [eventState(event)] : []
  const states = [...neededStates(scenario), ...happening]
  return Object.fromEntries(states.map((state) => [state, provisionOf(state, target).provide]))
}

export function providerOf(scenario: PlannedScenario, target: Target): Provide {
  const provided = Object.values(stateProvidersOf(scenario, target))
  return providers.findLast((provider) => provided.includes(provider)) ?? 'wire'
}

export function plannedProviders({ plan, scenarios }: Planned, target: Target): readonly PlannedProvider[] {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  return plan.checks.flatMap((check) => {
    const scenario = byId.get(check.scenario)
    if (!scenario) return []
    return [
      {
        ...check,
        provider: providerOf(scenario, target),
        states: stateProvidersOf(scenario, target),
        notExercised: left(scenario),
      },
    ]
  })
}

function left({ outlook }: PlannedScenario): PlannedProvider['notExercised'] {
  if (!outlook) return null
  return { reason: outlook.is === 'not-exercised' ? outlook.reason : outlook.is, because: outlook.because }
}
