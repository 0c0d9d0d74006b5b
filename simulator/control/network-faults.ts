/** Routes for trouble on the wire. */
import type { Call } from '../server/call.ts'
import type { SimulatorLimits } from '../limits.ts'
import type { Tenant } from '../tenant.ts'
import { ok, refusing, type ControlResponse } from './answer.ts'
import { validBody } from './request.ts'
import { proveNetworkFaults } from './room.ts'

export function addNetworkFaults(tenant: Tenant, call: Call, limits: SimulatorLimits): ControlResponse {
  const { networkFaults } = validBody(call, 'NetworkFaultList')
  proveNetworkFaults(limits, tenant.state.networkFaults.armed.length, networkFaults)
  refusing(400, () => tenant.addNetworkFaults(networkFaults))
  return ok({ added: networkFaults.length, active: tenant.state.networkFaults.armed.length })
}

export function clearNetworkFaults(tenant: Tenant): ControlResponse {
  const removed = tenant.state.networkFaults.armed.length
  tenant.clearNetworkFaults()
  return ok({ removed })
}
