/** What happens to the next requests: errors, broken connections, delays. */
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { readPending } from '../state/pending.ts'
import { ofTenant, tenantId } from '../state/tenant.ts'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { presets, type Preset } from './presets.ts'

const clear = () =>
  act('Requests and responses pass as they are.', async () => {
    const params = { path: ofTenant() }
    await api.DELETE('/_sim/v1/tenants/{tenantId}/network-faults', { params })
    await api.DELETE('/_sim/v1/tenants/{tenantId}/failures', { params })
  })

export function NextView() {
  const live = useLive(readPending, tenantId.value)
  const [times, setTimes] = useState(1)
  const [path, setPath] = useState('')
  const add = ({ label, fault }: Preset) =>
    act(`${label}: the next ${times === 1 ? 'request' : `${times} requests`} will meet it.`, () => {
      const networkFault = { ...fault, times, ...(path !== '' && { on: { path } }) }
      const body = { networkFaults: [networkFault] }
      return api.POST('/_sim/v1/tenants/{tenantId}/network-faults', { params: { path: ofTenant() }, body })
    })
  return (
    <>
      <Panel title="The next request">
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
        <ul class="plain">
          {presets.map((preset) => (
            <li key={preset.label} class="row">
              <button type="button" onClick={() => void add(preset)}>
                {preset.label}
              </button>
              <span class="soft">{preset.effect}</span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel
        title="Waiting to be met"
        aside={
          <button type="button" onClick={() => void clear()}>
            Clear
          </button>
        }
      >
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
  if (networkFaults.length + failures.length === 0) return <Empty>Nothing: requests pass as they are.</Empty>
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
