/** Turns in flight: where they are held, and buttons that let them go on or die. */
import { useState } from 'preact/hooks'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { addressOf } from '../state/place.ts'
import { credentials, endHold, inTenant, readHolds, roleOf, tenantId } from '../state/tenant.ts'
import { Badge, Empty, ListPanel, Loaded, Panel } from '../ui/panel.tsx'
import { Button, Input, Select, sameNames } from '../ui/controls.tsx'

type Request = Schemas['BarrierRequest']

const points: Readonly<Record<Request['point'], string>> = {
  'before-run': 'before it runs',
  'after-token': 'after some tokens',
  'before-commit': 'after the reply, before it is stored',
  'after-commit': 'after it is stored, before the response',
}

const counts = { next: 'the next turn', every: 'every turn' } as const

interface Choice {
  readonly count: keyof typeof counts
  readonly agent: string
  readonly point: Request['point']
  readonly n: number
}

const requestOf = ({ count, agent, point, n }: Choice): Request => ({
  point,
  ...(point === 'after-token' && { n }),
  ...(agent !== '' && { agentId: agent }),
  ...(count === 'next' && { times: 1 }),
})

function HoldForm() {
  const [choice, setChoice] = useState<Choice>({ count: 'next', agent: '', point: 'before-run', n: 1 })
  const change = (part: Partial<Choice>): void => setChoice({ ...choice, ...part })
  const { count, agent, point, n } = choice
  const agents = sameNames(Object.keys(credentials.value?.agents ?? {}))
  const hold = (event: Event): void => {
    event.preventDefault()
    void act(
      `${counts[count] === 'every turn' ? 'Every turn' : 'The next turn'} is held ${points[point]}.`,
      () => api.POST('/_sim/v1/tenants/{tenantId}/barriers', { ...inTenant(), body: requestOf(choice) }),
    )
  }
  return (
    <form class="row" onSubmit={hold}>
      <Select label="Hold" value={count} options={counts} onChange={(value) => change({ count: value })} />
      <Select
        label="of"
        value={agent}
        options={{ '': 'any agent', ...agents }}
        onChange={(value) => change({ agent: value })}
      />
      <Select label="at" value={point} options={points} onChange={(value) => change({ point: value })} />
      {point === 'after-token' && (
        <Input
          label="tokens"
          type="number"
          min={1}
          value={n}
          onChange={(text) => change({ n: Number(text) || 1 })}
        />
      )}
      <Button type="submit" class="main" shown="Hold" />
    </form>
  )
}

const read = async () => {
  const [{ turns }, barriers] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/turns', inTenant())),
    readHolds(),
  ])
  return { turns, barriers }
}

export function TurnsView() {
  const live = useLive(read, tenantId.value, 500)
  return (
    <>
      <Panel title="Hold turns">
        <HoldForm />
        <p class="soft">
          Release lets held turns continue. Crash ends them without a response, as if the server had died.
        </p>
      </Panel>
      <Loaded live={live}>
        {({ turns, barriers }) => (
          <div class="columns">
            <ListPanel
              title="Holds"
              empty={<Empty>No turn is held. Choose “Hold” above, then send a message.</Empty>}
            >
              {barriers.map((barrier) => (
                <BarrierOf key={barrier.id} barrier={barrier} />
              ))}
            </ListPanel>
            <ListPanel title="In flight" empty={<Empty>No turn is in flight.</Empty>}>
              {turns.map((turn) => (
                <TurnOf key={`${turn.scope} ${turn.key}`} turn={turn} />
              ))}
            </ListPanel>
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
  const where = points[barrier.point] + (barrier.n === undefined ? '' : ` (${barrier.n})`)
  return (
    <li class="row">
      <span class="mono">{barrier.id}</span>
      <span>{where}</span>
      <span class="soft">{scopeOf(barrier)}</span>
      <Badge tone={barrier.held > 0 ? 'doubt' : 'quiet'}>
        {barrier.held === 1 ? 'holds 1 turn' : `holds ${barrier.held} turns`}
      </Badge>
      <Button shown="Release" onClick={() => act('Released.', () => endHold('release', barrier.id))} />
      <Button
        shown="Crash"
        onClick={() =>
          act('Crashed: the outcome of a held turn is uncertain, unless it was stored.', () =>
            endHold('crash', barrier.id),
          )
        }
      />
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
