/** Delivers what happens to the agents of a world. */
import type { Limit } from '../world/book.ts'
import type { TenantState } from '../world/world.ts'
import type { Outbox } from './delivery.ts'
import type { KeptOutbox } from './outbox-kept.ts'
import { noCounts } from './outbox-ledger.ts'
import { Office } from './outbox-office.ts'

/**
 * `world` is asked only once something is emitted, when it is whole. Nothing is made before there is a delivery.
 * `limit`: how many deliveries are remembered, and for how long.
 */
export function createOutbox(state: () => TenantState, limit: Limit): Outbox {
  let office: Office | undefined
  const open = (): Office => (office ??= new Office(state(), limit))
  return {
    // Where nobody listens, an event costs nothing.
    emit: (occurrence) => (!office && state().webhooks.size === 0 ? [] : open().emit(occurrence)),
    test: (webhook) => open().test(webhook),
    again: (deliveryId, how) => office?.again(deliveryId, how),
    deliveriesOf: (webhookId) => office?.deliveriesOf(webhookId) ?? [],
    changed: (webhookId) => office?.changed(webhookId),
    forget: (webhookId) => office?.forget(webhookId),
    get counts() {
      return office?.counts ?? noCounts
    },
    get forgotten() {
      return office?.totals().ended.forgotten ?? 0
    },
    kept: keptOf(() => office, open),
    clear: () => office?.clear(),
    // Opened only to be shut: what is emitted afterwards goes nowhere either.
    close: () => open().close(),
  }
}

function keptOf(office: () => Office | undefined, open: () => Office): KeptOutbox {
  return {
    totals: () => office()?.totals(),
    health: (webhookId) => office()?.health(webhookId),
    parcel: (key) => office()?.parcel(key),
    isReady: () => office()?.isReady() ?? false,
    readTotals: (totals) => open().readTotals(totals),
    readHealth: (webhook, health) => open().readHealth(webhook, health),
    readParcel: (parcel) => open().readParcel(parcel),
    wake: () => office()?.wake(),
  }
}
