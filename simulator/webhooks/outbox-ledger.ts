/** Where deliveries stand: their states, how many there are in each, and what the log remembers. */
import type { Limit } from '../world/book.ts'
import type { TenantState } from '../world/world.ts'
import type { DeliveryState, OutboxCounts } from './delivery.ts'
import type { Lane, Parcel } from './outbox-lane.ts'

type Counts = { -readonly [K in keyof OutboxCounts]: OutboxCounts[K] }

const countOf: Readonly<Record<DeliveryState, keyof Counts>> = {
  waiting: 'waiting',
  'under-way': 'underWay',
  delivered: 'delivered',
  failed: 'failed',
  dropped: 'dropped',
}

export const noCounts: OutboxCounts = { waiting: 0, underWay: 0, delivered: 0, failed: 0, dropped: 0 }

/** What is counted of ended deliveries beyond the time that they are remembered. */
export interface Ended extends Pick<Counts, 'delivered' | 'failed' | 'dropped'> {
  /** How many of them the logs let go for their limits. */
  forgotten: number
}

/** What is kept of all lanes together stands under the id of none. */
export const everyLane = ''

/** Every change of a delivery is told to whoever keeps the world, and every change of what is counted with it. */
export class Ledger {
  readonly #world: TenantState
  readonly #limit: Limit
  readonly #counts: Counts = { ...noCounts }
  /** Ended deliveries in the logs. */
  #remembered = 0
  #forgotten = 0

  /** `limit`: of ended deliveries, of all webhooks together. */
  constructor(state: TenantState, limit: Limit) {
    this.#world = state
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
  enter(lane: Lane, parcel: Parcel): void {
    this.#counts.waiting++
    lane.known.set(parcel.sequence, parcel)
    this.#mark(lane, parcel)
    this.#markCounts()
  }

  /** It goes out: nothing to keep, since whoever comes after this process sends it again. */
  goOut(parcel: Parcel): void {
    this.#move(parcel, 'under-way')
  }

  /** It was tried, and waits for another attempt. */
  comeBack(lane: Lane, parcel: Parcel): void {
    this.#move(parcel, 'waiting')
    this.#mark(lane, parcel)
  }

  /** The delivery has ended; the log remembers it, up to `most` of its webhook. */
  settle(lane: Lane, parcel: Parcel, state: DeliveryState, most: number): void {
    this.#move(parcel, state)
    this.#mark(lane, parcel)
    this.#markCounts()
    if (lane.gone) return
    if (parcel.logged) this.#remember(lane, parcel, most)
    else lane.known.delete(parcel.sequence)
  }

  /** One over the limit of a queue, which never entered. */
  turnAway(): void {
    this.#counts.dropped++
    this.#markCounts()
  }

  /** Its webhook was removed: what waits is dropped, and nothing of it is remembered. */
  dropLane(lane: Lane): void {
    this.#world.changes.mark('lane', lane.webhook.id)
    this.#markCounts()
    this.#remembered -= lane.settled.size
    for (const parcel of lane.known.values()) {
      this.#mark(lane, parcel)
      if (parcel.state === 'waiting') this.#move(parcel, 'dropped')
    }
  }

  /** Puts back a delivery that was kept. */
  readBack(lane: Lane, parcel: Parcel): void {
    lane.known.set(parcel.sequence, parcel)
    if (parcel.state === 'waiting') this.#counts.waiting++
    else this.#remember(lane, parcel, Infinity)
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

  #move(parcel: Parcel, state: DeliveryState): void {
    this.#counts[countOf[parcel.state]]--
    this.#counts[countOf[state]]++
    parcel.state = state
  }

  #mark(lane: Lane, { key }: Parcel): void {
    if (!lane.gone) this.#world.changes.mark('delivery', key)
  }

  #markCounts(): void {
    this.#world.changes.mark('lane', everyLane)
  }

  #remember(lane: Lane, parcel: Parcel, most: number): void {
    lane.settled.add(parcel)
    this.#remembered++
    while (this.#isOver(lane, most)) {
      const oldest = lane.settled.take()
      if (oldest) this.#forget(lane, oldest)
    }
  }

  #isOver({ settled: { size, first } }: Lane, most: number): boolean {
    if (!first) return false
    // The last one of a webhook stays, however many others have.
    const tooMany = size > most || (size > 1 && this.#remembered > this.#limit.most)
    return tooMany || first.since + this.#limit.ageMs <= this.#world.clock.now()
  }

  #forget(lane: Lane, parcel: Parcel): void {
    this.#remembered--
    this.#forgotten++
    lane.known.delete(parcel.sequence)
    this.#mark(lane, parcel)
  }
}
