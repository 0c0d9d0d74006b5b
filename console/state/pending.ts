/** What waits for the next requests: network faults and failures. */
import { api, bodyOf } from './api.ts'
import { inTenant } from './tenant.ts'

export async function readPending() {
  const [{ networkFaults }, { failures }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/network-faults', inTenant())),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/failures', inTenant())),
  ])
  return { networkFaults, failures }
}
