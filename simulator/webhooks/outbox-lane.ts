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
  /** What it is kept under: ids may come again. */
  readonly key: string
  /** When it was made, in ms on the clock of the world. */
  readonly since: number
  /** When its sleep before the next attempt ends; null while it does not sleep. */
  due: number | null
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
  /** By sequence: whatever has not ended, and what the log remembers. */
  readonly known: Map<number, Parcel>
  /** Ended ones that the log remembers, in the order in which they ended. */
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
    known: new Map(),
    settled: createQueue(),
  }
}

export function isPaused({ pause, webhook }: Lane, now: number): boolean {
  return pause !== null && now < pause.until && pause.url === webhook.endpointUrl
}

/**
 * Takes out what may go now. Failed ones go before new ones, which go one after the other where order is kept. Of those
 * that were never tried, only what was made up to `durable` may go.
 */
export function takeNext(lane: Lane, rules: DeliveryRules, now: number, durable: number): Parcel | undefined {
  const mayGo = ({ first }: Queue<Parcel>): boolean => first !== undefined && first.sequence <= durable
  if (mayGo(lane.urgent)) return lane.urgent.take()
  if (isPaused(lane, now)) return undefined
  if (lane.due.size > 0) return lane.due.take()
  const blocked = lane.open >= rules.concurrency.webhook || (rules.keepsOrder && lane.first > 0)
  return !blocked && mayGo(lane.waiting) ? lane.waiting.take() : undefined
}

/** Whether it would send something at once, if it were let. */
export function isReady(lane: Lane, now: number): boolean {
  return lane.urgent.size > 0 || (!isPaused(lane, now) && lane.due.size + lane.waiting.size > 0)
}

/** Of what the log shows, the oldest first. */
export function logOf({ known }: Lane): readonly Parcel[] {
  return [...known.values()].filter(({ logged }) => logged)
}

/** The youngest with this id. */
export function findIn({ known }: Lane, id: string): Parcel | undefined {
  return [...known.values()].findLast((parcel) => parcel.id === id)
}

/** Where it waits for its next attempt. */
export function queueOf(lane: Lane, { attempts, occurrence }: Parcel): Queue<Parcel> {
  if (occurrence.test) return lane.urgent
  return attempts.length > 0 ? lane.due : lane.waiting
}

/** Nothing goes out of it any more, and nothing sleeps for it. */
export function endLane(lane: Lane): void {
  lane.gone = true
  for (const forget of lane.sleeps) forget()
  for (const queue of [lane.waiting, lane.due, lane.urgent]) queue.clear()
}
