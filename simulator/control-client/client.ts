/** Controls a simulator in another process over its control routes. */
import type { components } from '../../spec/types/control.ts'
import type { TenantOptions } from '../tenant-handle.ts'
import { immutableBody, createApi, dataOf } from './api.ts'
import { type SnapshotDocument, tenantControl, type ControlledTenant, type TenantControl } from './tenant.ts'

type Schemas = components['schemas']

export interface ControlClientOptions {
  /** Base address of a simulator, or of the control routes of one tenant, as in TOUCHSTONE_CONTROL_URL. */
  url: string
  /** Bearer token of the control routes, if the simulator requires one. */
  token?: string
  /** Default: that of the platform. */
  fetch?: typeof globalThis.fetch
}

/** The options of a tenant in this process that can be sent, and the initial credits of each account. */
export interface ControlledTenantOptions extends Pick<
  TenantOptions,
  | 'seed'
  | 'vendor'
  | 'identifiers'
  | 'clock'
  | 'faults'
  | 'variants'
  | 'interpretations'
  | 'replyRules'
  | 'networkFaults'
  | 'tasks'
> {
  credits?: number
  /** Creates the tenant of this snapshot; no other option may be given. */
  snapshot?: SnapshotDocument
}

export type ControlClient = ReturnType<typeof createControlClient>

const tenants = '/_sim/v1/tenants/'

/** Throws a TypeError for an invalid address. */
export function createControlClient({ url, token, fetch = globalThis.fetch }: ControlClientOptions) {
  if (!URL.canParse(url))
    throw new TypeError(
      `The url of a control client is ${JSON.stringify(url)}: give the base address of a simulator, or TOUCHSTONE_CONTROL_URL.`,
    )
  const [base = '', ownTenant] = url.replace(/\/+$/, '').split(tenants)
  const api = createApi(base, token, fetch)
  return {
    /** Base address of the simulated service, without a trailing slash. */
    url: base,
    health: () => dataOf(api.GET('/healthz')),
    /** Creates a tenant with its own keys and agents. */
    createTenant: async (options: ControlledTenantOptions = {}): Promise<ControlledTenant> => {
      const created = await dataOf(api.POST('/_sim/v1/tenants', { body: requestOf(options) }))
      const control = base + created.control
      // The roles are those of the simulator in this package.
      const known = { ...created, control, url: base } as Schemas['CreatedTenant'] & ControlledTenant
      return { ...known, ...tenantControl(api, created.id) }
    },
    /** The tenant with this id, by default that of `url`. Sends no request. */
    tenant: (id = ownTenant && decodeURIComponent(ownTenant)): TenantControl => {
      if (id === undefined)
        throw new TypeError('The url of this control client names no tenant: give the id of a tenant.')
      return tenantControl(api, id)
    },
    /** The tenants that the process at this address runs. */
    tenants: async () => (await dataOf(api.GET('/_sim/v1/tenants'))).tenants,
    faults: async () => (await dataOf(api.GET('/_sim/v1/faults'))).faults,
    variants: async () => (await dataOf(api.GET('/_sim/v1/variants'))).variants,
    interpretations: async () => (await dataOf(api.GET('/_sim/v1/interpretations'))).gaps,
    situations: async () => (await dataOf(api.GET('/_sim/v1/situations'))).situations,
    /** A document that describes the simulator, whole and as JSON, with its vendor's identifiers. */
    document: (name: 'openapi' | 'asyncapi' | 'control') =>
      dataOf(api.GET('/_sim/{document}', { params: { path: { document: `${name}.json` } } })),
  }
}

/** A time is an ISO string in the request. */
function requestOf({ clock, ...plain }: ControlledTenantOptions): Schemas['TenantRequest'] {
  if (clock === undefined) return immutableBody(plain)
  if (clock.mode !== 'frozen' || clock.at === undefined)
    return immutableBody({ ...plain, clock: clock.mode === 'frozen' ? { mode: 'frozen' } : clock })
  return immutableBody({ ...plain, clock: { mode: 'frozen', at: new Date(clock.at).toISOString() } })
}
