/** Releases deliveries once the store has them, so that none is sent that the store could still lose. */
import { afterRealTime } from '../../tenant/clock/machine-time.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { EndpointQueue } from './endpoint-queue.ts'

/** Real time between two attempts while the store is unavailable. */
const retryMs = 100

export interface DurabilityGate {
  /** Sequence number up to which deliveries may be sent. */
  readonly durable: number
  /** A delivery was created and marked as changed. */
  expect(sequence: number, endpoint: EndpointQueue): void
  /** Deliveries up to this one were restored from the store. */
  restored(sequence: number): void
  close(): void
}

/** `wake` is called when deliveries of an endpoint become durable; without persistence, at once. */
export function createDurabilityGate(
  { changes, clock }: Pick<TenantState, 'changes' | 'clock'>,
  wake: (endpoint: EndpointQueue) => void,
): DurabilityGate {
  let [made, durable] = [0, 0]
  /** Endpoints of deliveries created since the last write. */
  let pending = new Set<EndpointQueue>()
  let [waits, closed] = [false, false]
  let forget = (): void => undefined

  const pass = (upTo: number, endpoints: Iterable<EndpointQueue>): void => {
    durable = upTo
    for (const endpoint of endpoints) wake(endpoint)
    waits = false
    ask()
  }
  const ask = (): void => {
    if (made === durable) return
    const written = changes.settled()
    if (written) return wait(written)
    const endpoints = pending
    pending = new Set()
    pass(made, endpoints)
  }
  const wait = (written: Promise<void>): void => {
    const [upTo, endpoints] = [made, pending]
    pending = new Set()
    waits = true
    const later = (): void => {
      for (const endpoint of endpoints) pending.add(endpoint)
      forget = afterRealTime(retryMs, ask)
    }
    // A clock advance waits for it.
    void clock.track(
      written.then(
        () => closed || pass(upTo, endpoints),
        () => closed || later(),
      ),
    )
  }

  return {
    get durable() {
      return durable
    },
    expect: (sequence, endpoint) => {
      made = sequence
      const written = waits ? undefined : changes.settled()
      if (waits || written) pending.add(endpoint)
      else durable = sequence
      if (written) wait(written)
    },
    restored: (sequence) => {
      made = Math.max(made, sequence)
      durable = made
    },
    close: () => {
      closed = true
      forget()
    },
  }
}
