/** The route that brings about a situation by its name. */
import type { Call } from '../http/call.ts'
import { isScenarioName, scenarioNames } from '../scenarios/arrange.ts'
import type { Tenant } from '../tenant.ts'
import { created, refuse, type Answer } from './answer.ts'
import { ControlRefusal } from './refusal.ts'
import { bodyOf } from './request.ts'

export async function arrangeScenario(tenant: Tenant, call: Call): Promise<Answer> {
  const name = call.params['scenario'] ?? ''
  if (!isScenarioName(name))
    throw new ControlRefusal(404, `There is no scenario \`${name}\`; there are: ${scenarioNames.join(', ')}.`)
  const { endpoint } = bodyOf(call, 'ArrangeRequest')
  const cast = await tenant.arrange(name, endpoint === undefined ? {} : { endpoint }).catch(refuse(409))
  return created({ ...cast, steps: cast.steps.map((step) => ({ ...step })) })
}
