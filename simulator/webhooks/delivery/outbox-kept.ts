/** What of an outbox is kept beyond its process, and how it comes back. */
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'
import type { Delivery, Occurrence } from './delivery.ts'
import type { Webhook } from '../webhook.ts'

/** What is counted of ended deliveries beyond the time that they are remembered. */
export interface Ended extends Pick<OutboxCounts, 'delivered' | 'failed' | 'dropped'> {
  /** How many of them the logs let go for their limits. */
  forgotten: number
}

/** What is known of all deliveries together. */
export interface Totals {
  /** Deliveries that were ever made. */
  readonly made: number
  readonly ended: Ended
}

/** How an endpoint fares. */
export type Health = Pick<EndpointQueue, 'failures' | 'pause'>

export interface KeptOutbox {
  /** Undefined while nothing was ever delivered. */
  totals(): Totals | undefined
  /** Of a webhook; undefined where there is nothing to tell. */
  health(webhookId: string): Health | undefined
  queued(key: string): QueuedDelivery | undefined
  /** Whether something goes out now, or would if there were somebody to send it. */
  isReady(): boolean
  readTotals(totals: Totals): void
  readHealth(webhook: Webhook, health: Health): void
  /** In the order in which they were made. */
  readQueuedDelivery(queued: QueuedDelivery): void
  /** Everything is back: what is due goes out, and the rest after what is left of its wait. */
  wake(): void
}

/** What delivers the events of one tenant. */
export interface Outbox {
  /** Makes a delivery for every active webhook of the agent that has selected the event; they go out by themselves. */
  emit(occurrence: Occurrence): readonly Delivery[]
  /** A sample event to one webhook, selected or not, at once. */
  test(webhook: Webhook): Delivery
  /** Sends a delivery once more: with `sameId`, as at-least-once allows; without, as a new delivery. Undefined: no such id. */
  again(deliveryId: string, how: { sameId: boolean }): Delivery | undefined
  /** Of one webhook, the oldest first; those over the retention are gone. */
  deliveriesOf(webhookId: string): readonly Delivery[]
  /** This webhook was updated: what waited for the end of a pause goes to its new endpoint. */
  changed(webhookId: string): void
  /** What waits for this webhook is dropped; what is under way may complete. */
  forget(webhookId: string): void
  readonly counts: OutboxCounts
  /** How many ended deliveries the logs let go for their limits. */
  readonly forgotten: number
  /** For whoever keeps the tenant. */
  readonly kept: KeptOutbox
  /** Forgets everything; what is under way is broken off. */
  clear(): void
  /** Ends with its process: what waits is not forgotten where it is kept. */
  close(): void
}

export interface OutboxCounts {
  readonly waiting: number
  readonly underWay: number
  readonly delivered: number
  readonly failed: number
  /** Of webhooks that were removed or turned off, and over what a queue holds, by number or by age. */
  readonly dropped: number
}
