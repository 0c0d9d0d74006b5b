/** Snapshots are taken and restored one after the other, for all tenants of this process: each takes much time and memory. */
import type { Tenant } from '../tenant.ts'
import { HeavyTurns } from '../tenant/clock/heavy-turns.ts'

const turns = new HeavyTurns()

export const inSnapshotTurn = <T>(tenant: Tenant, work: () => T | Promise<T>): Promise<T> =>
  turns.run(tenant, work)

export interface SavedSnapshot {
  /** Time of the tenant when it was taken. */
  readonly at: string
  /** The document as JSON in UTF-8. */
  readonly text: Uint8Array
}

const next = new WeakMap<Tenant, Promise<SavedSnapshot>>()

/** Requests that come before it is taken share a snapshot: the state is that of a moment after each of them. */
export function sharedSnapshot(tenant: Tenant, take: () => Promise<SavedSnapshot>): Promise<SavedSnapshot> {
  const known = next.get(tenant)
  if (known) return known
  const taken = inSnapshotTurn(tenant, () => {
    next.delete(tenant)
    return take()
  })
  next.set(tenant, taken)
  return taken
}
