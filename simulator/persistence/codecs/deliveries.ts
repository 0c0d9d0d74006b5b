/** How the endpoint of each webhook fares, and its deliveries: those that have not ended, and those in the log. */
import type { DeliveryTotals, EndpointHealth } from '../../webhooks/delivery/outbox.ts'
import type { QueuedDelivery } from '../../webhooks/delivery/endpoint-queue.ts'
import { allEndpoints } from '../../webhooks/delivery/delivery-log.ts'
import { bodyOf, entryWith, entryAt, type Codec } from './codec.ts'

export const endpointCodec: Codec = {
  ids: ({ webhooks }) => [allEndpoints, ...webhooks.keys()],
  write: ({ outbox }, id) => {
    if (id === allEndpoints) {
      const totals = outbox.persisted.totals()
      return totals && entryWith(totals)
    }
    const health = outbox.persisted.health(id)
    return health && entryWith({ failures: health.failures, pause: health.pause })
  },
  read: ({ outbox, webhooks }, id, entry) => {
    if (id === allEndpoints) return outbox.persisted.restoreTotals(bodyOf<DeliveryTotals>(entry))
    const webhook = webhooks.get(id)
    const { failures, pause } = bodyOf<EndpointHealth>(entry)
    const until = pause?.until ?? Infinity
    if (webhook) outbox.persisted.restoreHealth(webhook, { failures, pause: pause && { ...pause, until } })
  },
}

interface StoredDelivery extends Omit<QueuedDelivery, 'webhook' | 'sequence' | 'since'> {
  readonly webhook: string
}

export const deliveryCodec: Codec = {
  ids: ({ outbox }) => outbox.persisted.keys(),
  write: ({ outbox }, key) => {
    const queued = outbox.persisted.queued(key)
    if (!queued) return undefined
    const { webhook, sequence: number, since, ...rest } = queued
    // One in flight is sent again by whoever comes after this process.
    const state = rest.state === 'in-flight' ? 'waiting' : rest.state
    return entryAt({ number, since }, { ...rest, state, webhook: webhook.id } satisfies StoredDelivery)
  },
  read: ({ outbox, webhooks }, _key, entry) => {
    const { webhook: id, ...rest } = bodyOf<StoredDelivery>(entry)
    const webhook = webhooks.get(id)
    // Nothing is sent to a webhook that there is no more, and nobody asks for its log.
    if (webhook)
      outbox.persisted.restoreDelivery({ ...rest, webhook, sequence: entry.place, since: entry.since })
  },
  wake: ({ outbox }) => outbox.persisted.wake(),
}
