/** Webhooks, their deliveries, and the time on the clock that schedules them. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { ofTenant } from '../state/tenant.ts'

export type Webhook = Schemas['OwnedWebhook']
export type Delivery = Schemas['SentDelivery']

export async function readWebhooks() {
  const params = { path: ofTenant() }
  const [{ webhooks }, { deliveries }, { now }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/webhooks', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/deliveries', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/clock', { params })),
  ])
  return { webhooks, deliveries, now: Date.parse(now) }
}
