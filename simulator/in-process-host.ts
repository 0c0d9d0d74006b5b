/** Runs every tenant in this process, for as long as it lasts. */
import { createTenant } from './create-tenant.ts'
import { answer } from './server/dispatch.ts'
import type { RequestHead, RequestPlace } from './server/http-server.ts'
import { authorizationTokenOf } from './server/call.ts'
import { SeedTaken, withDefaultsOf, type TenantHost } from './tenant-host.ts'
import type { Tenant, TenantOptions } from './tenant.ts'
import { cookieToken } from './webhooks/management/sessions.ts'
import type { TenantState } from './tenant/tenant-state.ts'

export const tokensOf = ({ state }: Pick<Tenant, 'state'>): readonly string[] => [
  ...state.apiKeys.keys(),
  ...state.older.apiKeys.keys(),
  ...state.sessions.keys(),
]

/** Tenants by the API keys and session tokens that choose them. */
function createTenants(seed: string, url: () => string) {
  const tenants: Tenant[] = []
  const byToken = new Map<string, TenantState>()
  const shared = new Map<string, unknown>()
  let made = 0

  const create = (options: TenantOptions = {}): Tenant => {
    // The first one has the seed itself, the others one that follows from it.
    const own = made++ === 0 ? seed : `${seed}/${made}`
    const tenant = createTenant({ seed: options.seed ?? own, url, shared, onClose: remove }, options)
    const tokens = tokensOf(tenant)
    if (tokens.some((token) => byToken.has(token))) throw new SeedTaken(tenant.seed)
    for (const token of tokens) byToken.set(token, tenant.state)
    tenants.push(tenant)
    return tenant
  }
  const remove = (tenant: Tenant): void => {
    for (const token of tokensOf(tenant)) byToken.delete(token)
    const index = tenants.indexOf(tenant)
    if (index !== -1) tenants.splice(index, 1)
  }
  return { tenants, byToken, create }
}

/** Whoever sends no credentials that are known here; what they have in flight is nobody else's. */
export const strangersOf = (
  { state }: { readonly state: TenantState },
  isHostedBy = (other: object): boolean => other === state,
): RequestPlace => ({
  isHostedBy,
  get rules() {
    return state.rules
  },
})

/** `options`: of the default tenant. */
export function inProcessHost(seed: string, options: TenantOptions, url: () => string): TenantHost {
  const { tenants, byToken, create } = createTenants(seed, url)
  const tenant = create(options)
  const knownState = (head: RequestHead): TenantState | undefined =>
    byToken.get(authorizationTokenOf(head)) ?? byToken.get(cookieToken(head) ?? '')
  const strangers = strangersOf(tenant)
  return {
    names: tenant,
    tenant,
    tenants,
    health: 'ok',
    countTenants: async () => tenants.length,
    createTenant: (own = {}) => create(withDefaultsOf(options, own)),
    addTenant: async (own = {}) => create(withDefaultsOf(options, own)),
    removeTenant: async (one) => one.close(),
    open: () => Promise.resolve(),
    placeOf: (head) => knownState(head) ?? strangers,
    unreadable: (words) => JSON.stringify(tenant.state.rules.errorLayout(null, words)),
    answer: (dispatch, call, response) => answer(dispatch, knownState(call) ?? tenant.state, call, response),
    handOver: () => Promise.resolve(),
    close: async () => {
      for (const each of tenants.slice()) each.close()
    },
  }
}
