/** What is sent to create a webhook, where the scenario writes the request itself. */
import { retiredWebhookEvent, webhookEvents, type WebhookEvent } from '../../spec/index.ts'
import type { Driver } from '../scenario/driver.ts'
import type { Json } from '../wire/json.ts'
import { notCreated } from '../assertions/not-created.ts'
import { identityOf, type Identity } from './assertions/management/webhook-record.ts'
import type { Exchange } from '../wire/exchange.ts'

type Writer = Pick<Driver, 'text' | 'uuid'>

/** An endpoint that anybody may name and nobody receives at; a webhook with it is not made to deliver anything. */
export function elsewhere({ uuid }: Pick<Writer, 'uuid'>, scheme = 'https'): string {
  return `${scheme}://example.com/touchstone/${uuid()}`
}

/** An event that comes about seldom, so that a webhook of ours has little to send while it exists. */
export const seldom: WebhookEvent = 'payment.rejected'

/** All five members, so that one can be left out or spoilt and nothing else be amiss. */
export function webhookBody(t: Writer, change: Readonly<Record<string, Json>> = {}) {
  return {
    name: t.text(24),
    endpoint_url: elsewhere(t),
    events: [seldom],
    description: t.text(32),
    custom_headers: { 'X-Touchstone': 'one' },
    ...change,
  } satisfies Record<string, Json>
}

/** The same without one member. */
export function without(
  body: Readonly<Record<string, Json>>,
  member: string,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member))
}

/** Ends the scenario where nothing was created. */
export function mustBeCreated(t: Pick<Driver, 'stop'>, exchange: Exchange): Identity {
  return identityOf(exchange) ?? t.stop(notCreated(exchange))
}

export const everyEvent = Object.keys(webhookEvents) as readonly WebhookEvent[]
export const retiredEvent = retiredWebhookEvent
