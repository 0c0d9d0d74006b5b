/** A store without a disk: for replicas in one process, and to hold every other store against. */
import { machineElapsed } from '../tenant/clock/machine-time.ts'
import type { Claim, Claimed, Commit, Document, Pruned, Renewed, Replica, Store, TenantRow } from './store.ts'

interface Held {
  readonly row: TenantRow
  readonly tokens: readonly string[]
  readonly documents: Map<string, Document>
  owner: string | null
  epoch: number
  dueAt: number | null
  /** When somebody claimed it or gave it up last. */
  usedAt: number
}

interface Lease {
  readonly address: string
  readonly until: number
}

type Place = Pick<Claim, 'id' | 'epoch'>

/** `now`: milliseconds, for leases and due moments. */
export const createMemoryStore = (now: () => number = machineElapsed): Store => new MemoryStore(now)

class MemoryStore implements Store {
  readonly name = 'memory'
  readonly shared = true
  readonly #now: () => number
  readonly #tenants = new Map<string, Held>()
  readonly #byToken = new Map<string, string>()
  readonly #leases = new Map<string, Lease>()

  constructor(now: () => number) {
    this.#now = now
  }

  async renew({ id, address }: Replica, leaseMs: number): Promise<Renewed> {
    const [now, before] = [this.#now(), this.#leases.get(id)]
    this.#leases.set(id, { address, until: now + leaseMs })
    return before && before.until > now ? 'held' : 'new'
  }

  async leave(replica: string): Promise<void> {
    this.#leases.delete(replica)
  }

  async found(row: TenantRow, tokens: readonly string[], owner: string): Promise<boolean> {
    if (this.#tenants.has(row.id) || tokens.some((token) => this.#byToken.has(token))) return false
    const made = { row, tokens, documents: new Map(), owner, epoch: 1, dueAt: null, usedAt: this.#now() }
    this.#tenants.set(row.id, made)
    for (const token of tokens) this.#byToken.set(token, row.id)
    return true
  }

  async tenantOf(digest: string): Promise<string | null> {
    return this.#byToken.get(digest) ?? null
  }

  async tenants(): Promise<readonly string[]> {
    return [...this.#tenants.keys()]
  }

  async claim(tenant: string, owner: string): Promise<Claimed> {
    const held = this.#tenants.get(tenant)
    if (!held) return { is: 'missing' }
    if (held.owner === owner || this.#isFree(held)) return { is: 'claimed', claim: this.#take(held, owner) }
    return { is: 'held', address: this.#leases.get(held.owner ?? '')?.address ?? '' }
  }

  async claimDue(owner: string, most: number, owned: readonly string[]): Promise<readonly Claim[]> {
    const [now, execution] = [this.#now(), new Set(owned)]
    return [...this.#tenants.values()]
      .filter(({ row, dueAt }) => dueAt !== null && dueAt <= now && !execution.has(row.id))
      .filter((held) => held.owner === owner || this.#isFree(held))
      .slice(0, most)
      .map((held) => this.#take(held, owner))
  }

  async *documents(tenant: string): AsyncGenerator<Document> {
    const documents = [...(this.#tenants.get(tenant)?.documents.values() ?? [])]
    yield* documents.sort((one, other) => ascending(one.kind, other.kind) || one.place - other.place)
  }

  async commit(owner: string, commits: readonly Commit[]): Promise<readonly string[]> {
    const lost: string[] = []
    for (const { tenant, epoch, put, removed, dueInMs } of commits) {
      const held = this.#owned(owner, { id: tenant, epoch })
      if (!held) {
        lost.push(tenant)
        continue
      }
      for (const document of removed) held.documents.delete(nameOf(document))
      for (const document of put) held.documents.set(nameOf(document), document)
      held.dueAt = this.#momentIn(dueInMs)
    }
    return lost
  }

  async release(owner: string, claim: Place, dueInMs: number | null): Promise<void> {
    const held = this.#owned(owner, claim)
    if (held) Object.assign(held, { owner: null, dueAt: this.#momentIn(dueInMs), usedAt: this.#now() })
  }

  async remove(owner: string, claim: Place): Promise<void> {
    const held = this.#owned(owner, claim)
    if (held) this.#drop(held)
  }

  async prune(idleMs: number): Promise<Pruned> {
    const idleSince = this.#now() - idleMs
    const old = [...this.#tenants.values()].filter(
      (held) => this.#isFree(held) && Math.max(held.usedAt, this.#leaseEnd(held)) <= idleSince,
    )
    for (const held of old) this.#drop(held)
    return { tenants: old.length }
  }

  async close(): Promise<void> {}

  /** Nobody's lease is one that ended long ago. */
  #leaseEnd({ owner }: Held): number {
    return (owner === null ? undefined : this.#leases.get(owner))?.until ?? Number.NEGATIVE_INFINITY
  }

  #isFree(held: Held): boolean {
    return this.#leaseEnd(held) <= this.#now()
  }

  #take(held: Held, owner: string): Claim {
    Object.assign(held, { owner, epoch: held.epoch + 1, usedAt: this.#now() })
    return { ...held.row, epoch: held.epoch }
  }

  #owned(owner: string, { id, epoch }: Place): Held | undefined {
    const held = this.#tenants.get(id)
    return held?.owner === owner && held.epoch === epoch ? held : undefined
  }

  #momentIn(ms: number | null): number | null {
    return ms === null ? null : this.#now() + ms
  }

  #drop({ row, tokens }: Held): void {
    this.#tenants.delete(row.id)
    for (const token of tokens) this.#byToken.delete(token)
  }
}

const ascending = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const nameOf = ({ kind, id }: Pick<Document, 'kind' | 'id'>): string => `${kind}\n${id}`
