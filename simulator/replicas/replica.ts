/** One of the replicas at a store: runs the tenants that it took there, and passes on what is for others. */
import { randomUUID } from 'node:crypto'
import { strangersOf } from '../in-process-host.ts'
import { SeedTaken, withDefaultsOf, type TenantHost } from '../tenant-host.ts'
import type { Replica, Store } from '../store/store.ts'
import type { Tenant, TenantOptions } from '../tenant.ts'
import { machineTime, type MachineTime } from '../tenant/clock/machine-time.ts'
import { createRandom } from '../tenant/random.ts'
import { createRequestForwarder } from './forward.ts'
import { createLease } from './lease.ts'
import type { ReplicaPlace } from './place.ts'
import { createRequestRouter, localTenantOf } from './request-router.ts'
import { LocalTenants } from './local-tenants.ts'
import { sketch, type Sketch } from './row.ts'
import { createSilence } from './silence.ts'
import { beginSweep } from './sweep.ts'
import { createTokens } from './tokens.ts'

export interface ReplicaSettings {
  /** Base address at which the other replicas reach this one. Default: that of its first server. */
  address?: string
  /** How long others leave its tenants alone when it no longer says that it lives, in ms. Default 10,000. */
  leaseMs?: number
  /** A tenant is put down when nobody asked for it so long, in ms. Default 10 minutes. */
  idleMs?: number
  /** A tenant is deleted when nobody asked for it so long, in ms. Default 90 days. */
  tenantLifeMs?: number
  /** How long a reply waits for a store that is away, in ms. Default 5,000. */
  storeTimeoutMs?: number
  /** Whose time leases, rounds and idleness go by. Default: the machine's. */
  machine?: MachineTime
}

export interface ReplicaOptions extends ReplicaSettings {
  readonly store: Store
  readonly seed: string
  /** Of the default tenant. */
  readonly options: TenantOptions
  readonly url: () => string
  readonly notice: (line: string) => void
}

/** How often the owner of a tenant is looked up while it does not take a request, in ms, where its lease is longer. */
const acceptMs = 5_000
const minute = 60_000
const day = 24 * 60 * minute

/** What a replica is made of. */
function assemble(given: ReplicaOptions, { row }: Sketch) {
  const { store, url, notice, machine = machineTime, leaseMs = 10_000, storeTimeoutMs } = given
  const replica: Replica = {
    id: randomUUID(),
    // Known once its server listens.
    get address() {
      return given.address ?? url()
    },
  }
  const timeouts = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  const localTenants = new LocalTenants({
    store,
    replica,
    machine,
    url,
    notice,
    sure: () => lease.holds,
    optionsOf: (tenant) => (tenant === row.id ? row.options : undefined),
    ...timeouts,
  })
  const regained = (): Promise<void> => prove(localTenants)
  const lease = createLease({ store, replica, leaseMs, machine, regained })
  return {
    replica,
    machine,
    localTenants,
    tokens: createTokens(store, machine),
    lease,
    forwarder: createRequestForwarder({
      id: replica.id,
      machine,
      acceptMs: Math.min(acceptMs, leaseMs),
      connectMs: leaseMs,
    }),
    silence: createSilence(notice),
  }
}

/** Throws a RangeError on an address that stands for every one of this machine, and so for none to others. */
function proveReachable({ store, address, url }: ReplicaOptions): void {
  const { hostname } = new URL(address ?? url())
  if (!store.shared || !['0.0.0.0', '[::]'].includes(hostname)) return
  throw new RangeError(
    `Other replicas cannot ask ${hostname}: say at which address they reach this one (--replica-address).`,
  )
}

/** Throws a RangeError on options that cannot be kept, and on an address that is none. */
export function replicatedHost(given: ReplicaOptions): TenantHost {
  proveReachable(given)
  const { store, seed, url, notice, idleMs = 10 * minute, tenantLifeMs = 90 * day } = given
  const first = sketch(seed, given.options, url)
  const parts = assemble(given, first)
  const { replica, machine, localTenants, tokens, lease, forwarder } = parts
  const hostState = first.tenant.state
  const strangers = strangersOf(first.tenant, isDefault(localTenants, first))
  const defaultPlace = (): Promise<ReplicaPlace> => placeOrFound(localTenants, first)
  const may = (): boolean => lease.holds && localTenants.writeBehind.away === null
  let endSweep = (): void => undefined

  return {
    names: first.tenant,
    get tenant() {
      return defaultTenant(localTenants, first)
    },
    get tenants() {
      return localTenants.all.map(({ tenant }) => tenant)
    },
    get health() {
      return may() ? 'ok' : 'store-away'
    },
    countTenants: async () => (await store.tenants()).length,
    createTenant: () => {
      throw new RangeError('Over a store, a tenant is there only once it is kept: use addTenant().')
    },
    addTenant: async (own = {}) => {
      const made = sketch(own.seed ?? `${seed}/${randomUUID()}`, withDefaultsOf(given.options, own), url)
      const localTenant = await localTenants.found(made.row, made.digests)
      if (!localTenant) throw new SeedTaken(made.row.seed)
      await localTenant.tenant.state.changes.settled()
      return localTenant.tenant
    },
    removeTenant: async ({ id }) => {
      const localTenant = localTenants.byId(id)
      if (localTenant) await localTenants.remove(localTenant)
      tokens.forget(id)
    },
    open: async () => {
      await lease.begin()
      await defaultPlace()
      const random = createRandom(replica.id)
      const times = { machine, random, idleMs, tenantLifeMs }
      endSweep = beginSweep({ store, owner: replica.id, localTenants, may, notice, ...times })
    },
    placeOf: (head) => localTenantOf(localTenants, head)?.tenant.state ?? strangers,
    unreadable: (words) => JSON.stringify(hostState.rules.errorLayout(null, words)),
    answer: createRequestRouter({ ...parts, hostState, defaultPlace, notice }),
    handOver: () => localTenants.handOver(),
    close: async () => {
      endSweep()
      for (const reason of await localTenants.close())
        notice(`not everything was stored at the end: ${String(reason)}`)
      forwarder.close()
      await lease.end().catch(() => undefined)
      first.tenant.close()
    },
  }
}

/** It is founded where it was never there, or was deleted. */
async function placeOrFound(localTenants: LocalTenants, { row, digests }: Sketch): Promise<ReplicaPlace> {
  const place = await localTenants.placeOf(row.id)
  if (place.is !== 'nowhere') return place
  const localTenant = await localTenants.found(row, digests)
  return localTenant ? { is: 'here', localTenant } : localTenants.placeOf(row.id)
}

const isDefault =
  (localTenants: LocalTenants, { row }: Sketch) =>
  (state: object): boolean =>
    localTenants.byId(row.id)?.tenant.state === state

function defaultTenant(localTenants: LocalTenants, { row }: Sketch): Tenant {
  const localTenant = localTenants.byId(row.id)
  if (localTenant) return localTenant.tenant
  throw new Error(
    `The tenant of the seed ${JSON.stringify(row.seed)} is owned by another replica now: use HTTP, or names.`,
  )
}

/** What others took meanwhile shows when something of it is written. */
async function prove(localTenants: LocalTenants): Promise<void> {
  for (const { kept } of localTenants.all) kept.look()
  // Those that are lost reject, and are gone by then.
  await Promise.allSettled(localTenants.all.flatMap(({ tenant }) => tenant.state.changes.settled() ?? []))
  const { away } = localTenants.writeBehind
  if (away) throw away
}
