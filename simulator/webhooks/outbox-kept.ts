/** What of an outbox is kept beyond its process, and how it comes back. */
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'
import type { Ended } from './outbox-ledger.ts'
import type { Webhook } from './webhook.ts'

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
