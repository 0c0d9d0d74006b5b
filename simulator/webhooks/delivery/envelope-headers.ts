/** The headers of an attempt: those of the service, then what is left of the webhook's own. */
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { DeliveryRules } from '../rules.ts'

export function deliveryHeadersOf({
  signatureHeader,
  deliveryIdHeader,
  eventHeader,
  userAgent,
}: Identifiers): DeliveryRules['deliveryHeaders'] {
  return (delivery, attempt, body, rules) => [
    ['Content-Type', 'application/json'],
    [signatureHeader, rules.signature(body, delivery.webhook.secret)],
    [deliveryIdHeader, rules.attemptId(delivery, attempt)],
    [eventHeader, delivery.occurrence.event],
    ['User-Agent', userAgent],
    ...delivery.webhook.customHeaders.filter(([name]) => !rules.isReservedHeader(name)),
  ]
}
