/** The outbox of a tenant: its scheduler is created by the first delivery. */
import type { Limit } from '../../tenant/book.ts'
import type { Random } from '../../tenant/random.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { PersistedOutbox, Outbox } from './outbox.ts'
import { emptyCounts } from './delivery-log.ts'
import { DeliveryScheduler } from './scheduler.ts'
import { createSentLog } from './sent-log.ts'

/**
 * `state` is called at the first event. `limit`: how many deliveries the logs keep, and for how long. `random`: for ids,
 * separate, so that deliveries do not change the ids of chat.
 */
export function createOutbox(state: () => TenantState, limit: Limit, random: Random): Outbox {
  let scheduler: DeliveryScheduler | undefined
  const open = (): DeliveryScheduler => (scheduler ??= new DeliveryScheduler(state(), limit, random))
  const sent = createSentLog()
  return {
    sent,
    // Without a webhook, an event costs nothing.
    emit: (occurrence) => (!scheduler && state().webhooks.size === 0 ? [] : open().emit(occurrence)),
    test: (webhook) => open().test(webhook),
    again: (deliveryId, how) => scheduler?.again(deliveryId, how),
    deliveriesOf: (webhookId) => scheduler?.deliveriesOf(webhookId) ?? [],
    changed: (webhookId) => scheduler?.changed(webhookId),
    pause: (webhook) => open().pause(webhook),
    forget: (webhookId) => scheduler?.forget(webhookId),
    get counts() {
      return scheduler?.counts ?? emptyCounts
    },
    get forgotten() {
      return scheduler?.totals().ended.forgotten ?? 0
    },
    random,
    persisted: persistedOf(() => scheduler, open),
    clear: () => {
      sent.clear()
      scheduler?.clear()
    },
    // Opens it first, so that later events are dropped too.
    close: () => open().close(),
  }
}

function persistedOf(
  scheduler: () => DeliveryScheduler | undefined,
  open: () => DeliveryScheduler,
): PersistedOutbox {
  return {
    totals: () => scheduler()?.totals(),
    health: (webhookId) => scheduler()?.health(webhookId),
    keys: () => scheduler()?.keys() ?? [],
    queued: (key) => scheduler()?.queued(key),
    restoreTotals: (totals) => open().restoreTotals(totals),
    restoreHealth: (webhook, health) => open().restoreHealth(webhook, health),
    restoreDelivery: (queued) => open().restoreDelivery(queued),
    wake: () => scheduler()?.wake(),
  }
}
