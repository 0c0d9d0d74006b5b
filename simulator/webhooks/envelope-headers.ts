/** The headers of an attempt: those of the service, then what is left of the webhook's own. */
import type { Header } from '../http/reply.ts'
import { isReservedHeader } from './custom-headers.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveryRules } from './rules.ts'

export function deliveryHeaders(
  delivery: Delivery,
  attempt: number,
  body: Uint8Array,
  rules: DeliveryRules,
): readonly Header[] {
  const { webhook, occurrence } = delivery
  return [
    ['Content-Type', 'application/json'],
    ['x-service-signature', rules.signature(body, webhook.secret)],
    ['x-service-delivery-id', rules.attemptId(delivery, attempt)],
    ['x-service-event', occurrence.event],
    ['User-Agent', 'Service-Webhooks/1.0'],
    ...webhook.customHeaders.filter(([name]) => !isReservedHeader(name)),
  ]
}
