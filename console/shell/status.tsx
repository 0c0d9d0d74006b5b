/** The tenant, its clock, and whether what is shown is live. */
import { useEffect } from 'preact/hooks'
import { readClock } from '../clock/clock-view.tsx'
import { connection, followJournal } from '../state/exchanges.ts'
import { useLive } from '../state/live.ts'
import { addressOf, place } from '../state/place.ts'
import { readTenants, showTenant, tenantId, tenants } from '../state/tenant.ts'
import { sameNames, Select } from '../ui/select.tsx'
import { Badge } from '../ui/panel.tsx'

export function Status() {
  const read = useLive(readTenants, place.value.query.get('tenant') ?? '', 5_000)
  const id = tenantId.value
  useEffect(() => (id === '' ? undefined : followJournal(id)), [id])
  return (
    <>
      {tenants.value.length > 1 && (
        <Select
          label="Tenant"
          value={id}
          options={sameNames(tenants.value.map((one) => one.id))}
          onChange={showTenant}
        />
      )}
      {id !== '' && <Time />}
      <Connection problem={read.problem} />
    </>
  )
}

function Time() {
  const { value } = useLive(readClock, tenantId.value, 1_000)
  if (!value) return null
  const time = new Date(value.now).toISOString().slice(11, 19)
  return (
    <a href={addressOf('clock')} class="mono" aria-label={`Clock: ${time}, ${value.setting.mode}`}>
      {time} {value.setting.mode}
    </a>
  )
}

function Connection({ problem }: { problem: string | null }) {
  const state = connection.value
  const why = typeof state === 'object' ? state.problem : problem
  if (why !== null) return <Badge tone="bad">not connected: {why}; trying again</Badge>
  return state === 'live' ? <Badge tone="good">live</Badge> : <Badge tone="quiet">connecting</Badge>
}
