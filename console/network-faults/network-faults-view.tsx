/** What happens to the next requests: errors, broken connections, delays. */
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { readPending } from '../state/pending.ts'
import { inTenant, tenantId } from '../state/tenant.ts'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { presets, type Preset } from './presets.ts'
import { Button } from '../ui/button.tsx'

const clear = () =>
  act('Requests pass unchanged.', async () => {
    await api.DELETE('/_sim/v1/tenants/{tenantId}/network-faults', inTenant())
    await api.DELETE('/_sim/v1/tenants/{tenantId}/failures', inTenant())
  })

export function NetworkFaultsView() {
  const live = useLive(readPending, tenantId.value)
  const [times, setTimes] = useState(1)
  const [path, setPath] = useState('')
  const add = ({ label, fault }: Preset) =>
    act(`${label}: queued for the next ${times === 1 ? 'request' : `${times} requests`}.`, () => {
      const networkFault = { ...fault, times, ...(path !== '' && { on: { path } }) }
      const body = { networkFaults: [networkFault] }
      return api.POST('/_sim/v1/tenants/{tenantId}/network-faults', { ...inTenant(), body })
    })
  return (
    <>
      <Panel title="For the next requests">
        <div class="row">
          <label>
            Requests{' '}
            <input
              type="number"
              min={1}
              max={1_000}
              value={times}
              onInput={(event) => setTimes(event.currentTarget.valueAsNumber || 1)}
            />
          </label>
          <label>
            whose path begins with{' '}
            <input
              placeholder="any chat turn"
              value={path}
              onInput={(event) => setPath(event.currentTarget.value)}
            />
          </label>
        </div>
        <dl class="choices">
          {presets.map((preset) => (
            <>
              <dt>
                <Button shown={preset.label} onClick={() => add(preset)} />
              </dt>
              <dd>{preset.effect}</dd>
            </>
          ))}
        </dl>
      </Panel>
      <Panel title="Queued" aside={<Button shown="Clear" onClick={() => clear()} />}>
        <Loaded live={live}>{(pending) => <Pending {...pending} />}</Loaded>
      </Panel>
    </>
  )
}

interface PendingProps {
  readonly networkFaults: readonly Schemas['PendingNetworkFault'][]
  readonly failures: readonly Schemas['PendingFailure'][]
}

const timesOf = (times: number | null): string =>
  times === null ? 'until cleared' : times === 1 ? 'once' : `${times} times`

const labelOf = (action: Schemas['NetworkFaultAction']): string => {
  const text = JSON.stringify(action)
  return presets.find(({ fault }) => JSON.stringify(fault.do) === text)?.label ?? text
}

function Pending({ networkFaults, failures }: PendingProps) {
  if (networkFaults.length + failures.length === 0)
    return <Empty>Nothing queued: requests pass unchanged. Choose one above, then send a request.</Empty>
  return (
    <ul>
      {networkFaults.map(({ do: action, on, after, times }, at) => (
        <li key={at}>
          <strong>{labelOf(action)}</strong>: {timesOf(times)}, {on?.path ?? 'chat turns'}
          {after > 0 && `, after ${after} others`}
        </li>
      ))}
      {failures.map(({ status, at, times }, index) => (
        <li key={`failure-${index}`}>
          {status} at the {at}, {timesOf(times)}
        </li>
      ))}
    </ul>
  )
}
