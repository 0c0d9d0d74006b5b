/** By which provider of the state providers each planned check would come about, and which would not. Pure. */
import { eventState, type StateId } from '../../spec/index.ts'
import { chooseEvent, choosingFor } from '../../suites/runner/plan/event-choice.ts'
import { provisionOf } from '../../suites/runner/states/state-providers.ts'
import type { Planned, PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Permits } from '../../suites/runner/states/providers/provider.ts'
import type { PlannedCheck } from '../../suites/record.ts'
import type { Provide } from '../../suites/config/provided.ts'
import type { Target } from '../../suites/config/target.ts'

/** From the suite alone to nobody: of several states, the one that is hardest to have counts. */
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
  /** Null where it will be exercised. */
  notExercised: { reason: string; because: string } | null
}

/** What cannot be had is said of the scenario as a whole. */
const everything: Permits = { allowExec: true, ask: () => Promise.resolve(false) }

export function statesOf({ id, scenario }: PlannedScenario, target: Target): PlannedProvider['states'] {
  const { needs = {} } = scenario
  const event = needs.event && chooseEvent(needs, target, choosingFor(id, target, everything))
  const happening = typeof event === 'string' ? [eventState(event)] : []
  const states = [...(needs.states ?? []), ...happening]
  return Object.fromEntries(states.map((state) => [state, provisionOf(state, target).provide]))
}

export function providerOf(scenario: PlannedScenario, target: Target): Provide {
  const rungs = Object.values(statesOf(scenario, target))
  return providers.findLast((provider) => rungs.includes(provider)) ?? 'wire'
}

export function rungsOf({ plan, scenarios }: Planned, target: Target): readonly PlannedProvider[] {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  return plan.checks.flatMap((check) => {
    const scenario = byId.get(check.scenario)
    if (!scenario) return []
    return [
      {
        ...check,
        provider: providerOf(scenario, target),
        states: statesOf(scenario, target),
        notExercised: left(scenario),
      },
    ]
  })
}

function left({ outlook }: PlannedScenario): PlannedProvider['notExercised'] {
  if (!outlook) return null
  return { reason: outlook.is === 'not-exercised' ? outlook.reason : outlook.is, because: outlook.because }
}
