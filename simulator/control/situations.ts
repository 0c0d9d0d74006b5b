/** The route that puts a tenant into a situation. */
import type { Call } from '../server/call.ts'
import { isSituationName, situationNames } from '../situations/situations.ts'
import type { Tenant } from '../tenant.ts'
import { createdResponse, controlError, type ControlResponse } from './answer.ts'
import { ControlRefusal } from './refusal.ts'
import { validBody } from './request.ts'

export async function postSituation(tenant: Tenant, call: Call): Promise<ControlResponse> {
  const name = call.params['situation'] ?? ''
  if (!isSituationName(name))
    throw new ControlRefusal(404, `Unknown situation \`${name}\`; known: ${situationNames.join(', ')}.`)
  const { endpoint } = validBody(call, 'SituationRequest')
  const options = endpoint === undefined ? {} : { endpoint }
  const prepared = await tenant.prepareSituation(name, options).catch(controlError(409))
  return createdResponse({ ...prepared, steps: prepared.steps.map((step) => ({ ...step })) })
}
