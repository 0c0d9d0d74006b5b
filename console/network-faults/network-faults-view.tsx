/** What happens to the next requests: errors, broken connections, delays. */
import { useRef, useState } from 'preact/hooks'
import { api, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { inTenant, readPending, tenantId } from '../state/tenant.ts'
import { Empty, Loaded, Panel } from '../ui/panel.tsx'
import { Button, Input } from '../ui/controls.tsx'

type NetworkFault = Schemas['NetworkFault']

interface Preset {
  readonly label: string
  readonly effect: string
  readonly fault: NetworkFault
}

const refusal = (code: Schemas['RefusalCode'], more = {}): NetworkFault => ({
  do: { is: 'refuse', code, ...more },
})

const presets: readonly Preset[] = [
  {
    label: '429',
    effect: 'Refused: too many requests; no turn runs.',
    fault: refusal('RATE_LIMITED', { retryAfterSeconds: 2 }),
  },
  { label: '500', effect: 'A server error before the turn; nothing ran.', fault: refusal('SERVER_ERROR') },
  { label: '503', effect: 'Not available; nothing ran.', fault: refusal('UNAVAILABLE') },
  { label: '402', effect: 'Refused: not enough credits.', fault: refusal('INSUFFICIENT_CREDITS') },
  {
    label: 'Cut before',
    effect: 'The connection ends before the turn; nothing ran.',
    fault: { do: { is: 'cut', when: 'before' } },
  },
  {
    label: 'Cut in the response',
    effect: 'The turn runs; the response breaks off after 40 bytes.',
    fault: { do: { is: 'cut', when: 'in', bytes: 40 } },
  },
  {
    label: 'Cut after',
    effect: 'The turn runs and is charged; no byte of the response arrives.',
    fault: { do: { is: 'cut', when: 'after' } },
  },
  { label: 'Wait 5 s', effect: 'The response comes 5 s later.', fault: { do: { is: 'wait', ms: 5_000 } } },
  {
    label: 'Split at every byte',
    effect: 'A stream arrives byte by byte.',
    fault: { do: { is: 'encode', as: { writes: 'every-byte', gapMs: 1 } } },
  },
]

const clear = () =>
  act('Requests pass unchanged.', async () => {
    await api.DELETE('/_sim/v1/tenants/{tenantId}/network-faults', inTenant())
    await api.DELETE('/_sim/v1/tenants/{tenantId}/failures', inTenant())
  })

export function NetworkFaultsView() {
  const live = useLive(readPending, tenantId.value)
  const form = useRef<HTMLFormElement>(null)
  const [count, setCount] = useState('1')
  const [path, setPath] = useState('')
  const add = ({ label, fault }: Preset) => {
    if (!form.current?.reportValidity()) return undefined
    const times = Number(count)
    const kind = path === '' ? 'chat turn' : 'request'
    const what = /^\d/.test(label) ? label : `“${label}”`
    return act(`The next ${times === 1 ? `${kind} gets` : `${times} ${kind}s get`} ${what}.`, () => {
      const networkFault = { ...fault, times, ...(path !== '' && { on: { path } }) }
      const body = { networkFaults: [networkFault] }
      return api.POST('/_sim/v1/tenants/{tenantId}/network-faults', { ...inTenant(), body })
    })
  }
  return (
    <>
      <Panel title="For the next requests">
        <form class="row" ref={form} onSubmit={(event) => event.preventDefault()}>
          <Input
            label="Requests"
            type="number"
            min={1}
            max={1_000}
            required
            value={count}
            onChange={setCount}
          />
          <Input
            label="whose path begins with"
            pattern="/.*"
            title="Begin with /, or leave it empty for any chat turn."
            placeholder="any chat turn"
            value={path}
            onChange={setPath}
          />
        </form>
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
      <Panel title="Queued for the next requests" aside={<Button shown="Clear" onClick={() => clear()} />}>
        <Loaded live={live}>{(pending) => <Pending {...pending} />}</Loaded>
      </Panel>
    </>
  )
}

const timesOf = (times: number | null): string =>
  times === null ? 'until cleared' : times === 1 ? 'once' : `${times} times`

export const labelOf = (action: Schemas['NetworkFaultAction']): string => {
  const text = JSON.stringify(action)
  return presets.find(({ fault }) => JSON.stringify(fault.do) === text)?.label ?? text
}

function Pending({ networkFaults, failures }: Awaited<ReturnType<typeof readPending>>) {
  if (networkFaults.length + failures.length === 0)
    return <Empty>Nothing queued: requests pass unchanged. Choose one above, then send a request.</Empty>
  return (
    <ul class="plain">
      {networkFaults.length > 1 && (
        <li class="soft">All that match a request apply to it together, not one after the other.</li>
      )}
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
