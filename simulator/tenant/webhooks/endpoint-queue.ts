/** The deliveries of one webhook, and which of them is sent next. */
import type {
  AttemptRecord,
  WebhookDelivery,
  DeliveryState,
  DeliveryRequest,
  Occurrence,
} from './delivery.ts'
import type { Webhook } from './webhook.ts'
import { fixedLimits } from '../../limits.ts'
import type { Random } from '../random.ts'

/** Empty places at the front before the array is compacted. */
const slack = 1024

export type Queue<T> = ReturnType<typeof createQueue<T>>

/** First in, first out; `add` and `take` cost the same however many items wait. */
export function createQueue<T>() {
  let items: T[] = []
  let front = 0
  return {
    get size(): number {
      return items.length - front
    },
    get first(): T | undefined {
      return items[front]
    },
    add: (item: T): void => void items.push(item),
    take: (): T | undefined => {
      if (front === items.length) return undefined
      const item = items[front++]
      if (front > slack && front * 2 > items.length) {
        items = items.slice(front)
        front = 0
      }
      return item
    },
    clear: (): void => {
      items = []
      front = 0
    },
    *[Symbol.iterator](): Generator<T> {
      yield* items.slice(front)
    },
  }
}

/** A delivery that has not ended, or that the log shows. */
export interface QueuedDelivery extends WebhookDelivery {
  attempts: readonly AttemptRecord[]
  state: DeliveryState
  readonly sequence: number
  readonly since: number
  due: number | null
  readonly attemptsMost: number
  logged: boolean
}

export interface EndpointQueue {
  readonly webhook: Webhook
  readonly waiting: Queue<QueuedDelivery>
  readonly due: Queue<QueuedDelivery>
  /** Samples, which are exempt from pauses and order. */
  readonly urgent: Queue<QueuedDelivery>
  /** Live deliveries with an attempt that have not ended. */
  open: number
  /** First attempts of live deliveries in flight. */
  first: number
  /** Failed deliveries since the last success, at this URL. */
  failures: { readonly inARow: number; readonly url: string }
  /** Applies to its URL only. */
  pause: null | { readonly until: number; readonly url: string }
  /** Whether the sender has queued this endpoint. */
  inLine: boolean
  /** Its webhook was removed, or its tenant was reset. */
  gone: boolean
  readonly sleeps: Set<() => void>
  /** By sequence: deliveries that have not ended, and those in the log. */
  readonly known: Map<number, QueuedDelivery>
  /** Ended deliveries in the log, in the order of their end. */
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

/**
 * Removes and returns the delivery to send now. Retries go before new deliveries, which go one after the other where
 * `keepsOrder` is set.
 */
export function takeNext(
  endpoint: EndpointQueue,
  { concurrency, keepsOrder }: { readonly concurrency: { webhook: number }; readonly keepsOrder: boolean },
  now: number,
): QueuedDelivery | undefined {
  if (endpoint.urgent.size > 0) return endpoint.urgent.take()
  if (isPaused(endpoint, now)) return undefined
  if (endpoint.due.size > 0) return endpoint.due.take()
  const blocked = endpoint.open >= concurrency.webhook || (keepsOrder && endpoint.first > 0)
  return blocked ? undefined : endpoint.waiting.take()
}

/** Key of a delivery in the store; ids can repeat. */
export const deliveryKey = ({ webhook, sequence }: Pick<QueuedDelivery, 'webhook' | 'sequence'>): string =>
  `${webhook.id}/${sequence}`

/** The deliveries in the log, the oldest first. */
export function loggedDeliveriesOf({ known }: EndpointQueue): readonly QueuedDelivery[] {
  return [...known.values()].filter(({ logged }) => logged)
}

/** The youngest with this id. */
export function findIn({ known }: EndpointQueue, id: string): QueuedDelivery | undefined {
  return [...known.values()].findLast((queued) => queued.id === id)
}

export function queueOf(
  endpoint: EndpointQueue,
  { attempts, occurrence }: QueuedDelivery,
): Queue<QueuedDelivery> {
  if (occurrence.test) return endpoint.urgent
  return attempts.length > 0 ? endpoint.due : endpoint.waiting
}

export function endEndpointQueue(endpoint: EndpointQueue): void {
  endpoint.gone = true
  for (const forget of endpoint.sleeps) forget()
  for (const queue of [endpoint.waiting, endpoint.due, endpoint.urgent]) queue.clear()
}

/** What went out in the newest attempts, byte for byte: in memory only, so that it is gone after a restart. */
export interface SentAttempt {
  readonly delivery: WebhookDelivery
  readonly number: number
  /** Start, in milliseconds since 1970. */
  readonly at: number
  readonly request: DeliveryRequest
}

/** What an attempt takes in memory beside its bytes, about. */
const attemptBytes = 1_000

const sizeOf = ({ request: { headers, body } }: SentAttempt): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, attemptBytes + body.length)

