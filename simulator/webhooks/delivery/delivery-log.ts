/** Where deliveries stand: their states, how many there are in each, and what the log remembers. */
import type { Ended, OutboxCounts } from './outbox-kept.ts'
import type { Limit } from '../../tenant/book.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { DeliveryState } from './delivery.ts'
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'

type Counts = { -readonly [K in keyof OutboxCounts]: OutboxCounts[K] }

const countOf: Readonly<Record<DeliveryState, keyof Counts>> = {
  waiting: 'waiting',
  'under-way': 'underWay',
  delivered: 'delivered',
  failed: 'failed',
  dropped: 'dropped',
}

export const noCounts: OutboxCounts = { waiting: 0, underWay: 0, delivered: 0, failed: 0, dropped: 0 }

/** What is kept of all lanes together stands under the id of none. */
export const everyEndpoint = ''

/** Every change of a delivery is told to whoever keeps the tenant, and every change of what is counted with it. */
export class Ledger {
  readonly #state: TenantState
  readonly #limit: Limit
  readonly #counts: Counts = { ...noCounts }
  /** Ended deliveries in the logs. */
  #remembered = 0
  #forgotten = 0

  /** `limit`: of ended deliveries, of all webhooks together. */
  constructor(state: TenantState, limit: Limit) {
    this.#state = state
    this.#limit = limit
  }

  get counts(): OutboxCounts {
    return this.#counts
  }

  get ended(): Ended {
    const { delivered, failed, dropped } = this.#counts
    return { delivered, failed, dropped, forgotten: this.#forgotten }
  }

  /** A new delivery, which waits. */
  enter(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#counts.waiting++
    endpoint.known.set(queued.sequence, queued)
    this.#mark(endpoint, queued)
    this.#markCounts()
  }

  /** It goes out: nothing to keep, since whoever comes after this process sends it again. */
  goOut(queued: QueuedDelivery): void {
    this.#move(queued, 'under-way')
  }

  /** It was tried, and waits for another attempt. */
  comeBack(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#move(queued, 'waiting')
    this.#mark(endpoint, queued)
  }

  /** The delivery has ended; the log remembers it, up to `most` of its webhook. */
  settle(endpoint: EndpointQueue, queued: QueuedDelivery, state: DeliveryState, most: number): void {
    this.#move(queued, state)
    this.#mark(endpoint, queued)
    this.#markCounts()
    if (endpoint.gone) return
    if (queued.logged) this.#remember(endpoint, queued, most)
    else endpoint.known.delete(queued.sequence)
  }

  /** One over the limit of a queue, which never entered. */
  turnAway(): void {
    this.#counts.dropped++
    this.#markCounts()
  }

  /** Its webhook was removed: what waits is dropped, and nothing of it is remembered. */
  dropLane(endpoint: EndpointQueue): void {
    this.#state.changes.mark('endpoint', endpoint.webhook.id)
    this.#markCounts()
    this.#remembered -= endpoint.settled.size
    for (const queued of endpoint.known.values()) {
      this.#mark(endpoint, queued)
      if (queued.state === 'waiting') this.#move(queued, 'dropped')
    }
  }

  /** Puts back a delivery that was kept. */
  readBack(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    endpoint.known.set(queued.sequence, queued)
    if (queued.state === 'waiting') this.#counts.waiting++
    else this.#remember(endpoint, queued, Infinity)
  }

  /** Puts back what was counted. */
  readEnded({ forgotten, ...ended }: Ended): void {
    Object.assign(this.#counts, ended)
    this.#forgotten = forgotten
  }

  /** Counts anew; tells nobody. */
  clear(): void {
    Object.assign(this.#counts, noCounts)
    this.#remembered = 0
    this.#forgotten = 0
  }

  #move(queued: QueuedDelivery, state: DeliveryState): void {
    this.#counts[countOf[queued.state]]--
    this.#counts[countOf[state]]++
    queued.state = state
  }

  #mark(endpoint: EndpointQueue, { key }: QueuedDelivery): void {
    if (!endpoint.gone) this.#state.changes.mark('delivery', key)
  }

  #markCounts(): void {
    this.#state.changes.mark('endpoint', everyEndpoint)
  }

  #remember(endpoint: EndpointQueue, queued: QueuedDelivery, most: number): void {
    endpoint.settled.add(queued)
    this.#remembered++
    while (this.#isOver(endpoint, most)) {
      const oldest = endpoint.settled.take()
      if (oldest) this.#forget(endpoint, oldest)
    }
  }

  #isOver({ settled: { size, first } }: EndpointQueue, most: number): boolean {
    if (!first) return false
    // The last one of a webhook stays, however many others have.
    const tooMany = size > most || (size > 1 && this.#remembered > this.#limit.most)
    return tooMany || first.since + this.#limit.ageMs <= this.#state.clock.now()
  }

  #forget(endpoint: EndpointQueue, queued: QueuedDelivery): void {
    this.#remembered--
    this.#forgotten++
    endpoint.known.delete(queued.sequence)
    this.#mark(endpoint, queued)
  }
}
