/** Routes for trouble on the wire. */
import type { Call } from '../server/call.ts'
import type { Limits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import { done, refusing, type Answer } from './answer.ts'
import { bodyOf } from './request.ts'
import { proveDisturbances } from './room.ts'

export function addDisturbances(tenant: Tenant, call: Call, limits: Limits): Answer {
  const { disturbances } = bodyOf(call, 'DisturbanceList')
  proveDisturbances(limits, tenant.state.disturbances.armed.length, disturbances)
  refusing(400, () => tenant.disturb(disturbances))
  return done
}

export function clearDisturbances(tenant: Tenant): Answer {
  tenant.clearDisturbances()
  return done
}
