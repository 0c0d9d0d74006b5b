/** What scenarios about deliveries do again and again. */
import type { WebhookEvent } from '../../spec/index.ts'
import { quietEvent } from '../scenario/webhook-driver.ts'
import type { Driver } from '../scenario/driver.ts'
import type { Json } from '../wire/json.ts'
import type { Endpoint, Hook, ManageRequest } from '../scenario/webhook-driver.ts'
import { entryOf, shows, showsWith } from './assertions/management/webhook-record.ts'
import type { Exchange } from '../wire/exchange.ts'

/** An event that is not the one given, and that no other scenario makes happen if it can be helped. */
export function otherThan(event: WebhookEvent): WebhookEvent {
  return event === quietEvent ? 'payment.rejected' : quietEvent
}

/** Sends a sample to this webhook. */
export function sampleTo({ id }: Hook): ManageRequest {
  return { method: 'POST', path: `/${encodeURIComponent(id)}/test` }
}

/** Reads what the target remembers of this webhook. */
export function logOf({ id }: Hook): ManageRequest {
  return { path: `/${encodeURIComponent(id)}/logs` }
}

/** The list, once it has what these created. */
export function listOf(...creations: readonly Exchange[]): ManageRequest {
  return { until: (list) => shows(list, creations) }
}

/** The list, once it has this webhook with these members. */
export function listWith(
  { id }: Pick<Hook, 'id'>,
  members: Readonly<Record<string, Json>> = {},
): ManageRequest {
  return { until: (list) => showsWith(list, id, members) }
}

/** The list, once this webhook is no more on it and that one is. */
export function listWithout(gone: Exchange, kept: Exchange): ManageRequest {
  return { until: (list) => shows(list, [kept]) && entryOf(list, gone) === undefined }
}

/** On the target's clock: several times as long as any backoff of a few seconds. */
const absenceMs = 60_000

/** On the target's clock, where it can be moved on: whatever is sent for something done is here then. */
const alsoMs = 5_000
/** The same in real time. */
const soonMs = 150

export type Lulled = Pick<Driver, 'clock' | 'settle' | 'pause'>

/** Gives what was just done a little time to be told of. */
export function lull(t: Lulled): Promise<void> {
  return t.clock === 'control' ? t.settle(alsoMs) : t.pause(soonMs)
}

/** Whether nothing comes here while nothing is done. */
export async function isQuiet(t: Lulled, place: Pick<Endpoint, 'count'>): Promise<boolean> {
  const { count } = place
  await lull(t)
  return place.count === count
}

/** Waits as long as it takes to say that nothing more comes to any of these places. */
export function untilSilent(t: Waiter, ...[endpoint]: readonly Endpoint[]): Promise<boolean> {
  return endpoint ? arrivedIn(t, endpoint, Number.POSITIVE_INFINITY, absenceMs) : Promise.resolve(false)
}

type Waiter = Pick<Driver, 'settle' | 'clock'>

/**
 * As `arrived`, over a long time: a clock that the run moves on makes one step of it, which costs next to nothing
 * and tells less exactly when something came.
 */
export async function arrivedIn(t: Waiter, endpoint: Endpoint, count: number, ms: number): Promise<boolean> {
  if (t.clock === 'real') return endpoint.arrived(count, ms)
  await t.settle(ms)
  return endpoint.arrived(count, 0)
}

/**
 * Makes the event of the scenario happen, and waits for it at this place: notes within how many seconds it came, on
 * the target's clock, which nobody but the scenario can tell.
 */
export async function emitAndTime(t: Pick<Driver, 'emit' | 'note'>, endpoint: Endpoint): Promise<void> {
  // What came before is none of the event.
  const next = endpoint.count + 1
  await t.emit()
  if (await endpoint.arrived(next, 5_000)) t.note('within', 5)
  else t.note('within', (await endpoint.arrived(next, 10_000)) ? 15 : 0)
  await endpoint.arrived(next)
}
