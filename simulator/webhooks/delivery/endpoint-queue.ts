/** What waits for one webhook, and which of it goes out next. */
import type { Attempt, Delivery, DeliveryState } from './delivery.ts'
import { createQueue, type Queue } from './queue.ts'
import type { Webhook } from '../webhook.ts'

/** A delivery on its way. */
export interface QueuedDelivery extends Delivery {
  readonly attempts: Attempt[]
  state: DeliveryState
  /** Order in which deliveries were made. */
  readonly sequence: number
  /** What it is kept under: ids may come again. */
  readonly key: string
  /** When it was made, in ms on the clock of the tenant. */
  readonly since: number
  /** When its sleep before the next attempt ends; null while it does not sleep. */
  due: number | null
  /** Attempts it may have in total. */
  readonly attemptsMost: number
  /** Whether the log shows it. */
  logged: boolean
}

export interface EndpointQueue {
  readonly webhook: Webhook
  /** Not tried yet. */
  readonly waiting: Queue<QueuedDelivery>
  /** Failed before, and their backoff is over. */
  readonly due: Queue<QueuedDelivery>
  /** Samples that somebody asked for: they wait for no pause and for no other delivery. */
  readonly urgent: Queue<QueuedDelivery>
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
  /** Its webhook was removed, or its tenant forgot everything. */
  gone: boolean
  /** What sleeps on the clock for it; call one to forget it. */
  readonly sleeps: Set<() => void>
  /** By sequence: whatever has not ended, and what the log remembers. */
  readonly known: Map<number, QueuedDelivery>
  /** Ended ones that the log remembers, in the order in which they ended. */
  readonly settled: Queue<QueuedDelivery>
}

export function createEndpointQueue(webhook: Webhook): EndpointQueue {
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

export function isPaused({ pause, webhook }: EndpointQueue, now: number): boolean {
  return pause !== null && now < pause.until && pause.url === webhook.endpointUrl
}

/** The rules that decide which delivery goes out next. */
interface QueueRules {
  readonly concurrency: { readonly webhook: number }
  readonly keepsOrder: boolean
}

/**
 * Takes out what may go now. Failed ones go before new ones, which go one after the other where order is kept. Of those
 * that were never tried, only what was made up to `durable` may go.
 */
export function takeNext(
  endpoint: EndpointQueue,
  { concurrency, keepsOrder }: QueueRules,
  now: number,
  durable: number,
): QueuedDelivery | undefined {
  const mayGo = ({ first }: Queue<QueuedDelivery>): boolean =>
    first !== undefined && first.sequence <= durable
  if (mayGo(endpoint.urgent)) return endpoint.urgent.take()
  if (isPaused(endpoint, now)) return undefined
  if (endpoint.due.size > 0) return endpoint.due.take()
  const blocked = endpoint.open >= concurrency.webhook || (keepsOrder && endpoint.first > 0)
  return !blocked && mayGo(endpoint.waiting) ? endpoint.waiting.take() : undefined
}

/** Whether it would send something at once, if it were let. */
export function isReady(endpoint: EndpointQueue, now: number): boolean {
  return (
    endpoint.urgent.size > 0 || (!isPaused(endpoint, now) && endpoint.due.size + endpoint.waiting.size > 0)
  )
}

/** Of what the log shows, the oldest first. */
export function logOf({ known }: EndpointQueue): readonly QueuedDelivery[] {
  return [...known.values()].filter(({ logged }) => logged)
}

/** The youngest with this id. */
export function findIn({ known }: EndpointQueue, id: string): QueuedDelivery | undefined {
  return [...known.values()].findLast((queued) => queued.id === id)
}

/** Where it waits for its next attempt. */
export function queueOf(
  endpoint: EndpointQueue,
  { attempts, occurrence }: QueuedDelivery,
): Queue<QueuedDelivery> {
  if (occurrence.test) return endpoint.urgent
  return attempts.length > 0 ? endpoint.due : endpoint.waiting
}

/** Nothing goes out of it any more, and nothing sleeps for it. */
export function endEndpointQueue(endpoint: EndpointQueue): void {
  endpoint.gone = true
  for (const forget of endpoint.sleeps) forget()
  for (const queue of [endpoint.waiting, endpoint.due, endpoint.urgent]) queue.clear()
}
