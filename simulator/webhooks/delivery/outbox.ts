/** Delivers what happens to the agents of a tenant. */
import type { Limit } from '../../tenant/book.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { KeptOutbox, Outbox } from './outbox-kept.ts'
import { noCounts } from './delivery-log.ts'
import { DeliveryScheduler } from './scheduler.ts'

/**
 * `tenant` is asked only once something is emitted, when it is whole. Nothing is made before there is a delivery.
 * `limit`: how many deliveries are remembered, and for how long.
 */
export function createOutbox(state: () => TenantState, limit: Limit): Outbox {
  let scheduler: DeliveryScheduler | undefined
  const open = (): DeliveryScheduler => (scheduler ??= new DeliveryScheduler(state(), limit))
  return {
    // Where nobody listens, an event costs nothing.
    emit: (occurrence) => (!scheduler && state().webhooks.size === 0 ? [] : open().emit(occurrence)),
    test: (webhook) => open().test(webhook),
    again: (deliveryId, how) => scheduler?.again(deliveryId, how),
    deliveriesOf: (webhookId) => scheduler?.deliveriesOf(webhookId) ?? [],
    changed: (webhookId) => scheduler?.changed(webhookId),
    forget: (webhookId) => scheduler?.forget(webhookId),
    get counts() {
      return scheduler?.counts ?? noCounts
    },
    get forgotten() {
      return scheduler?.totals().ended.forgotten ?? 0
    },
    kept: keptOf(() => scheduler, open),
    clear: () => scheduler?.clear(),
    // Opened only to be shut: what is emitted afterwards goes nowhere either.
    close: () => open().close(),
  }
}

function keptOf(scheduler: () => DeliveryScheduler | undefined, open: () => DeliveryScheduler): KeptOutbox {
  return {
    totals: () => scheduler()?.totals(),
    health: (webhookId) => scheduler()?.health(webhookId),
    queued: (key) => scheduler()?.queued(key),
    isReady: () => scheduler()?.isReady() ?? false,
    readTotals: (totals) => open().readTotals(totals),
    readHealth: (webhook, health) => open().readHealth(webhook, health),
    readQueuedDelivery: (queued) => open().readQueuedDelivery(queued),
    wake: () => scheduler()?.wake(),
  }
}
