/** The outbox of a tenant as others see it, and the part of it that is persisted. */
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'
import type { WebhookDelivery, Occurrence } from './delivery.ts'
import type { Random } from '../../tenant/random.ts'
import type { SentLog } from './sent-log.ts'
import type { Webhook } from '../webhook.ts'

/** Counts of ended deliveries, including evicted ones. */
export interface EndedCounts extends Pick<OutboxCounts, 'delivered' | 'failed' | 'dropped'> {
  /** Deliveries evicted from the logs. */
  forgotten: number
}

export interface DeliveryTotals {
  readonly made: number
  readonly ended: EndedCounts
}

export type EndpointHealth = Pick<EndpointQueue, 'failures' | 'pause'>

export interface PersistedOutbox {
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
}

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
  /** Ended deliveries evicted from the logs. */
  readonly forgotten: number
  /** For ids. */
  readonly random: Random
  readonly persisted: PersistedOutbox
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
