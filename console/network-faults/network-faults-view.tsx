/** What happens to the next requests: errors, broken connections, delays. */
import { useRef, useState } from 'preact/hooks'
import { api, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { clearPending, inTenant, readPending, tenantId } from '../state/tenant.ts'
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

/** One after the other: each is placed by what the one before it has queued. */
let queued: Promise<unknown> = Promise.resolve()

/** Behind what is queued for the same path: of two that met the same request, one would not be seen. */
async function queue({ label, fault }: Preset, times: number, path: string): Promise<void> {
  const ahead = (await readPending()).networkFaults.filter(({ on }) => (on?.path ?? '') === path)
  if (ahead.some((one) => one.times === null)) throw new Error('What is queued has no end: clear it first.')
  const after = Math.max(0, ...ahead.map((one) => one.after + (one.times ?? 0)))
  const networkFault = { ...fault, times, after, ...(path !== '' && { on: { path } }) }
  const body = { networkFaults: [networkFault] }
  await api.POST('/_sim/v1/tenants/{tenantId}/network-faults', { ...inTenant(), body })
  const kind = path === '' ? 'chat turn' : 'request'
  const next = `${after === 0 ? 'The' : `After ${after} more, the`} next`
  const what = /^\d/.test(label) ? label : `“${label}”`
  notify(`${next} ${times === 1 ? `${kind} gets` : `${times} ${kind}s get`} ${what}.`)
}

export function NetworkFaultsView() {
  const live = useLive(readPending, tenantId.value)
  const form = useRef<HTMLFormElement>(null)
  const [count, setCount] = useState('1')
  const [path, setPath] = useState('')
  const add = (preset: Preset) => {
    if (!form.current?.reportValidity()) return undefined
    return act(null, () => (queued = queued.catch(() => null).then(() => queue(preset, Number(count), path))))
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
            placeholder="/… (empty: any chat turn)"
            size={24}
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
      <Panel
        title="Queued for the next requests"
        aside={<Button shown="Clear" onClick={() => act('Requests pass unchanged.', clearPending)} />}
      >
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
        <li class="soft">What meets the same request applies to it together; a refusal wins.</li>
      )}
      {networkFaults.map(({ do: action, on, after, times }, at) => (
        <li key={at}>
          <strong>{labelOf(action)}</strong>: {timesOf(times)}, {on?.path ?? 'chat turns'}
          {after > 0 && `, after ${after} more`}
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
