/** Runs the tenants of a simulator, and finds the one that a request is for. */
import type { ServerResponse } from 'node:http'
import { createTenant } from './create-tenant.ts'
import type { Persistence } from './store/persistence.ts'
import { authorizationTokenOf, type Call } from './edge/reply.ts'
import { answer, type Dispatch } from './server/dispatch.ts'
import type { Incoming } from './server/receive.ts'
import type { Tenant, TenantOptions } from './tenant-handle.ts'
import { nothingStored } from './tenant/conversations.ts'
import type { TenantState } from './rules/tenant-state.ts'
import { cookieToken } from './webhooks/management-rules.ts'

/** A seed gives one tenant, with its keys. */
export class SeedTaken extends RangeError {
  override readonly name = 'SeedTaken'
  constructor(seed: string) {
    super(`A tenant with the seed ${JSON.stringify(seed)} is there already; choose another.`)
  }
}

/**
 * Options of a further tenant: it has the vendor, the older routes, the machine and the reader of journals of the
 * default one, unless it has its own.
 */
function withDefaultsOf(
  { vendor, identifiers, legacy, machine, journalCredentials, onJournalEnd }: TenantOptions,
  given: TenantOptions,
): TenantOptions {
  const read = onJournalEnd && { journalCredentials, onJournalEnd }
  const own = { legacy, machine, ...read, ...given }
  if (own.vendor !== undefined) return own
  const names = identifiers && { ...identifiers, ...own.identifiers }
  return { ...own, vendor, ...(names && { identifiers: names }) }
}

const tokensOf = ({ state }: Tenant): readonly string[] => [
  ...state.apiKeys.keys(),
  ...state.older.apiKeys.keys(),
  ...state.sessions.keys(),
]

/** Tenants by the API keys and session tokens that choose them. */
function createTenants(url: () => string, persistence: Persistence | null) {
  const tenants: Tenant[] = []
  const byToken = new Map<string, TenantState>()
  const shared = new Map<string, unknown>()
  const hasSeed = (seed: string): boolean => tenants.some((tenant) => tenant.seed === seed)

  const onClose = (tenant: Tenant): void => {
    persistence?.end(tenant.state, 'stays')
    for (const token of tokensOf(tenant)) byToken.delete(token)
    const index = tenants.indexOf(tenant)
    if (index !== -1) tenants.splice(index, 1)
  }
  const create = (seed: string, options: TenantOptions): Tenant => {
    if (hasSeed(seed)) throw new SeedTaken(seed)
    const make = (changes = nothingStored, life = 0): Tenant =>
      createTenant({ seed, url, shared, onClose, changes, life }, options)
    const tenant = persistence ? persistence.load(seed, options, make) : make()
    for (const token of tokensOf(tenant)) byToken.set(token, tenant.state)
    tenants.push(tenant)
    return tenant
  }
  return { tenants, byToken, hasSeed, create }
}

export type TenantHost = ReturnType<typeof createTenantHost>

/** `options`: of the default tenant. `persistence`: null where tenants end with the process. Throws a RangeError. */
export function createTenantHost(
  seed: string,
  options: TenantOptions,
  url: () => string,
  persistence: Persistence | null,
) {
  const { tenants, byToken, hasSeed, create } = createTenants(url, persistence)
  const stored = [...(persistence?.origins.values() ?? [])].filter((origin) => origin.seed !== seed)
  const tenant = create(seed, options)
  for (const origin of stored) create(origin.seed, origin.options)
  let made = 1
  /** The first one has the seed itself, the others one that follows from it. */
  const nextSeed = (): string => {
    const next = `${seed}/${++made}`
    return hasSeed(next) ? nextSeed() : next
  }
  const knownState = (head: Pick<Call, 'headers'>): TenantState | undefined =>
    byToken.get(authorizationTokenOf(head)) ?? byToken.get(cookieToken(head) ?? '')
  return {
    /** Answers while no other is named by an API key or a session. */
    tenant,
    /** The default one first. */
    tenants: tenants as readonly Tenant[],
    /** Throws SeedTaken. */
    createTenant: (own: TenantOptions = {}): Tenant => {
      const next = nextSeed()
      return create(own.seed ?? next, withDefaultsOf(options, own))
    },
    /** Ends a tenant, and deletes what is stored of it. */
    removeTenant: (one: Tenant): void => {
      persistence?.end(one.state, 'deleted')
      one.close()
    },
    answer: (dispatch: Dispatch, call: Incoming, response: ServerResponse): void => {
      const state = knownState(call) ?? tenant.state
      answer(dispatch, state, call, response, () => {
        // Settings change without a report, and whatever is no read may change them.
        if (call.method !== 'GET') state.changes.changed('settings', '')
        return persistence?.settled()
      })
    },
    close: (): void => {
      persistence?.close()
      for (const each of tenants.slice()) each.close()
    },
  }
}
