/** Rounds that a replica makes by itself: takes what is due and nobody runs, puts down what is idle, deletes what is old. */
import { StoreAway, type Store } from '../store/store.ts'
import type { MachineTime } from '../tenant/clock/machine-time.ts'
import type { Random } from '../tenant/random.ts'
import type { LocalTenants } from './local-tenants.ts'

export interface SweepOptions {
  readonly store: Store
  readonly owner: string
  readonly localTenants: LocalTenants
  readonly machine: MachineTime
  /** So that replicas that started together do not ask together. */
  readonly random: Random
  readonly idleMs: number
  readonly tenantLifeMs: number
  /** Whether this replica may own tenants now. */
  readonly may: () => boolean
  readonly notice: (line: string) => void
}

/** Between two rounds, in ms, on average. */
const everyMs = 1_000
/** Tenants taken in one round: the others are for other replicas, or for the next one. */
const most = 4
/** Rounds between two looks for tenants that are too old. */
const pruneEvery = 600

/** Call the result to end it. */
export function beginSweep(options: SweepOptions): () => void {
  const { store, localTenants, machine, random, may, notice } = options
  let forget = (): void => undefined
  let [rounds, over] = [0, false]
  let trouble: string | null = null
  /** Said when it begins, and when it ends. */
  const report = (now: string | null): void => {
    if (trouble === null && now !== null) notice(`the store is away: ${now}`)
    if (trouble !== null && now === null) notice(`the store is back: ${store.name}`)
    trouble = now
  }
  const round = async (): Promise<void> => {
    if (!may()) return report(localTenants.writeBehind.away?.message ?? `the lease at ${store.name} is over`)
    await sweep(options, rounds++ % pruneEvery === 0)
    report(null)
  }
  const failed = (error: unknown): void =>
    error instanceof StoreAway ? report(error.message) : notice(`error: ${String(error)}`)
  const again = (): void => {
    if (over) return
    const ms = everyMs / 2 + random.below(everyMs)
    forget = machine.after(ms, () => void round().catch(failed).then(again))
  }
  again()
  return () => {
    over = true
    forget()
  }
}

async function sweep(options: SweepOptions, prunes: boolean): Promise<void> {
  const { store, owner, localTenants, idleMs, tenantLifeMs, notice } = options
  const claims = await store.claimDue(owner, most, localTenants.owned)
  await Promise.all(claims.map((claim) => localTenants.take(claim)))
  await localTenants.rest(idleMs)
  if (!prunes) return
  const { tenants } = await store.prune(tenantLifeMs)
  if (tenants > 0) notice(`${tenants} tenants that nobody asked for any more were deleted`)
}
