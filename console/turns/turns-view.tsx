/** Turns in flight: where they are held, and buttons that let them go on or die. */
import { useState } from 'preact/hooks'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { credentials, ofTenant, tenantId } from '../state/tenant.ts'
import { Badge, Empty, Loaded, Panel } from '../ui/panel.tsx'

type Point = Schemas['BarrierRequest']['point']

const points: Readonly<Record<Point, string>> = {
  'before-run': 'before it runs',
  'after-token': 'after some tokens',
  'before-commit': 'after the reply is made, before it is committed',
  'after-commit': 'after it is committed, before the reply',
}

const read = async () => {
  const params = { path: ofTenant() }
  const [{ turns }, { barriers }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/turns', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/barriers', { params })),
  ])
  return { turns, barriers }
}

export function TurnsView() {
  const live = useLive(read, tenantId.value, 500)
  return (
    <>
      <Panel title="Hold turns">
        <HoldForm />
      </Panel>
      <Loaded live={live}>
        {({ turns, barriers }) => (
          <div class="columns">
            <Panel title="Barriers">
              {barriers.length === 0 ? (
                <Empty>Nothing is held. Hold the next turn above, then send one.</Empty>
              ) : (
                <ul class="plain">
                  {barriers.map((barrier) => (
                    <BarrierOf key={barrier.id} barrier={barrier} />
                  ))}
                </ul>
              )}
            </Panel>
            <Panel title="In flight">
              {turns.length === 0 ? (
                <Empty>No turn runs now.</Empty>
              ) : (
                <ul class="plain">
                  {turns.map((turn) => (
                    <TurnOf key={`${turn.scope} ${turn.key}`} turn={turn} />
                  ))}
                </ul>
              )}
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  )
}

function HoldForm() {
  const [point, setPoint] = useState<Point>('before-run')
  const [n, setN] = useState(1)
  const [agentId, setAgent] = useState('')
  const [next, setNext] = useState(true)
  const hold = (event: Event): void => {
    event.preventDefault()
    const body = {
      point,
      ...(point === 'after-token' && { n }),
      ...(agentId !== '' && { agentId }),
      ...(next && { times: 1 }),
    }
    void act(`${next ? 'The next turn' : 'Every turn'} is held ${points[point]}.`, () =>
      api.POST('/_sim/v1/tenants/{tenantId}/barriers', { params: { path: ofTenant() }, body }),
    )
  }
  return (
    <form class="row" onSubmit={hold}>
      <label>
        Hold{' '}
        <select
          value={next ? 'next' : 'every'}
          onChange={(event) => setNext(event.currentTarget.value === 'next')}
        >
          <option value="next">the next turn</option>
          <option value="every">every turn</option>
        </select>
      </label>
      <label>
        of{' '}
        <select value={agentId} onChange={(event) => setAgent(event.currentTarget.value)}>
          <option value="">any agent</option>
          {Object.keys(credentials.value?.agents ?? {}).map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      <label>
        at{' '}
        <select value={point} onChange={(event) => setPoint(event.currentTarget.value as Point)}>
          {Object.entries(points).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {point === 'after-token' && (
        <label>
          tokens{' '}
          <input
            type="number"
            min={1}
            value={n}
            onInput={(event) => setN(event.currentTarget.valueAsNumber || 1)}
          />
        </label>
      )}
      <button type="submit" class="main">
        Hold
      </button>
    </form>
  )
}

function BarrierOf({ barrier }: { barrier: Schemas['Barrier'] }) {
  const params = { path: { ...ofTenant(), barrierId: barrier.id } }
  const where = points[barrier.point] + (barrier.n === undefined ? '' : ` (${barrier.n})`)
  return (
    <li class="row">
      <span class="mono">{barrier.id}</span>
      <span>{where}</span>
      <Badge tone={barrier.held > 0 ? 'doubt' : 'quiet'}>
        {barrier.held === 1 ? 'holds 1 turn' : `holds ${barrier.held} turns`}
      </Badge>
      <button
        type="button"
        onClick={() =>
          void act('The turns go on.', () =>
            api.POST('/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/release', { params }),
          )
        }
      >
        Release
      </button>
      <button
        type="button"
        onClick={() =>
          void act('The turns died where they were; their keys are uncertain if they had begun to run.', () =>
            api.POST('/_sim/v1/tenants/{tenantId}/barriers/{barrierId}/crash', { params }),
          )
        }
      >
        Crash
      </button>
    </li>
  )
}

function TurnOf({ turn }: { turn: Schemas['TurnInFlight'] }) {
  const role = Object.entries(credentials.value?.agents ?? {}).find(([, id]) => id === turn.agentId)?.[0]
  return (
    <li class="row">
      <span class="mono">{turn.key}</span>
      <span>{role ?? turn.agentId}</span>
      <span class="soft">since {turn.since.slice(11, 23)}</span>
      {turn.streamed && <Badge>stream</Badge>}
      {turn.barrierId && <Badge tone="doubt">held by {turn.barrierId}</Badge>}
    </li>
  )
}
