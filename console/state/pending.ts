/** What waits for the next requests: network faults and failures. */
import { api, bodyOf } from './api.ts'
import { ofTenant } from './tenant.ts'

export async function readPending() {
  const params = { path: ofTenant() }
  const [{ networkFaults }, { failures }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/network-faults', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/failures', { params })),
  ])
  return { networkFaults, failures }
}
