/** Holds turns at a point. */
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../state/api.ts'
import { act } from '../state/live.ts'
import { credentials, ofTenant } from '../state/tenant.ts'
import { sameNames, Select } from '../ui/select.tsx'

type Request = Schemas['BarrierRequest']

export const points: Readonly<Record<Request['point'], string>> = {
  'before-run': 'before it runs',
  'after-token': 'after some tokens',
  'before-commit': 'after the reply is made, before it is committed',
  'after-commit': 'after it is committed, before the reply',
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

export function HoldForm() {
  const [choice, setChoice] = useState<Choice>({ count: 'next', agent: '', point: 'before-run', n: 1 })
  const change = (part: Partial<Choice>): void => setChoice({ ...choice, ...part })
  const { count, agent, point, n } = choice
  const agents = sameNames(Object.keys(credentials.value?.agents ?? {}))
  const hold = (event: Event): void => {
    event.preventDefault()
    void act(`From now on ${counts[count]} is held ${points[point]}.`, () =>
      api.POST('/_sim/v1/tenants/{tenantId}/barriers', {
        params: { path: ofTenant() },
        body: requestOf(choice),
      }),
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
        <label>
          tokens{' '}
          <input
            type="number"
            min={1}
            value={n}
            onInput={(event) => change({ n: event.currentTarget.valueAsNumber || 1 })}
          />
        </label>
      )}
      <button type="submit" class="main">
        Hold
      </button>
    </form>
  )
}
