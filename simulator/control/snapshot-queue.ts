/** Snapshots are taken and restored one after the other, for all tenants of this process: each takes much time and memory. */
import type { Tenant } from '../tenant.ts'
import { machineElapsed, pauseFor } from '../tenant/clock/machine-time.ts'

type Work = () => Promise<unknown>

/** What waits, by tenant. The first tenant is next. */
const waiting = new Map<Tenant, Work[]>()
let isRunning = false

/** Runs `work` when it is the turn of the tenant, however much other tenants have waiting. */
export function inSnapshotTurn<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const queue = waiting.get(tenant) ?? []
  queue.push(() => work().then(resolve, reject))
  waiting.set(tenant, queue)
  if (!isRunning) void runAll()
  return promise
}

async function runAll(): Promise<void> {
  isRunning = true
  await Promise.resolve()
  for (const [tenant, queue] of waiting) {
    // Behind the others, if it has more.
    waiting.delete(tenant)
    const work = queue.shift()
    if (queue.length > 0) waiting.set(tenant, queue)
    const began = machineElapsed()
    await work?.()
    // As long as it took, everything else has the process for itself.
    await pauseFor(machineElapsed() - began)
  }
  isRunning = false
}

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
