/**
 * Where tenants outlive their process. A tenant is run by one replica at a time, its owner, and kept as documents
 * that change together, a step of its tenant at a time. Every method is one atomic step, whoever else is at the same
 * store.
 */

/** One thing that is kept of a tenant. */
export interface Document {
  readonly kind: string
  readonly id: string
  /** Ascending in the order in which they are read back within their kind. */
  readonly place: number
  /** JSON. */
  readonly body: string
}

/** A tenant as the store knows it without its documents. */
export interface TenantRow {
  readonly id: string
  readonly seed: string
  /** JSON of the options that it was made with. */
  readonly options: string
}

/** A replica's right to own a tenant. Each takeover raises the epoch; what an older one writes is refused. */
export interface Claim extends TenantRow {
  readonly epoch: number
}

/** What one step, or several in a row, changed of one tenant. */
export interface Commit {
  readonly tenant: string
  readonly epoch: number
  readonly put: readonly Document[]
  readonly removed: readonly Pick<Document, 'kind' | 'id'>[]
  /** When the tenant wants to be run even though nobody asks for it, in ms from now; null: never. */
  readonly dueInMs: number | null
}

/** `held`: another replica runs it. `missing`: there is no such tenant. */
export type Claimed =
  | { readonly is: 'claimed'; readonly claim: Claim }
  | { readonly is: 'held'; readonly address: string }
  | { readonly is: 'missing' }

/** `new`: there was none, or it was over by the time of the store, so that others may have taken anything. */
export type Renewed = 'held' | 'new'

export interface Replica {
  readonly id: string
  /** Base address at which the other replicas reach it. */
  readonly address: string
}

/** What was deleted for its age. */
export interface Pruned {
  readonly tenants: number
}

export interface Store {
  /** For words to a user, without secrets: `the file data.db`, `PostgreSQL at db:5432/sim`. */
  readonly name: string
  /** Whether other processes may be at the same store. */
  readonly shared: boolean
  /** Begins the lease of a replica, and renews it. Rejects while the store is away. */
  renew(replica: Replica, leaseMs: number): Promise<Renewed>
  /** Ends the lease: whatever the replica runs is free for others. */
  leave(replica: string): Promise<void>
  /** Makes a tenant that its maker runs. False: its id or one of its tokens is taken, and nothing was changed. */
  found(row: TenantRow, tokens: readonly string[], owner: string): Promise<boolean>
  /** The tenant that a token chooses. `digest`: SHA-256 of the token, as hex. */
  tenantOf(digest: string): Promise<string | null>
  /** Ids of all tenants, the oldest first. */
  tenants(): Promise<readonly string[]>
  /** Takes a tenant that nobody runs, or whose owner's lease is over. */
  claim(tenant: string, owner: string): Promise<Claimed>
  /**
   * Takes tenants that are due, each by one replica only: those that nobody runs, and those that `owner` has and does
   * not own, since something went wrong as it took them or gave them up. `owned`: ids of those that it does.
   */
  claimDue(owner: string, most: number, owned: readonly string[]): Promise<readonly Claim[]>
  /** The documents of a tenant by kind, in the order of their places. */
  documents(tenant: string): AsyncIterable<Document>
  /** Writes all of it or nothing; gives the tenants whose claim was lost, of which nothing was written. */
  commit(owner: string, commits: readonly Commit[]): Promise<readonly string[]>
  /** Gives a tenant up, with the moment at which it is due. */
  release(owner: string, claim: Pick<Claim, 'id' | 'epoch'>, dueInMs: number | null): Promise<void>
  /** Deletes a tenant and everything of it. */
  remove(owner: string, claim: Pick<Claim, 'id' | 'epoch'>): Promise<void>
  /** Deletes tenants that nobody runs and nobody asked for so long. */
  prune(idleMs: number): Promise<Pruned>
  close(): Promise<void>
}

/** The store cannot be reached or cannot write now; what was not written stands with whoever wanted to write it. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'
}

/** The reason for clients: address and error details of a store are for the operator only. */
export const publicReasonOf = (reason: unknown): string => {
  if (reason instanceof StoreAway) return 'The store is away.'
  return reason instanceof Error ? reason.message : String(reason)
}
