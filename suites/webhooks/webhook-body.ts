/** The body of a creation, for scenarios that write the request themselves. */
import { retiredWebhookEvent, webhookEvents, type WebhookEvent } from '../../spec/index.ts'
import type { Driver } from '../scenario/driver.ts'
import type { Json } from '../wire/json.ts'
import { notCreated } from '../assertions/not-created.ts'
import { identityOf, type Identity } from './assertions/management/webhook-record.ts'
import type { Exchange } from '../wire/exchange.ts'

type Writer = Pick<Driver, 'text' | 'uuid'>

/** An endpoint that nobody receives at, for a webhook that never has to deliver. */
export function elsewhere({ uuid }: Pick<Writer, 'uuid'>, scheme = 'https'): string {
  return `${scheme}://example.com/touchstone/${uuid()}`
}

/** A rare event, so that a webhook sends little while it exists. */
export const seldom: WebhookEvent = 'payment.rejected'

/** All five members, so that a single one can be omitted or invalid. */
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

export function bodyWithout(
  body: Readonly<Record<string, Json>>,
  member: string,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member))
}

/** Ends the scenario if nothing was created. */
export function mustBeCreated(t: Pick<Driver, 'stop'>, exchange: Exchange): Identity {
  return identityOf(exchange) ?? t.stop(notCreated(exchange))
}

export const everyEvent = Object.keys(webhookEvents) as readonly WebhookEvent[]
export const retiredEvent = retiredWebhookEvent
