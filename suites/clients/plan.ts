/** What a client will be asked, in which order, and the most it may send. Pure: nothing is started. */
import type { Ending } from '../scenario/ending.ts'
import { checkId } from '../runner/outcome/judge.ts'
import { knownChecks } from '../runner/plan/known.ts'
import { planOf, type Planned, type PlannedScenario } from '../runner/plan/plan.ts'
import { mustMatch, selected } from '../runner/plan/selection.ts'
import { unknownEntries } from '../policy/stale.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import { clientScenarios, clientScenariosFor } from './index.ts'
import type { ClientScenario } from './client-scenario.ts'
import type { ClientSubject } from './subject.ts'
import type { Action } from './execution/task.ts'

export interface PlannedClientScenario extends PlannedScenario {
  scenario: ClientScenario
}

export interface PlannedClient extends Planned {
  scenarios: readonly PlannedClientScenario[]
}

export type ClientScenarios = Readonly<Record<string, ClientScenario>>

/**
 * Scenarios that concern another kind of client are not planned. `only`: see `planRun`. Throws a ConfigurationError for
 * patterns and policy entries that match nothing.
 */
export function planClient(
  { as, can, policy }: ClientSubject,
  only: readonly string[] = [],
  all: ClientScenarios = clientScenariosFor(as),
): PlannedClient {
  mustMatch({ ...clientScenarios, ...all }, only)
  const scenarios = Object.entries(all)
    .map(([id, scenario]) => ({
      id,
      scenario,
      subjects: selected(id, scenario, only),
      outlook: lacking(scenario, can),
    }))
    .filter(({ subjects }) => subjects.length > 0)
  if (scenarios.length === 0)
    throw new ConfigurationError(`what matches ${only.join(', ')} concerns another kind of client; see --as`)
  const unknown = unknownEntries({ policy, known: knownChecks(all, 'standard') })
  if (unknown.length > 0) throw new ConfigurationError(...unknown)
  const checks = scenarios.flatMap(({ id, subjects }) =>
    subjects.map((clause) => ({ check: checkId(id, clause), subject: clause, scenario: id })),
  )
  const requests = scenarios
    .filter(({ outlook }) => outlook === null)
    .reduce((sum, { scenario }) => sum + scenario.cost.requests, 0)
  const chosen = { profile: 'standard', only } as const
  return { plan: planOf(checks, all, chosen, { requests, turns: 0 }), scenarios }
}

function lacking({ steps: acts }: ClientScenario, can: readonly Action[]): Ending | null {
  const missing = Object.values(acts).find(({ task }) => !can.includes(task.do))
  if (missing === undefined) return null
  return { is: 'not-applicable', because: `the client was said not to have \`${missing.task.do}\`` }
}
