/** Tenants: make one, reset it, remove it. */
import { api, bodyOf } from '../state/api.ts'
import { act } from '../state/live.ts'
import { readTenants, showTenant, tenantId, tenants } from '../state/tenant.ts'
import { Confirm } from '../ui/confirm.tsx'
import { namedOrCounted } from '../ui/counted.ts'
import { Badge, Panel } from '../ui/panel.tsx'
import { SnapshotsPanel } from './snapshots.tsx'
import { Button } from '../ui/button.tsx'

async function create(): Promise<void> {
  const { id } = await bodyOf(api.POST('/_sim/v1/tenants', { body: {} }))
  await readTenants()
  showTenant(id)
}

const pathOf = (id: string) => ({ params: { path: { tenantId: id } } })

const reset = (id: string): void =>
  void act(`Reset ${id}.`, () => api.POST('/_sim/v1/tenants/{tenantId}/reset', pathOf(id)))

/** The view goes back to the default tenant where the removed one was shown. */
const remove = (id: string): void =>
  void act(`Removed ${id}.`, async () => {
    await api.DELETE('/_sim/v1/tenants/{tenantId}', pathOf(id))
    if (id === tenantId.peek()) showTenant('')
    await readTenants()
  })

export function TenantsView() {
  return (
    <>
      <TenantsPanel />
      <SnapshotsPanel />
    </>
  )
}

function TenantsPanel() {
  return (
    <Panel
      title="Tenants"
      aside={
        <Button
          shown="Create a tenant"
          class="main"
          onClick={() => act('Created a tenant with its own keys.', create)}
        />
      }
    >
      <ul class="plain">
        {tenants.value.map(({ id, isDefault, faults, variants }) => (
          <li key={id} class="row">
            <span class="mono">{id}</span>
            {isDefault && <Badge>default</Badge>}
            {id === tenantId.value && <Badge tone="good">shown</Badge>}
            {faults.length > 0 && <Badge tone="bad">{namedOrCounted(faults, 'fault')}</Badge>}
            {variants.length > 0 && <Badge tone="doubt">{namedOrCounted(variants, 'variant')}</Badge>}
            <Button shown="Show" disabled={id === tenantId.value} onClick={() => showTenant(id)} />
            <Confirm
              shown="Reset"
              question={`Reset ${id}? This clears its requests, webhooks and settings.`}
              onConfirm={() => reset(id)}
            />
            <Confirm
              shown="Remove"
              question={`Remove ${id} with its keys?`}
              disabled={isDefault}
              onConfirm={() => remove(id)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
