/** Requests and waits that scenarios about deliveries share. */
import { type WebhookEvent, retiredWebhookEvent, webhookEvents } from '../../spec/index.ts'
import { type Endpoint, type Hook, type ManageRequest } from '../scenario/webhook-driver.ts'
import type { Driver } from '../scenario/scenario.ts'
import {
  createdWebhook,
  entryOf,
  shows,
  showsWith,
  identityOf,
  type Identity,
} from './assertions/management/webhook-record.ts'
import type { Exchange, Json } from '../wire/exchange.ts'
import { notCreated } from '../assertions/answer.ts'

export function sampleTo({ id }: Pick<Hook, 'id'> & Partial<Hook>): ManageRequest {
  return { method: 'POST', path: `/${encodeURIComponent(id)}/test` }
}

export function readLogOf({ id }: Pick<Hook, 'id'> & Partial<Hook>): ManageRequest {
  return { path: `/${encodeURIComponent(id)}/logs` }
}

/** The list, as soon as it has what these requests created. */
export function listWithAll(...creations: readonly Exchange[]): ManageRequest {
  return { until: (list) => shows(list, creations) }
}

/** The list, as soon as it has this webhook with these members. */
export function listWith(
  { id }: Pick<Hook, 'id'>,
  members: Readonly<Record<string, Json>> = {},
): ManageRequest {
  return { until: (list) => showsWith(list, id, members) }
}

/** The list, as soon as it has the second webhook and no longer the first. */
export function listWithout(gone: Exchange, kept: Exchange): ManageRequest {
  return { until: (list) => shows(list, [kept]) && entryOf(list, gone) === undefined }
}

/** On the target's clock: several times as long as a backoff of a few seconds. */
const absenceMs = 60_000

/** On a controllable clock: all requests caused by an action have arrived within this time. */
const alsoMs = 5_000
/** The same in real time. */
const soonMs = 150

export type Lulled = Pick<Driver, 'clock' | 'settle' | 'pause'>

/** Waits a little for deliveries of the last action. */
export function lull(t: Lulled): Promise<void> {
  return t.clock === 'control' ? t.settle(alsoMs) : t.pause(soonMs)
}

/** Whether nothing arrives here without an action. */
export async function isQuiet(t: Lulled, place: Pick<Endpoint, 'count'>): Promise<boolean> {
  const { count } = place
  await lull(t)
  return place.count === count
}

/** Waits until no more can arrive at any of these endpoints. */
export function untilSilent(t: Waiter, ...[endpoint]: readonly Endpoint[]): Promise<boolean> {
  return endpoint ? arrivedIn(t, endpoint, Number.POSITIVE_INFINITY, absenceMs) : Promise.resolve(false)
}

type Waiter = Pick<Driver, 'settle' | 'clock'>

/**
 * Like `arrived`, for a long time: a controllable clock is advanced in one step, which costs nothing, but shows less
 * precisely when something arrived.
 */
export async function arrivedIn(t: Waiter, endpoint: Endpoint, count: number, ms: number): Promise<boolean> {
  if (t.clock === 'real') return endpoint.arrived(count, ms)
  await t.settle(ms)
  return endpoint.arrived(count, 0)
}

/**
 * Causes the event of the scenario and waits for it here; notes the seconds on the target's clock, which only the
 * scenario knows.
 */
export async function emitAndTime(t: Pick<Driver, 'emit' | 'note'>, endpoint: Endpoint): Promise<void> {
  // Earlier requests are not caused by the event.
  const next = endpoint.count + 1
  await t.emit()
  if (await endpoint.arrived(next, 5_000)) t.note('within', 5)
  else t.note('within', (await endpoint.arrived(next, 10_000)) ? 15 : 0)
  await endpoint.arrived(next)
}

type Writer = Pick<Driver, 'text' | 'uuid'>

/** An endpoint without a receiver, for a webhook that never has to deliver. */
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
  return identityOf(exchange) ?? t.stop(notCreated(exchange), createdWebhook(exchange))
}

/** Events that a turn may cause by itself. */
export const chatty: readonly WebhookEvent[] = ['message.sent', 'tool.executed']

export const everyEvent = Object.keys(webhookEvents) as readonly WebhookEvent[]
export const retiredEvent = retiredWebhookEvent
