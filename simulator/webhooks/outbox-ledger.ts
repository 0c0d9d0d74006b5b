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
  enter(parcel: Parcel): void
  move(parcel: Parcel, state: DeliveryState): void
  /** The delivery has ended; the log remembers it, up to `most` of its webhook. */
  settle(lane: Lane, parcel: Parcel, state: DeliveryState, most: number): void
  clear(): void
}

export function createLedger(): Ledger {
  const counts: Counts = { ...noCounts }
  const move = (parcel: Parcel, state: DeliveryState): void => {
    counts[countOf[parcel.state]]--
    counts[countOf[state]]++
    parcel.state = state
  }
  return {
    counts,
    enter: ({ state }) => void counts[countOf[state]]++,
    move,
    settle: (lane, parcel, state, most) => {
      move(parcel, state)
      lane.begun.delete(parcel)
      if (!parcel.logged || lane.gone) return
      lane.settled.add(parcel)
      while (lane.settled.size > most) lane.settled.take()
    },
    clear: () => void Object.assign(counts, noCounts),
  }
}
