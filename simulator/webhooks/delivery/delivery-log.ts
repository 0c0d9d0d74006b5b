/** States of deliveries, their counts, and the ended deliveries that the log of a webhook shows. */
import type { Limit } from '../../limits.ts'
import {
  type EndedCounts,
  type OutboxCounts,
  deliveryKey,
  type EndpointQueue,
  type QueuedDelivery,
} from '../../tenant/webhooks/endpoint-queue.ts'
import { jsonLength } from '../../tenant/book.ts'
import type { TenantState } from '../../rules/tenant-state.ts'
import { hasEnded, type DeliveryState, type Occurrence } from '../../tenant/webhooks/delivery.ts'

interface Held {
  deliveries: number
  readonly bytes: number
}

class PayloadBytes {
  readonly #held = new Map<Occurrence, Held>()
  total = 0

  add(occurrence: Occurrence): void {
    const held = this.#held.get(occurrence)
    if (held) return void held.deliveries++
    const bytes = jsonLength(occurrence.payload)
    this.#held.set(occurrence, { deliveries: 1, bytes })
    this.total += bytes
  }

  remove(occurrence: Occurrence): void {
    const held = this.#held.get(occurrence)
    if (!held || --held.deliveries > 0) return
    this.#held.delete(occurrence)
    this.total -= held.bytes
  }

  clear(): void {
    this.#held.clear()
    this.total = 0
  }
}

type Counts = { -readonly [K in keyof OutboxCounts]: OutboxCounts[K] }

const countOf = (state: DeliveryState): keyof Counts => (state === 'in-flight' ? 'inFlight' : state)

const emptyCounts: OutboxCounts = { waiting: 0, inFlight: 0, delivered: 0, failed: 0, dropped: 0 }

/** Id under which the counts of all endpoints together are stored. */
export const allEndpoints = ''

/** Marks every change of a delivery, and of the counts, for persistence. */
export class DeliveryLog {
  readonly #state: TenantState
  readonly #limit: Limit
  readonly #counts: Counts = { ...emptyCounts }
  #loggedCount = 0
  #evicted = 0
  readonly #open = new PayloadBytes()
  readonly #logged = new PayloadBytes()

  /** `limit`: of ended deliveries, of all webhooks together, and of those that have not ended. */
  constructor(state: TenantState, limit: Limit) {
    this.#state = state
    this.#limit = limit
  }

  get counts(): OutboxCounts {
    return this.#counts
  }

  get ended(): EndedCounts {
    const { delivered, failed, dropped } = this.#counts
    return { delivered, failed, dropped, forgotten: this.#evicted }
  }

  get isFull(): boolean {
    const { most, bytes = Infinity } = this.#limit
    return this.#counts.waiting >= most || this.#open.total >= bytes
  }

  enter(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#counts.waiting++
    this.#open.add(queued.occurrence)
    endpoint.known.set(queued.sequence, queued)
    this.#mark(endpoint, queued)
    this.#markCounts()
  }

  /** Not marked as a change: after a restart it is sent again. */
  markInFlight(queued: QueuedDelivery): void {
    this.#move(queued, 'in-flight')
  }

  markWaiting(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#move(queued, 'waiting')
    this.#mark(endpoint, queued)
  }

  /** Ends a delivery. The log shows up to `most` of a webhook. */
  settle(endpoint: EndpointQueue, queued: QueuedDelivery, state: DeliveryState, most: number): void {
    this.#move(queued, state)
    this.#mark(endpoint, queued)
    this.#markCounts()
    if (endpoint.gone) return
    this.#open.remove(queued.occurrence)
    if (queued.logged) this.#addToLog(endpoint, queued, most)
    else endpoint.known.delete(queued.sequence)
  }

  countRejected(): void {
    this.#counts.dropped++
    this.#markCounts()
  }

  dropQueue(endpoint: EndpointQueue): void {
    this.#state.changes.changed('endpoint', endpoint.webhook.id)
    this.#markCounts()
    this.#loggedCount -= endpoint.settled.size
    for (const queued of endpoint.known.values()) {
      this.#mark(endpoint, queued)
      this.#payloadsOf(queued).remove(queued.occurrence)
      if (queued.state === 'waiting') this.#move(queued, 'dropped')
    }
  }

  restore(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    endpoint.known.set(queued.sequence, queued)
    if (queued.state !== 'waiting') return this.#addToLog(endpoint, queued, Infinity)
    this.#counts.waiting++
    this.#open.add(queued.occurrence)
  }

  restoreCounts({ forgotten, ...ended }: EndedCounts): void {
    Object.assign(this.#counts, ended)
    this.#evicted = forgotten
  }

  /** Resets the counts without marking a change. */
  clear(): void {
    Object.assign(this.#counts, emptyCounts)
    this.#loggedCount = 0
    this.#evicted = 0
    this.#open.clear()
    this.#logged.clear()
  }

  #move(queued: QueuedDelivery, state: DeliveryState): void {
    this.#counts[countOf(queued.state)]--
    this.#counts[countOf(state)]++
    queued.state = state
  }

  #mark(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    if (!endpoint.gone) this.#state.changes.changed('delivery', deliveryKey(queued))
  }

  #markCounts(): void {
    this.#state.changes.changed('endpoint', allEndpoints)
  }

  #payloadsOf({ state }: QueuedDelivery): PayloadBytes {
    return hasEnded(state) ? this.#logged : this.#open
  }

  #addToLog(endpoint: EndpointQueue, queued: QueuedDelivery, most: number): void {
    endpoint.settled.add(queued)
    this.#loggedCount++
    this.#logged.add(queued.occurrence)
    while (this.#isOver(endpoint, most)) {
      const oldest = endpoint.settled.take()
      if (oldest) this.#evict(endpoint, oldest)
    }
  }

  #isOver({ settled: { size, first } }: EndpointQueue, most: number): boolean {
    if (!first) return false
    const limit = this.#limit
    const isFull = this.#loggedCount > limit.most || this.#logged.total > (limit.bytes ?? Infinity)
    // The last delivery of a webhook stays.
    const tooMany = size > most || (size > 1 && isFull)
    return tooMany || first.since + limit.ageMs <= this.#state.clock.now()
  }

  #evict(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#loggedCount--
    this.#logged.remove(queued.occurrence)
    this.#evicted++
    endpoint.known.delete(queued.sequence)
    this.#mark(endpoint, queued)
  }
}
