/** Tenants: make one, reset it, remove it; and snapshots of the one that is shown. */
import { useState } from 'preact/hooks'
import { api, bodyOf } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { inTenant, readTenants, showTenant, tenantId, tenants } from '../state/tenant.ts'
import { saveFile } from '../ui/code.tsx'
import { Button, Confirm, Input } from '../ui/controls.tsx'
import { Badge, Empty, Panel, namedOrCounted } from '../ui/panel.tsx'

async function create(): Promise<void> {
  const { id } = await bodyOf(api.POST('/_sim/v1/tenants', { body: {} }))
  await readTenants()
  showTenant(id)
}

const pathOf = (id: string) => ({ params: { path: { tenantId: id } } })

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
              question={`Reset ${id}? This clears its requests, webhooks and settings; keys and clock stay.`}
              onConfirm={() =>
                void act(`Reset ${id}.`, () => api.POST('/_sim/v1/tenants/{tenantId}/reset', pathOf(id)))
              }
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

const named = (name: string) => inTenant({ name })
const snapshot = '/_sim/v1/tenants/{tenantId}/snapshots/{name}'

const readSnapshots = async () =>
  (await bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots', inTenant()))).snapshots

async function download(name: string): Promise<void> {
  const saved = await bodyOf(api.GET(snapshot, named(name)))
  saveFile(`${name}.json`, JSON.stringify(saved))
}

function SnapshotsPanel() {
  const [name, setName] = useState('')
  const { value: snapshots = [] } = useLive(readSnapshots, tenantId.value)
  const isKnown = snapshots.some((one) => one.name === name)
  const keep = (): void =>
    void act(`Saved ${name}.`, () => api.PUT(snapshot, named(name))).then((done) => done && setName(''))
  return (
    <Panel title="Snapshots of this tenant">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isKnown) keep()
        }}
      >
        <Input
          label="Name of letters, digits, dots, - and _"
          value={name}
          required
          pattern="[A-Za-z0-9_.\-]+"
          maxLength={64}
          onChange={setName}
        />
        {isKnown ? (
          <Confirm shown="Replace" question={`Replace the snapshot ${name}?`} onConfirm={keep} />
        ) : (
          <Button type="submit" shown="Save" />
        )}
      </form>
      {snapshots.length === 0 && (
        <Empty>No snapshots yet. Save one before you try something, and restore it afterwards.</Empty>
      )}
      <ul class="plain">
        {snapshots.map(({ name, at, bytes }) => (
          <li key={name} class="row">
            <span class="mono">{name}</span>
            <span class="soft">
              {at}, {bytes} bytes
            </span>
            <Confirm
              shown="Restore"
              question={`Restore ${name}? This clears the list of requests, and everything since ${at}.`}
              onConfirm={() =>
                void act(`Restored ${name}.`, () => api.POST(`${snapshot}/restore`, named(name)))
              }
            />
            <Button shown="Download" onClick={() => act(null, () => download(name))} />
            <Confirm
              shown="Delete"
              question={`Delete the snapshot ${name}?`}
              onConfirm={() => void act(`Deleted ${name}.`, () => api.DELETE(snapshot, named(name)))}
            />
          </li>
        ))}
      </ul>
      <p class="soft">A downloaded snapshot contains the API keys and webhook secrets of the tenant.</p>
    </Panel>
  )
}
