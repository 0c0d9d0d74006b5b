/** A simulator in another process, by its control plane. */
import type { components } from '../../spec/types/control.ts'
import type { TenantOptions } from '../tenant.ts'
import type { Answer, Body } from './operations.ts'
import { sendTo, type Place, type Send } from './send.ts'
import { tenantControl, type ControlledTenant, type TenantControl } from './tenant.ts'

type Schemas = components['schemas']

export interface ControlClientOptions {
  /** Base address of a simulator, or the control base of one tenant, as TOUCHSTONE_CONTROL_URL has it. */
  url: string
  /** What the control plane asks for as a bearer token, where it does. */
  token?: string
  /** Default: that of the platform. */
  fetch?: typeof globalThis.fetch
}

/** As for a tenant in this process, with credits of each account at the beginning. */
export interface ControlledTenantOptions extends Pick<
  TenantOptions,
  | 'seed'
  | 'vendor'
  | 'identifiers'
  | 'clock'
  | 'faults'
  | 'variants'
  | 'readings'
  | 'replyRules'
  | 'networkFaults'
  | 'tasks'
> {
  credits?: number
}

export interface ControlClient {
  /** Base address of the service that is simulated, without a trailing slash. */
  readonly url: string
  health(): Promise<Schemas['Health']>
  /** A tenant of its own, with keys and agents of its own. */
  createTenant(options?: ControlledTenantOptions): Promise<ControlledTenant>
  /** The tenant of this id; without one, that of the control base. Nothing is asked for it. */
  tenant(id?: string): TenantControl
  faults(): Promise<Answer<'listFaults'>['faults']>
  variants(): Promise<Answer<'listVariants'>['variants']>
  readings(): Promise<Answer<'listReadings'>['gaps']>
  situations(): Promise<Answer<'listSituations'>['situations']>
}

const states = '/_sim/v1/tenants/'

/** Throws a TypeError for an address that is none. */
export function createControlClient({
  url,
  token,
  fetch = globalThis.fetch,
}: ControlClientOptions): ControlClient {
  if (!URL.canParse(url))
    throw new TypeError(
      `The url of a control client is ${JSON.stringify(url)}: give the base address of a simulator, or TOUCHSTONE_CONTROL_URL.`,
    )
  const given = url.replace(/\/+$/, '')
  const at = given.indexOf(states)
  const host = at === -1 ? given : given.slice(0, at)
  const place: Place = { host, base: at === -1 ? null : given, token, fetch }
  const send = sendTo(place)
  const within = (base: string): Send => sendTo({ ...place, base })

  return {
    url: host,
    health: () => send('readHealth', {}),
    createTenant: async (options = {}) => {
      const made = await send('createTenant', { body: requestOf(options) })
      const control = host + made.control
      // The roles are those of the simulator that this comes with.
      const known = { ...made, control, url: host } as Schemas['CreatedTenant'] & ControlledTenant
      return { ...known, ...tenantControl(within(control)) }
    },
    tenant: (id) => {
      const base = id === undefined ? place.base : `${host}${states}${encodeURIComponent(id)}`
      if (base !== null) return tenantControl(within(base))
      throw new TypeError('The url of this control client names no tenant: give the id of a tenant.')
    },
    faults: async () => (await send('listFaults', {})).faults,
    variants: async () => (await send('listVariants', {})).variants,
    readings: async () => (await send('listReadings', {})).gaps,
    situations: async () => (await send('listSituations', {})).situations,
  }
}

/** The document spells moments as ISO texts. */
function requestOf({ clock, ...plain }: ControlledTenantOptions): Body<'createTenant'> {
  if (clock === undefined) return plain
  if (clock.mode !== 'frozen' || clock.at === undefined)
    return { ...plain, clock: clock.mode === 'frozen' ? { mode: 'frozen' } : clock }
  return { ...plain, clock: { mode: 'frozen', at: new Date(clock.at).toISOString() } }
}
