/** How the endpoint of each webhook fares, and its deliveries: those that have not ended, and those in the log. */
import type { AttemptRecord, DeliveryState, Occurrence } from '../../webhooks/delivery/delivery.ts'
import type { DeliveryTotals } from '../../webhooks/delivery/outbox.ts'
import type { EndpointQueue, QueuedDelivery } from '../../webhooks/delivery/endpoint-queue.ts'
import { allEndpoints } from '../../webhooks/delivery/delivery-log.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { Codec, StoredEntry } from './codec.ts'
import { asBody, asWritten } from './stored-json.ts'

/** JSON has no infinity: the pause of `until: null` does not end. */
interface StoredHealth {
  readonly failures: EndpointQueue['failures']
  readonly pause: null | { readonly until: number | null; readonly url: string }
}

interface StoredDelivery extends Pick<QueuedDelivery, 'id' | 'due' | 'attemptsMost' | 'logged'> {
  readonly webhook: string
  readonly occurrence: Occurrence
  readonly attempts: readonly AttemptRecord[]
  readonly state: Exclude<DeliveryState, 'in-flight'>
}

const lanePlace = { number: 0, since: 0 }

export const endpointCodec: Codec = {
  ids: ({ webhooks }) => [allEndpoints, ...webhooks.keys()],
  write: ({ outbox }, id) => {
    if (id === allEndpoints) {
      const totals = outbox.persisted.totals()
      return totals && { body: asBody(totals), place: lanePlace }
    }
    const health = outbox.persisted.health(id)
    if (!health) return undefined
    const { failures, pause } = health
    const stored: StoredHealth = { failures, pause: pause && { ...pause, until: finite(pause.until) } }
    return { body: asBody(stored), place: lanePlace }
  },
  read: ({ outbox, webhooks, changes }, id, { body }) => {
    if (id === allEndpoints) return outbox.persisted.restoreTotals(asWritten<DeliveryTotals>(body))
    const webhook = webhooks.get(id)
    if (!webhook) return changes.mark('endpoint', id)
    const { failures, pause } = asWritten<StoredHealth>(body)
    outbox.persisted.restoreHealth(webhook, {
      failures,
      pause: pause && { ...pause, until: pause.until ?? Infinity },
    })
  },
}

const finite = (moment: number): number | null => (Number.isFinite(moment) ? moment : null)

export const deliveryCodec: Codec = {
  ids: ({ outbox }) => outbox.persisted.keys(),
  write: ({ outbox }, key) => {
    const queued = outbox.persisted.queued(key)
    return queued && written(queued)
  },
  read: (state, key, stored) => {
    const queued = queuedDeliveryOf(state, stored)
    // Nothing is sent to a webhook that there is no more, and nobody asks for its log.
    if (!queued) return state.changes.mark('delivery', key)
    state.outbox.persisted.restoreDelivery(queued)
  },
  wake: ({ outbox }) => outbox.persisted.wake(),
}

function written(queued: QueuedDelivery): StoredEntry {
  const { id, webhook, occurrence, attempts, state, due, attemptsMost, logged, sequence, since } = queued
  const stored: StoredDelivery = {
    webhook: webhook.id,
    id,
    occurrence,
    attempts,
    // Whoever comes after this process sends it again.
    state: state === 'in-flight' ? 'waiting' : state,
    due,
    attemptsMost,
    logged,
  }
  return { body: asBody(stored), place: { number: sequence, since } }
}

function queuedDeliveryOf(
  { webhooks }: TenantState,
  { body, place }: StoredEntry,
): QueuedDelivery | undefined {
  const { webhook: id, attempts, ...stored } = asWritten<StoredDelivery>(body)
  const webhook = webhooks.get(id)
  return (
    webhook && {
      ...stored,
      webhook,
      attempts,
      sequence: place.number,
      since: place.since,
    }
  )
}
