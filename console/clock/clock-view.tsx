/** The clock of the tenant: what time it is there, and buttons that move it. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { inTenant, tenantId } from '../state/tenant.ts'
import { Loaded, Panel, duration } from '../ui/panel.tsx'
import { Button } from '../ui/controls.tsx'

type ClockState = Schemas['ClockState']

const steps = [
  ['+1 s', 1_000],
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
] as const

export const readClock = (): Promise<ClockState> =>
  bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/clock', inTenant()))

export const advance = (ms: number) =>
  act(null, () => api.POST('/_sim/v1/tenants/{tenantId}/clock/advance', { ...inTenant(), body: { ms } }))

const modes: readonly (readonly [label: string, done: string, setting: Schemas['ClockSetting']])[] = [
  ['Real', 'The clock shows the time of the machine again, wherever it was moved.', { mode: 'real' }],
  ['Frozen', 'The clock stands still.', { mode: 'frozen' }],
  ['60 times as fast', 'The clock goes on 60 times as fast.', { mode: 'scaled', factor: 60 }],
]

export function ClockView() {
  return <Loaded live={useLive(readClock, tenantId.value, 500)}>{(clock) => <Clock clock={clock} />}</Loaded>
}

function Clock({ clock: { now, setting, pending = 0, nextInMs = null } }: { clock: ClockState }) {
  return (
    <Panel title={new Date(now).toISOString().replace('T', ' ').replace('Z', ' UTC')}>
      <p>
        {setting.mode === 'frozen' ? 'Frozen: time stands still until you move it.' : 'The clock runs.'}{' '}
        {nextInMs === null
          ? 'Nothing is scheduled.'
          : `Scheduled events: ${pending}; the next one in ${duration(nextInMs)}.`}
      </p>
      <div class="row" role="group" aria-label="Move the clock">
        {steps.map(([label, ms]) => (
          <Button key={label} shown={label} onClick={() => advance(ms)} />
        ))}
        <Button
          shown="Jump to the next event"
          disabled={nextInMs === null}
          onClick={() => advance(Math.ceil(nextInMs ?? 0))}
        />
      </div>
      <h3>How time passes</h3>
      <div class="row" role="group" aria-label="How time passes">
        {modes.map(([label, done, body]) => (
          <Button
            key={label}
            shown={label}
            aria-pressed={setting.mode === body.mode}
            onClick={() =>
              act(done, () => api.PUT('/_sim/v1/tenants/{tenantId}/clock', { ...inTenant(), body }))
            }
          />
        ))}
      </div>
    </Panel>
  )
}
