/** Routes for server errors. */
import type { Call } from '../server/call.ts'
import type { SimulatorLimits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import { ok, refusing, type ControlResponse } from './answer.ts'
import { validBody } from './request.ts'
import { ControlRefusal } from './refusal.ts'
import { proveRoom } from './room.ts'

export function addFailure(tenant: Tenant, call: Call, limits: SimulatorLimits): ControlResponse {
  const { agentId, principal, status, ...rest } = validBody(call, 'FailureRequest')
  const { outages } = tenant.state
  if (principal !== undefined && !Object.hasOwn(tenant.keys, principal))
    throw new ControlRefusal(
      400,
      `Unknown principal \`${principal}\`: give the role of an API key, such as main.`,
    )
  proveRoom(limits, 'failures', outages.length)
  refusing(400, () =>
    tenant.fail({
      ...rest,
      status,
      ...(agentId === undefined ? {} : { agent: agentId }),
      ...(principal === undefined ? {} : { apiKey: principal }),
    }),
  )
  return ok({ added: 1, active: outages.length })
}

export function clearFailures(tenant: Tenant): ControlResponse {
  const removed = tenant.state.outages.length
  tenant.clearFailures()
  return ok({ removed })
}
