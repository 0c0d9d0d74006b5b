/** The route that puts a tenant into a situation. */
import type { Call } from '../server/call.ts'
import { isSituationName, situationNames } from '../situations/situations.ts'
import type { Tenant } from '../tenant.ts'
import { created, refuse, type Answer } from './answer.ts'
import { ControlRefusal } from './refusal.ts'
import { bodyOf } from './request.ts'

export async function postSituation(tenant: Tenant, call: Call): Promise<Answer> {
  const name = call.params['situation'] ?? ''
  if (!isSituationName(name))
    throw new ControlRefusal(404, `Unknown situation \`${name}\`; known: ${situationNames.join(', ')}.`)
  const { endpoint } = bodyOf(call, 'SituationRequest')
  const options = endpoint === undefined ? {} : { endpoint }
  const prepared = await tenant.prepareSituation(name, options).catch(refuse(409))
  return created({ ...prepared, steps: prepared.steps.map((step) => ({ ...step })) })
}
