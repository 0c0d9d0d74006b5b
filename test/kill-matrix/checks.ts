/** Every check that has to be shown able to fail: a clause in a scenario, of whatever profile. */
import { clientScenarios } from '../../suites/clients/index.ts'
import { receiverScenarios, serverScenarios, type AnyScenario } from '../../suites/index.ts'

export const serverChecks = checksIn(serverScenarios)
export const receiverChecks = checksIn(receiverScenarios)
/** Those of the library and of command lines among them. */
export const clientChecks = checksIn(clientScenarios)

function checksIn(scenarios: Readonly<Record<string, AnyScenario>>): readonly string[] {
  return Object.entries(scenarios).flatMap(([scenario, { judge }]) =>
    Object.keys(judge).map((clause) => `${scenario}/${clause}`),
  )
}
