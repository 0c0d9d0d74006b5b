/** Who runs the tenants of a simulator and answers for them: this process alone, or one of the replicas at a store. */
import type { ServerResponse } from 'node:http'
import type { Dispatch } from './server/dispatch.ts'
import type { Incoming, RequestHead, RequestPlace } from './server/http-server.ts'
import type { Tenant, TenantOptions } from './tenant.ts'

/** Of the default tenant, wherever it is run: what follows from its seed. */
export type TenantNames = Pick<
  Tenant,
  | 'id'
  | 'seed'
  | 'vendor'
  | 'identifiers'
  | 'url'
  | 'keys'
  | 'sessions'
  | 'olderKeys'
  | 'agents'
  | 'interpretations'
>

/** Options of a further tenant: it has the vendor and the older routes of the default one, unless it has its own. */
export function withDefaultsOf(
  { vendor, identifiers, legacy }: TenantOptions,
  given: TenantOptions,
): TenantOptions {
  const own = legacy === undefined ? given : { legacy, ...given }
  if (own.vendor !== undefined) return own
  return {
    ...own,
    ...(vendor === undefined ? {} : { vendor }),
    ...(identifiers === undefined ? {} : { identifiers: { ...identifiers, ...own.identifiers } }),
  }
}

/** `store-away`: nothing can be kept now, and so nothing is answered. */
export type Health = 'ok' | 'store-away'

export interface TenantHost {
  readonly names: TenantNames
  /** Throws if another replica owns the default tenant. */
  readonly tenant: Tenant
  readonly tenants: readonly Tenant[]
  readonly health: Health
  /** Of every tenant, wherever it is run. */
  countTenants(): Promise<number>
  /** Throws where there is a store, since a tenant is there only once it is kept. */
  createTenant(options?: TenantOptions): Tenant
  /** Throws SeedTaken. */
  addTenant(options?: TenantOptions): Promise<Tenant>
  /** Ends a tenant for good. */
  removeTenant(tenant: Tenant): Promise<void>
  /** The servers are open. Rejects where the store cannot be reached. */
  open(): Promise<void>
  placeOf(head: RequestHead): RequestPlace
  /** The flat JSON body for bytes that are not a request. */
  unreadable(words: string): string
  answer(dispatch: Dispatch, call: Incoming, response: ServerResponse): void
  /** Takes up no tenant any more, and lets others have those in which nothing is under way now. */
  handOver(): Promise<void>
  /** The servers are closed, or about to be. */
  close(): Promise<void>
}

/** A seed gives one tenant, wherever it is run. */
export class SeedTaken extends RangeError {
  override readonly name = 'SeedTaken'
  constructor(seed: string) {
    super(`A tenant with the seed ${JSON.stringify(seed)} is there already; choose another.`)
  }
}
