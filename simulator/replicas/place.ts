/** Where the requests of a tenant are answered. */
import type { ServerResponse } from 'node:http'
import type { PersistedTenant } from '../persistence/write-behind.ts'
import type { Tenant } from '../tenant.ts'

/** A tenant that is run in this process. */
export interface LocalTenant {
  readonly tenant: Tenant
  readonly kept: PersistedTenant
  readonly epoch: number
  /** What chooses it in a request. */
  readonly tokens: readonly string[]
  /** Answers under way: of the tenant, and about it. */
  readonly open: Map<ServerResponse, 'service' | 'control'>
  /** It was deleted, and nothing has to be written any more. */
  deleted: boolean
  /** When somebody asked it last, in elapsed milliseconds of the machine. */
  usedAt: number
}

/**
 * `there`: another replica runs the tenant, at this address. `away`: nobody can answer for it now, and `reason`, a
 * whole sentence, says why. `nowhere`: there is no such tenant.
 */
export type ReplicaPlace =
  | { readonly is: 'here'; readonly localTenant: LocalTenant }
  | { readonly is: 'there'; readonly tenant: string; readonly address: string }
  | { readonly is: 'away'; readonly reason: string }
  | { readonly is: 'nowhere' }
