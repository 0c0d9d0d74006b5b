/** What will be posted to a receiver, in which order, and the most it can take. Pure: no request is made. */
import { notExercised, type Ending } from '../scenario/ending.ts'
import { checkId } from '../runner/outcome/judge.ts'
import { knownChecks } from '../runner/plan/known.ts'
import { planOf, type Planned, type PlannedScenario } from '../runner/plan/plan.ts'
import { mustMatch, selected } from '../runner/plan/selection.ts'
import { unknownEntries } from '../policy/stale.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import { receiverScenarios } from './index.ts'
import type { ReceiverScenario } from './receiver-scenario.ts'
import type { Subject } from './subject.ts'

export interface PlannedReceiverScenario extends PlannedScenario {
  scenario: ReceiverScenario
}

export interface PlannedReceiver extends Planned {
  scenarios: readonly PlannedReceiverScenario[]
}

/** The delivery before the run. */
const preflight = 1

const withoutEffects: Ending = notExercised(
  'effects-unknown',
  'give --effects with {id} in it, such as http://localhost:3000/effects/{id}',
).ending

/** `only`: see `planRun`. Throws a ConfigurationError for patterns and policy entries that match nothing. */
export function planReceiver(subject: Subject, only: readonly string[] = []): PlannedReceiver {
  mustMatch(receiverScenarios, only)
  const scenarios = Object.entries(receiverScenarios)
    .map(([id, scenario]) => ({ id, scenario, subjects: selected(id, scenario, only), outlook: null }))
    .filter(({ subjects }) => subjects.length > 0)
    .map((scenario) =>
      scenario.scenario.effects && subject.effects === null
        ? { ...scenario, outlook: withoutEffects }
        : scenario,
    )
  const unknown = unknownEntries({
    policy: subject.policy,
    known: knownChecks(receiverScenarios, 'standard'),
  })
  if (unknown.length > 0) throw new ConfigurationError(...unknown)
  const checks = scenarios.flatMap(({ id, subjects }) =>
    subjects.map((clause) => ({ check: checkId(id, clause), subject: clause, scenario: id })),
  )
  const requests = scenarios
    .filter(({ outlook }) => outlook === null)
    .reduce((sum, { scenario }) => sum + scenario.cost.requests, preflight)
  const chosen = { profile: 'standard', only } as const
  return { plan: planOf(checks, receiverScenarios, chosen, { requests, turns: 0 }), scenarios }
}
