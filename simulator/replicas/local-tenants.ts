/** The tenants that are run in this process: taken from the store when they are asked for, given back when idle. */
import type { ServerResponse } from 'node:http'
import { tokensOf } from '../in-process-host.ts'
import { createTenant } from '../create-tenant.ts'
import { createWriteBehind, type WriteBehind } from '../persistence/write-behind.ts'
import { dueIn } from '../persistence/page.ts'
import { restore } from '../persistence/restore.ts'
import { StoreAway, type Claim, type Replica, type Store, type TenantRow } from '../store/store.ts'
import type { MachineTime } from '../tenant/clock/machine-time.ts'
import { abreast } from './abreast.ts'
import { breakOff } from './break-off.ts'
import type { ReplicaPlace, LocalTenant } from './place.ts'
import { createRecent } from './recent.ts'
import { isAtRest, isIdle } from './rest.ts'
import { optionsIn } from './row.ts'
import { createDuplicateReport } from './silence.ts'

export interface LocalTenantsOptions {
  readonly store: Store
  readonly replica: Replica
  readonly machine: MachineTime
  /** Options, as text, that take the place of those in the row: of the tenant that this process was started for. */
  readonly optionsOf: (tenant: string) => string | undefined
  /** Address that its tenants say they have. */
  readonly url: () => string
  readonly notice: (line: string) => void
  /** Whether nobody else can have taken what is run here. */
  readonly sure: () => boolean
  /** How long anybody waits for a store that is away, in ms. */
  readonly storeTimeoutMs?: number
}

/** Owners that are remembered: of further ones, the store is asked anew. */
const ownersMost = 100_000
/** The fewer, the longer an end takes; each waits for what it has changed, and for a write of its own. */
const releasedAtOnce = 16

const lostWords = 'Another replica runs this tenant now.'
const leavingWords = 'This replica is about to end.'

export class LocalTenants {
  readonly writeBehind: WriteBehind
  readonly #options: LocalTenantsOptions
  readonly #byId = new Map<string, LocalTenant>()
  readonly #byToken = new Map<string, LocalTenant>()
  /** Those that are being looked for. */
  readonly #coming = new Map<string, Promise<ReplicaPlace>>()
  /** Those that are being given back. */
  readonly #going = new Map<string, Promise<void>>()
  /** Owner of each tenant that another replica owns, as last seen. */
  readonly #owners = createRecent<string>(ownersMost)
  /** The newest claim of each that came here: what was begun under an older one is dropped. */
  readonly #epochs = new Map<string, number>()
  readonly #shared = new Map<string, unknown>()
  readonly #reportDuplicate: (address: string) => void
  #leaving = false

  constructor(options: LocalTenantsOptions) {
    const { store, replica, notice, sure, storeTimeoutMs } = options
    this.#options = options
    this.#reportDuplicate = createDuplicateReport(notice)
    this.writeBehind = createWriteBehind({
      store,
      owner: replica.id,
      sure,
      lost: (tenants) => {
        for (const tenant of tenants) this.#lose(tenant, new Error(lostWords))
      },
      defect: (tenant, reason) => {
        notice(`error: the tenant ${tenant} could not be written down: ${reason.stack ?? reason.message}`)
        this.#lose(tenant, new Error('The tenant could not be written down; the log says why.'))
      },
      ...(storeTimeoutMs === undefined ? {} : { storeTimeoutMs }),
    })
  }

