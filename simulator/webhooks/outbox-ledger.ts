/** Where deliveries stand: their states, how many there are in each, and what the log remembers. */
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

export interface Ledger {
  readonly counts: OutboxCounts
  find(id: string): Parcel | undefined
  enter(lane: Lane, parcel: Parcel): void
  move(parcel: Parcel, state: DeliveryState): void
  /** The delivery has ended; the log remembers it, up to `most` of its webhook. */
  settle(lane: Lane, parcel: Parcel, state: DeliveryState, most: number): void
  /** The log forgets a webhook. */
  forget(lane: Lane): void
  clear(): void
}

export function createLedger(): Ledger {
  const counts: Counts = { ...noCounts }
  const parcels = new Map<string, Parcel>()
  const drop = (parcel: Parcel | undefined): void => {
    if (parcel && parcels.get(parcel.id) === parcel) parcels.delete(parcel.id)
  }
  const move = (parcel: Parcel, state: DeliveryState): void => {
    counts[countOf[parcel.state]]--
    counts[countOf[state]]++
    parcel.state = state
  }
  return {
    counts,
    find: (id) => parcels.get(id),
    enter: (lane, parcel) => {
      counts[countOf[parcel.state]]++
      parcels.set(parcel.id, parcel)
      lane.unsettled.add(parcel)
    },
    move,
    settle: (lane, parcel, state, most) => {
      move(parcel, state)
      lane.unsettled.delete(parcel)
      if (!parcel.logged || lane.gone) return drop(parcel)
      lane.settled.add(parcel)
      while (lane.settled.size > most) drop(lane.settled.take())
    },
    forget: (lane) => {
      for (const parcel of [...lane.settled, ...lane.unsettled]) drop(parcel)
    },
    clear: () => {
      Object.assign(counts, noCounts)
      parcels.clear()
    },
  }
}
