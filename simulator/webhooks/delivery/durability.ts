/** Holds deliveries back until they are durable: nobody is to hear of what a store may still lose. */
import { afterRealTime } from '../../tenant/clock/machine-time.ts'
import type { TenantState } from '../../tenant/tenant-state.ts'
import type { EndpointQueue } from './endpoint-queue.ts'

/** While a store is away: asked again after so much real time, in ms. */
const retryMs = 100

export interface Gate {
  /** Deliveries up to this one may go out. */
  readonly durable: number
  /** This one was made and marked, and is to go out once it is durable. */
  expect(sequence: number, endpoint: EndpointQueue): void
  /** Deliveries up to this one were read back from the store. */
  kept(sequence: number): void
  close(): void
}

/** `wake`: there may be something to send for this lane. Where nothing is kept, everything passes at once. */
export function createGate(
  { changes, clock }: Pick<TenantState, 'changes' | 'clock'>,
  wake: (endpoint: EndpointQueue) => void,
): Gate {
  let [made, durable] = [0, 0]
  /** Of what was made since the store was asked last. */
  let coming = new Set<EndpointQueue>()
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
    const endpoints = coming
    coming = new Set()
    pass(made, endpoints)
  }
  const wait = (written: Promise<void>): void => {
    const [upTo, endpoints] = [made, coming]
    coming = new Set()
    waits = true
    const later = (): void => {
      for (const endpoint of endpoints) coming.add(endpoint)
      forget = afterRealTime(retryMs, ask)
    }
    // Whoever moves time ahead waits for what is about to go out.
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
      if (waits || written) coming.add(endpoint)
      else durable = sequence
      if (written) wait(written)
    },
    kept: (sequence) => {
      made = Math.max(made, sequence)
      durable = made
    },
    close: () => {
      closed = true
      forget()
    },
  }
}
