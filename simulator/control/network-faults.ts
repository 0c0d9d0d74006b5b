/** Routes for trouble on the wire. */
import type { Call } from '../server/call.ts'
import type { Limits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import { done, refusing, type Answer } from './answer.ts'
import { bodyOf } from './request.ts'
import { proveNetworkFaults } from './room.ts'

export function addNetworkFaults(tenant: Tenant, call: Call, limits: Limits): Answer {
  const { networkFaults } = bodyOf(call, 'NetworkFaultList')
  proveNetworkFaults(limits, tenant.state.networkFaults.armed.length, networkFaults)
  refusing(400, () => tenant.addNetworkFaults(networkFaults))
  return done
}

export function clearNetworkFaults(tenant: Tenant): Answer {
  tenant.clearNetworkFaults()
  return done
}
