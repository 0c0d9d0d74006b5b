/** What waits for one webhook, and which of it goes out next. */
import type { Attempt, Delivery, DeliveryState } from './delivery.ts'
import { createQueue, type Queue } from './queue.ts'
import type { DeliveryRules } from './rules.ts'
import type { Webhook } from './webhook.ts'

/** A delivery on its way. */
export interface Parcel extends Delivery {
  readonly attempts: Attempt[]
  state: DeliveryState
  /** Order in which deliveries were made. */
  readonly sequence: number
  /** Attempts it may have in total. */
  readonly attemptsMost: number
  /** Whether the log shows it. */
  logged: boolean
}

export interface Lane {
  readonly webhook: Webhook
  /** Not tried yet. */
  readonly waiting: Queue<Parcel>
  /** Failed before, and their backoff is over. */
  readonly due: Queue<Parcel>
  /** Samples that somebody asked for: they wait for no pause and for no other delivery. */
  readonly urgent: Queue<Parcel>
  /** Live deliveries that were begun and have not ended. */
  open: number
  /** First attempts of live deliveries under way. */
  first: number
  /** Deliveries that failed since the last that succeeded, all of them at this URL. */
  failures: { readonly inARow: number; readonly url: string }
  /** Null while it is not paused. A pause is of an endpoint: another URL has none. */
  pause: null | { readonly until: number; readonly url: string }
  /** Whether it stands in the line of those that have something to send. */
  inLine: boolean
  /** Its webhook was removed, or its world forgot everything. */
  gone: boolean
  /** What sleeps on the clock for it; call one to forget it. */
  readonly sleeps: Set<() => void>
  /** Tried, or asleep before its first attempt, and not ended: the few besides those that have only ever queued. */
  readonly begun: Set<Parcel>
  /** The oldest first, no more than the log remembers. */
  readonly settled: Queue<Parcel>
}

export function createLane(webhook: Webhook): Lane {
  return {
    webhook,
    waiting: createQueue(),
    due: createQueue(),
    urgent: createQueue(),
    open: 0,
    first: 0,
    failures: { inARow: 0, url: webhook.endpointUrl },
    pause: null,
    inLine: false,
    gone: false,
    sleeps: new Set(),
    begun: new Set(),
    settled: createQueue(),
  }
}

export function isPaused({ pause, webhook }: Lane, now: number): boolean {
  return pause !== null && now < pause.until && pause.url === webhook.endpointUrl
}

/** Takes out what may go now. Failed ones go before new ones, which go one after the other where order is kept. */
export function takeNext(lane: Lane, rules: DeliveryRules, now: number): Parcel | undefined {
  if (lane.urgent.size > 0) return lane.urgent.take()
  if (isPaused(lane, now)) return undefined
  if (lane.due.size > 0) return lane.due.take()
  const blocked = lane.open >= rules.concurrency.webhook || (rules.keepsOrder && lane.first > 0)
  return blocked ? undefined : lane.waiting.take()
}

/** What has not ended. A sample that failed queues again, and stands once for all that. */
export function unsettledOf({ begun, urgent, waiting }: Lane): ReadonlySet<Parcel> {
  return new Set([...begun, ...urgent, ...waiting])
}

/** Whatever is known of a lane, the oldest first. */
function knownOf(lane: Lane): readonly Parcel[] {
  return [...lane.settled, ...unsettledOf(lane)].sort((one, other) => one.sequence - other.sequence)
}

/** Of what the log shows, the oldest first. */
export function logOf(lane: Lane): readonly Parcel[] {
  return knownOf(lane).filter(({ logged }) => logged)
}

/** The youngest with this id. */
export function findIn(lane: Lane, id: string): Parcel | undefined {
  return knownOf(lane).findLast((parcel) => parcel.id === id)
}