  get all(): readonly LocalTenant[] {
    return [...this.#byId.values()]
  }

  /** Ids of those that are run here, and of those that come or go: what stands at the store of them is as it should be. */
  get owned(): readonly string[] {
    return [...this.#byId.keys(), ...this.#coming.keys(), ...this.#going.keys()]
  }

  byToken(token: string): LocalTenant | undefined {
    return this.#byToken.get(token)
  }

  byId(id: string): LocalTenant | undefined {
    return this.#byId.get(id)
  }

  /** Takes it where nobody runs it. Rejects while the store is away. */
  placeOf(id: string): ReplicaPlace | Promise<ReplicaPlace> {
    const localTenant = this.#byId.get(id)
    if (localTenant) return { is: 'here', localTenant }
    const coming = this.#coming.get(id)
    if (coming) return coming
    const address = this.#owners.get(id)
    if (address !== undefined) return { is: 'there', tenant: id, address }
    const place = this.#look(id).finally(() => this.#coming.delete(id))
    this.#coming.set(id, place)
    return place
  }

  /** Its owner did not answer for it: the store is asked anew. */
  forgetOwner(id: string): void {
    this.#owners.delete(id)
  }

  /** Founds a tenant, and runs it; undefined where its seed is taken. */
  async found(row: TenantRow, digests: readonly string[]): Promise<LocalTenant | undefined> {
    const { store, replica } = this.#options
    if (this.#leaving) throw new StoreAway(leavingWords)
    if (!(await store.found(row, digests, replica.id))) return undefined
    const claim = { ...row, epoch: 1 }
    this.#epochs.set(row.id, claim.epoch)
    return this.#enter(claim, this.#made(claim))
  }

  /** Runs what was claimed, from where its documents have it. */
  async take(claim: Claim): Promise<LocalTenant | undefined> {
    const { store, replica } = this.#options
    this.#epochs.set(claim.id, claim.epoch)
    const made = this.#made(claim)
    try {
      await restore(made.tenant.state, store.documents(claim.id))
    } catch (error) {
      made.kept.end(new Error(lostWords))
      made.tenant.close()
      // What cannot be read now stays due, and is taken up by the next round; what never can be is left to who asks for it.
      if (!(error instanceof StoreAway)) await store.release(replica.id, claim, null).catch(() => undefined)
      throw error
    }
    const newest = this.#epochs.get(claim.id) === claim.epoch
    if (newest && !this.#leaving) return this.#enter(claim, made)
    const due = dueIn(made.tenant.state)
    made.kept.end(new Error(lostWords))
    made.tenant.close()
    if (newest) await store.release(replica.id, claim, due)
    return this.#byId.get(claim.id)
  }

  /** Gives back those that nobody asked for so long and that have nothing under way. */
  async rest(idleMs: number): Promise<void> {
    const before = this.#options.machine.elapsed() - idleMs
    for (const localTenant of this.all)
      if (localTenant.usedAt <= before && isAtRest(localTenant)) await this.release(localTenant, isAtRest)
  }

  /** Takes nothing more, and gives back those in which nothing is under way. What cannot be written stays here. */
  async handOver(): Promise<void> {
    this.#leaving = true
    await abreast(releasedAtOnce, this.all.filter(isIdle), (localTenant) => this.release(localTenant, isIdle))
  }

  /**
   * Writes what is not yet written, and lets others have it at once. What cannot be written stays here, and so does what
   * `may` says no to by then.
   */
  release(localTenant: LocalTenant, may: (localTenant: LocalTenant) => boolean = () => true): Promise<void> {
    const { id } = localTenant.tenant
    return this.#going.get(id) ?? this.#goes(id, this.#release(localTenant, may))
  }

  /** Deletes a tenant that is run here. */
  async remove(localTenant: LocalTenant): Promise<void> {
    const { store, replica } = this.#options
    const { id } = localTenant.tenant
    localTenant.deleted = true
    this.#leave(localTenant, new Error('This tenant was deleted.'))
    await this.#goes(id, store.remove(replica.id, { id, epoch: localTenant.epoch }))
  }

  /** Gives all of them back, whoever waits for an answer; gives why what could not be written is lost. */
  async close(): Promise<readonly unknown[]> {
    this.#leaving = true
    await Promise.allSettled(this.#coming.values())
    const written = await Promise.allSettled(
      this.all.flatMap(({ tenant }) => tenant.state.changes.settled() ?? []),
    )
    const lost = written.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
    const reasons = lost.length > 0 ? lost : await this.#giveBack()
    for (const localTenant of this.all) this.#leave(localTenant, new Error('The simulator was closed.'))
    return reasons
  }

  /** Whatever is not given back while the store is away is free for others once the lease is over. */
  #giveBack(): Promise<readonly unknown[]> {
    let isAway = false
    return abreast(releasedAtOnce, this.all, async (localTenant) => {
      if (isAway) return
      await this.release(localTenant).catch((reason: unknown) => {
        isAway = reason instanceof StoreAway
        throw reason
      })
    })
  }

  /** Nobody takes it here before that has ended. */
  #goes(id: string, work: Promise<void>): Promise<void> {
    const going = work.finally(() => {
      if (this.#going.get(id) === going) this.#going.delete(id)
    })
    this.#going.set(id, going)
    return going
  }

  async #look(id: string): Promise<ReplicaPlace> {
    const { store, replica } = this.#options
    await this.#going.get(id)?.catch(() => undefined)
    if (this.#leaving) return { is: 'away', reason: leavingWords }
    const claimed = await store.claim(id, replica.id)
    if (claimed.is === 'missing') return { is: 'nowhere' }
    if (claimed.is === 'held') return this.#held(id, claimed.address)
    const localTenant = await this.take(claimed.claim)
    return localTenant ? { is: 'here', localTenant } : { is: 'away', reason: lostWords }
  }

  #held(id: string, address: string): ReplicaPlace {
    // One that was here before us and died, or that says of itself what others cannot reach.
    if (address === '' || address === this.#options.replica.address) {
      this.#reportDuplicate(address)
      return {
        is: 'away',
        reason: 'The replica that owned this tenant has gone, and its lease has not expired.',
      }
    }
    this.#owners.set(id, address)
    return { is: 'there', tenant: id, address }
  }

  #made(claim: Claim): Pick<LocalTenant, 'tenant' | 'kept'> {
    const kept = this.writeBehind.keep(claim.id)
    const begunWith = this.#options.optionsOf(claim.id) ?? claim.options
    const place = {
      seed: claim.seed,
      url: this.#options.url,
      shared: this.#shared,
      changes: kept.changes,
      life: claim.epoch - 1,
      begunWith,
      onClose: () => this.#closed(claim.id, claim.epoch),
    }
    return { tenant: createTenant(place, optionsIn(begunWith)), kept }
  }

  #enter(claim: Claim, { tenant, kept }: Pick<LocalTenant, 'tenant' | 'kept'>): LocalTenant {
    const before = this.#byId.get(claim.id)
    if (before) this.#leave(before, new Error(lostWords))
    const usedAt = this.#options.machine.elapsed()
    const tokens = tokensOf(tenant)
    const [epoch, open, deleted] = [claim.epoch, new Map<ServerResponse, 'service'>(), false]
    const localTenant: LocalTenant = { tenant, kept, epoch, tokens, open, deleted, usedAt }
    this.#byId.set(claim.id, localTenant)
    this.#owners.delete(claim.id)
    for (const token of tokens) this.#byToken.set(token, localTenant)
    kept.begin(tenant.state, claim.epoch)
    return localTenant
  }

  async #release(localTenant: LocalTenant, may: (localTenant: LocalTenant) => boolean): Promise<void> {
    const { store, replica } = this.#options
    const { state, id } = localTenant.tenant
    // What was set by somebody in this process has no mark.
    localTenant.kept.look()
    for (let wait = state.changes.settled(); wait; wait = state.changes.settled()) await wait
    if (this.#byId.get(id) !== localTenant || !may(localTenant)) return
    const due = dueIn(state)
    this.#leave(localTenant, new Error('This replica gave the tenant back.'))
    await store.release(replica.id, { id, epoch: localTenant.epoch }, due)
  }

  #lose(id: string, reason: Error): void {
    const localTenant = this.#byId.get(id)
    if (localTenant) this.#leave(localTenant, reason)
  }

  /** Stops writing and sending; pending promises reject. */
  #leave(localTenant: LocalTenant, reason: Error): void {
    this.#forget(localTenant)
    // First of all: closing a tenant ends its deliveries, which is nothing to write down.
    localTenant.kept.end(reason)
    breakOff(localTenant, reason)
    localTenant.tenant.close()
  }

  #forget({ tenant, tokens, epoch }: LocalTenant): void {
    this.#byId.delete(tenant.id)
    if (this.#epochs.get(tenant.id) === epoch) this.#epochs.delete(tenant.id)
    for (const token of tokens) this.#byToken.delete(token)
  }

  /** By somebody in this process who has a hold on the tenant: it goes on elsewhere, when it is asked for. */
  #closed(id: string, epoch: number): void {
    const localTenant = this.#byId.get(id)
    if (localTenant?.epoch !== epoch) return
    const { store, replica } = this.#options
    this.#forget(localTenant)
    localTenant.kept.end(new Error('The tenant was closed.'))
    void store.release(replica.id, { id, epoch }, null).catch(() => undefined)
  }
}
