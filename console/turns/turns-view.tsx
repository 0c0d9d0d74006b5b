/** Turns in flight: where they are held, and buttons that let them go on or die. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { addressOf } from '../state/place.ts'
import { ofTenant, roleOf, tenantId } from '../state/tenant.ts'
import { HoldForm, points } from './hold-form.tsx'
import { Badge, Empty, Loaded, Panel } from '../ui/panel.tsx'

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

const scopeOf = ({ times, agentId, idempotencyKey }: Schemas['Barrier']): string =>
  [
    times === undefined ? 'every turn' : times === 1 ? 'one more turn' : `${times} more turns`,
    agentId === undefined ? 'any agent' : (roleOf(agentId) ?? agentId),
    idempotencyKey === undefined ? '' : `key ${idempotencyKey}`,
  ]
    .filter((part) => part !== '')
    .join(', ')

function BarrierOf({ barrier }: { barrier: Schemas['Barrier'] }) {
  const params = { path: { ...ofTenant(), barrierId: barrier.id } }
  const where = points[barrier.point] + (barrier.n === undefined ? '' : ` (${barrier.n})`)
  return (
    <li class="row">
      <span class="mono">{barrier.id}</span>
      <span>{where}</span>
      <span class="soft">{scopeOf(barrier)}</span>
      <Badge tone={barrier.held > 0 ? 'doubt' : 'quiet'}>
        {barrier.held === 1 ? 'holds 1 turn' : `holds ${barrier.held} turns`}
      </Badge>
      <button
        type="button"
        onClick={() =>
          void act('Released.', () =>
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
  return (
    <li class="row">
      <span class="mono">{turn.key}</span>
      <span>{roleOf(turn.agentId) ?? turn.agentId}</span>
      <span class="soft">since {turn.since.slice(11, 23)}</span>
      {turn.streamed && <Badge>stream</Badge>}
      {turn.tokens !== undefined && (
        <span class="number">{turn.tokens === 1 ? '1 token sent' : `${turn.tokens} tokens sent`}</span>
      )}
      {turn.entry !== undefined && <a href={addressOf('requests', String(turn.entry))}>Request</a>}
      {turn.barrierId && <Badge tone="doubt">held by {turn.barrierId}</Badge>}
    </li>
  )
}
