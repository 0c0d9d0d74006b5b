/** The tenant that the console shows. */
import { computed, signal } from '@preact/signals'
import { api, bodyOf, type Schemas } from './api.ts'
import { place, setQuery } from './place.ts'

export type Credentials = Schemas['CreatedTenant']

export const tenants = signal<readonly Schemas['ListedTenant'][]>([])

/** The one in the address, or else the default one of the simulator. */
export const tenantId = computed((): string => {
  const wanted = place.value.query.get('tenant')
  const [first] = tenants.value
  const shown =
    tenants.value.find(({ id }) => id === wanted) ?? tenants.value.find(({ isDefault }) => isDefault)
  return (shown ?? first)?.id ?? ''
})

/** The tenant in the address, where there is no such tenant; empty otherwise. */
export const missingTenant = computed((): string => {
  const wanted = place.value.query.get('tenant') ?? ''
  const isKnown = tenants.value.length === 0 || tenants.value.some(({ id }) => id === wanted)
  return isKnown ? '' : wanted
})

export const credentials = signal<Credentials | undefined>(undefined)

export const showTenant = (id: string): void => setQuery({ tenant: id, after: '' })

/** Of an agent that every tenant has; undefined for others. */
export const roleOf = (agentId: string | undefined): string | undefined =>
  Object.entries(credentials.value?.agents ?? {}).find(([, id]) => id === agentId)?.[0]

/** What a control route of the tenant that is shown is called with; `more`: its other path parameters. */
export const inTenant = <More extends object = object>(more?: More) => ({
  params: { path: { tenantId: tenantId.value, ...more } as { tenantId: string } & More },
})

export const pathOf = (id: string): string => `/_sim/v1/tenants/${encodeURIComponent(id)}`

export async function readTenants(): Promise<void> {
  const { tenants: listed } = await bodyOf(api.GET('/_sim/v1/tenants'))
  tenants.value = listed
  if (tenantId.value === '' || credentials.peek()?.id === tenantId.value) return
  credentials.value = await bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/credentials', inTenant()))
}

export async function readPending() {
  const [{ networkFaults }, { failures }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/network-faults', inTenant())),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/failures', inTenant())),
  ])
  return { networkFaults, failures }
}

export const readHolds = async () =>
  (await bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/barriers', inTenant()))).barriers

export const endHold = (how: 'release' | 'crash', barrierId: string) =>
  api.POST(`/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/${how}`, inTenant({ barrierId }))

export async function clearPending(): Promise<void> {
  await api.DELETE('/_sim/v1/tenants/{tenantId}/network-faults', inTenant())
  await api.DELETE('/_sim/v1/tenants/{tenantId}/failures', inTenant())
}

export const prepareSituation = (situation: string) =>
  bodyOf(
    api.POST('/_sim/v1/tenants/{tenantId}/situations/{situation}', { ...inTenant({ situation }), body: {} }),
  )

export const readTenant = (): Promise<Schemas['TenantState']> =>
  bodyOf(api.GET('/_sim/v1/tenants/{tenantId}', inTenant()))
