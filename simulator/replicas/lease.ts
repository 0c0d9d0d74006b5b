/**
 * The right of this replica to own tenants. It ends by itself, so that others go on with the tenants of a replica that
 * died; one that lives and could not renew it has to know before the others do.
 */
import type { Replica, Store } from '../store/store.ts'
import type { MachineTime } from '../tenant/clock/machine-time.ts'

export interface LeaseOptions {
  readonly store: Store
  readonly replica: Replica
  readonly leaseMs: number
  readonly machine: MachineTime
  /** It had lapsed and is there again: others may have taken something meanwhile. It holds once this resolves. */
  readonly regained: () => Promise<void>
}

export interface Lease {
  /** Whether nobody else can have taken what is run here. */
  readonly holds: boolean
  /** Takes it for the first time; rejects where the store cannot be reached. */
  begin(): Promise<void>
  /** Renews it no more, and gives it back. */
  end(): Promise<void>
}

/** Renewed so many times while it lasts: the store may fail twice in a row. */
const renewals = 3
/** A store that failed is asked again after so many ms at the latest. */
const retryMs = 1_000

export function createLease(options: LeaseOptions): Lease {
  const { store, replica, leaseMs, machine, regained } = options
  let until: number | null = null
  let forget = (): void => undefined
  let over = false

  /** It lasts from the moment at which it was asked for: the store counts from a later one. */
  const renew = async (): Promise<void> => {
    const asked = machine.elapsed()
    const renewed = await store.renew(replica, leaseMs)
    // A machine that was put to sleep does not know how long it slept, and clocks of a store are set.
    if (until !== null && renewed === 'new') until = Math.min(until, asked)
    if (until !== null && machine.elapsed() >= until) await regained()
    until = asked + leaseMs
  }
  const again = (ms: number): void => {
    if (over) return
    forget = machine.after(ms, () => {
      // What cannot be renewed lapses, and that is seen by the time.
      const sooner = (): void => again(Math.min(ms, retryMs))
      void renew().then(() => again(leaseMs / renewals), sooner)
    })
  }
  return {
    get holds() {
      // Where nobody else can be at the store, nobody takes anything.
      return !over && (!store.shared || machine.elapsed() < (until ?? -Infinity))
    },
    begin: async () => {
      await renew()
      again(leaseMs / renewals)
    },
    end: async () => {
      over = true
      forget()
      await store.leave(replica.id)
    },
  }
}