export type SentLog = ReturnType<typeof createSentLog>

/** The oldest attempts go first; the newest stays, however large it is. */
export function createSentLog() {
  const sent = createQueue<SentAttempt>()
  let bytes = 0
  return {
    add: (attempt: SentAttempt): void => {
      sent.add(attempt)
      bytes += sizeOf(attempt)
      while (bytes > fixedLimits.sentBytes && sent.size > 1) {
        const oldest = sent.take()
        if (oldest) bytes -= sizeOf(oldest)
      }
    },
    /** The attempts of every delivery with this id, the oldest first. */
    of: (deliveryId: string): readonly SentAttempt[] =>
      [...sent].filter(({ delivery }) => delivery.id === deliveryId),
    clear: (): void => {
      sent.clear()
      bytes = 0
    },
  }
}

/** Counts of ended deliveries, including evicted ones. */
export interface EndedCounts extends Pick<OutboxCounts, 'delivered' | 'failed' | 'dropped'> {
  forgotten: number
}

export interface DeliveryTotals {
  readonly made: number
  readonly ended: EndedCounts
}

export type EndpointHealth = Pick<EndpointQueue, 'failures' | 'pause'>

export interface Outbox {
  /**
   * Creates and schedules a delivery for every active webhook of the agent that has selected the event, and only counts it
   * where the queue is full.
   */
  emit(occurrence: Occurrence): readonly WebhookDelivery[]
  /** Sends a sample event to one webhook, selected or not. */
  test(webhook: Webhook): WebhookDelivery
  /** Sends a delivery once more: with `sameId`, as at-least-once allows; without, as a new delivery. Undefined: no such id. */
  again(deliveryId: string, how: { sameId: boolean }): WebhookDelivery | undefined
  /** Of one webhook, the oldest first, within the retention. */
  deliveriesOf(webhookId: string): readonly WebhookDelivery[]
  readonly sent: SentLog
  /** To be called after an update: a new URL ends a pause. */
  changed(webhookId: string): void
  /** Pauses deliveries of this webhook, as repeated failures do. */
  pause(webhook: Webhook): void
  /** Drops queued deliveries of this webhook; attempts in flight may complete. */
  forget(webhookId: string): void
  readonly counts: OutboxCounts
  readonly forgotten: number
  readonly random: Random
  /** Undefined before the first delivery. */
  totals(): DeliveryTotals | undefined
  /** Undefined for an endpoint without failures or pause. */
  health(webhookId: string): EndpointHealth | undefined
  /** Of every delivery that has not ended, or that a log shows. */
  keys(): Iterable<string>
  queued(key: string): QueuedDelivery | undefined
  restoreTotals(totals: DeliveryTotals): void
  restoreHealth(webhook: Webhook, health: EndpointHealth): void
  /** To be called in the order of creation. */
  restoreDelivery(queued: QueuedDelivery): void
  /** Call once everything is restored: sends what is due and schedules the rest. */
  wake(): void
  /** Removes everything and aborts attempts in flight. */
  clear(): void
  /** Stops sending; queued deliveries stay in the store. */
  close(): void
}

export interface OutboxCounts {
  readonly waiting: number
  readonly inFlight: number
  readonly delivered: number
  readonly failed: number
  /** Of removed or inactive webhooks, and over the limits of a queue. */
  readonly dropped: number
}
