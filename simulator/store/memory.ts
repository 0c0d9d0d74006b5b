/** A store without a disk: for replicas in one process, and to hold every other store against. */
import { machineNow } from '../world/machine-time.ts'
import type { Claim, Document, Store, TenantRow } from './store.ts'

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

const nameOf = ({ kind, id }: Pick<Document, 'kind' | 'id'>): string => `${kind}\n${id}`

/** `now`: milliseconds, for leases and due moments. */
export function createMemoryStore(now: () => number = machineNow): Store {
  const tenants = new Map<string, Held>()
  const byToken = new Map<string, string>()
  const leases = new Map<string, Lease>()

  const isFree = ({ owner }: Held, asker: string): boolean =>
    owner === null || owner === asker || (leases.get(owner)?.until ?? 0) <= now()
  const take = (held: Held, owner: string): Claim => {
    Object.assign(held, { owner, epoch: held.epoch + 1, usedAt: now() })
    return { ...held.row, epoch: held.epoch }
  }
  const owned = (owner: string, { id, epoch }: Pick<Claim, 'id' | 'epoch'>): Held | undefined => {
    const held = tenants.get(id)
    return held?.owner === owner && held.epoch === epoch ? held : undefined
  }
  const momentOf = (inMs: number | null): number | null => (inMs === null ? null : now() + inMs)
  const drop = ({ row, tokens }: Held): void => {
    tenants.delete(row.id)
    for (const token of tokens) byToken.delete(token)
  }

  return {
    name: 'memory',
    shared: true,
    renew: async ({ id, address }, leaseMs) => void leases.set(id, { address, until: now() + leaseMs }),
    leave: async (replica) => void leases.delete(replica),
    found: async (row, tokens, owner) => {
      if (tenants.has(row.id) || tokens.some((token) => byToken.has(token))) return false
      const made = { row, tokens, documents: new Map(), owner, epoch: 1, dueAt: null, usedAt: now() }
      tenants.set(row.id, made)
      for (const token of tokens) byToken.set(token, row.id)
      return true
    },
    tenantOf: async (digest) => byToken.get(digest) ?? null,
    tenants: async () => [...tenants.keys()],
    claim: async (tenant, owner) => {
      const held = tenants.get(tenant)
      if (!held) return { is: 'missing' }
      if (isFree(held, owner)) return { is: 'claimed', claim: take(held, owner) }
      return { is: 'held', address: leases.get(held.owner ?? '')?.address ?? '' }
    },
    claimDue: async (owner, most) =>
      [...tenants.values()]
        .filter((held) => held.owner !== owner && held.dueAt !== null && held.dueAt <= now())
        .filter((held) => isFree(held, owner))
        .slice(0, most)
        .map((held) => take(held, owner)),
    documents: async function* (tenant) {
      const documents = [...(tenants.get(tenant)?.documents.values() ?? [])]
      yield* documents.sort((one, other) => one.place - other.place)
    },
    commit: async (owner, commits) => {
      const lost: string[] = []
      for (const { tenant, epoch, put, removed, dueInMs } of commits) {
        const held = owned(owner, { id: tenant, epoch })
        if (!held) {
          lost.push(tenant)
          continue
        }
        for (const document of put) held.documents.set(nameOf(document), document)
        for (const document of removed) held.documents.delete(nameOf(document))
        held.dueAt = momentOf(dueInMs)
      }
      return lost
    },
    release: async (owner, claim, dueInMs) => {
      const held = owned(owner, claim)
      if (held) Object.assign(held, { owner: null, dueAt: momentOf(dueInMs), usedAt: now() })
    },
    remove: async (owner, claim) => {
      const held = owned(owner, claim)
      if (held) drop(held)
    },
    prune: async (idleMs) => {
      const old = [...tenants.values()].filter((held) => isFree(held, '') && held.usedAt + idleMs <= now())
      for (const held of old) drop(held)
      return { tenants: old.length }
    },
    close: async () => undefined,
  }
}
