/** Snapshots of this tenant: save one, list, restore, download, delete. */
import { useState } from 'preact/hooks'
import { api, bodyOf } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { inTenant, tenantId } from '../state/tenant.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Empty, Panel } from '../ui/panel.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Button } from '../ui/button.tsx'

const named = (name: string) => inTenant({ name })

const read = async () =>
  (await bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots', inTenant()))).snapshots

async function download(name: string): Promise<void> {
  const snapshot = await bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name)))
  saveFile(`${name}.json`, JSON.stringify(snapshot))
}

const save = (name: string) =>
  act(`Saved ${name}.`, () => api.PUT('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name)))
const restore = (name: string) =>
  act(`Restored ${name}.`, () =>
    api.POST('/_sim/v1/tenants/{tenantId}/snapshots/{name}/restore', named(name)),
  )
const remove = (name: string) =>
  act(`Deleted ${name}.`, () => api.DELETE('/_sim/v1/tenants/{tenantId}/snapshots/{name}', named(name)))

export function SnapshotsPanel() {
  const [name, setName] = useState('')
  const { value: snapshots = [] } = useLive(read, tenantId.value)
  return (
    <Panel title="Snapshots of this tenant">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void save(name).then((done) => done && setName(''))
        }}
      >
        <label>
          Name{' '}
          <input
            value={name}
            required
            pattern="[A-Za-z0-9_.\-]{1,64}"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Save</button>
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
              onConfirm={() => void restore(name)}
            />
            <Button shown="Download" onClick={() => act(null, () => download(name))} />
            <Confirm
              shown="Delete"
              question={`Delete the snapshot ${name}?`}
              onConfirm={() => void remove(name)}
            />
          </li>
        ))}
      </ul>
      <p class="soft">A downloaded snapshot contains the API keys and webhook secrets of the tenant.</p>
    </Panel>
  )
}
