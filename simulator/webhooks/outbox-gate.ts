/** Holds deliveries back until they are durable: nobody is to hear of what a store may still lose. */
import { afterRealTime } from '../world/machine-time.ts'
import type { TenantState } from '../world/world.ts'
import type { Lane } from './outbox-lane.ts'

/** While a store is away: asked again after so much real time, in ms. */
const retryMs = 100

export interface Gate {
  /** Deliveries up to this one may go out. */
  readonly durable: number
  /** This one was made and marked, and is to go out once it is durable. */
  expect(sequence: number, lane: Lane): void
  /** Deliveries up to this one were read back from the store. */
  kept(sequence: number): void
  close(): void
}

/** `wake`: there may be something to send for this lane. Where nothing is kept, everything passes at once. */
export function createGate(
  { changes, clock }: Pick<TenantState, 'changes' | 'clock'>,
  wake: (lane: Lane) => void,
): Gate {
  let [made, durable] = [0, 0]
  /** Of what was made since the store was asked last. */
  let coming = new Set<Lane>()
  let [waits, closed] = [false, false]
  let forget = (): void => undefined

  const pass = (upTo: number, lanes: Iterable<Lane>): void => {
    durable = upTo
    for (const lane of lanes) wake(lane)
    waits = false
    ask()
  }
  const ask = (): void => {
    if (made === durable) return
    const written = changes.settled()
    if (written) return wait(written)
    const lanes = coming
    coming = new Set()
    pass(made, lanes)
  }
  const wait = (written: Promise<void>): void => {
    const [upTo, lanes] = [made, coming]
    coming = new Set()
    waits = true
    const later = (): void => {
      for (const lane of lanes) coming.add(lane)
      forget = afterRealTime(retryMs, ask)
    }
    // Whoever moves time ahead waits for what is about to go out.
    void clock.track(
      written.then(
        () => closed || pass(upTo, lanes),
        () => closed || later(),
      ),
    )
  }

  return {
    get durable() {
      return durable
    },
    expect: (sequence, lane) => {
      made = sequence
      const written = waits ? undefined : changes.settled()
      if (waits || written) coming.add(lane)
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
