/** Deliveries with their attempts, and when the next one is due. */
import { useState } from 'preact/hooks'
import { api } from '../state/api.ts'
import { act } from '../state/live.ts'
import { ofTenant } from '../state/tenant.ts'
import { duration } from '../ui/duration.ts'
import { Badge, Empty, Panel, type Tone } from '../ui/panel.tsx'
import type { Delivery, Webhook } from './read.ts'
import { SentAttempts } from './sent-attempts.tsx'

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[]
  readonly webhooks: readonly Webhook[]
  /** On the clock of the tenant, in ms. */
  readonly now: number
}

const mostShown = 100

/** When it was last tried. */
const lastOf = ({ at, attempts }: Delivery): string => attempts.at(-1)?.at ?? at

const tones: Readonly<Record<string, Tone>> = { delivered: 'good', failed: 'bad', dropped: 'bad' }

export function Deliveries({ deliveries, webhooks, now }: DeliveriesProps) {
  const newest = deliveries.toSorted((one, other) => lastOf(other).localeCompare(lastOf(one)))
  return (
    <Panel title="Deliveries">
      {newest.length === 0 && <Empty>None yet: make an event happen, or have a turn.</Empty>}
      {newest.slice(0, mostShown).map((delivery) => (
        <DeliveryOf
          key={delivery.id}
          delivery={delivery}
          endpoint={
            webhooks.find(({ id }) => id === delivery.webhookId)?.endpointUrl ??
            'an endpoint that was removed'
          }
          now={now}
        />
      ))}
      {newest.length > mostShown && <p class="soft">{newest.length - mostShown} older ones.</p>}
    </Panel>
  )
}

const again = (deliveryId: string, sameId: boolean) =>
  act(sameId ? 'Sent again under the same id: a duplicate.' : 'Sent again as a delivery of its own.', () =>
    api.POST('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/again', {
      params: { path: { ...ofTenant(), deliveryId } },
      body: { sameId },
    }),
  )

const advance = (ms: number) =>
  act(`The clock moved by ${duration(ms)}.`, () =>
    api.POST('/_sim/v1/tenants/{tenantId}/clock/advance', { params: { path: ofTenant() }, body: { ms } }),
  )

function DeliveryOf({ delivery, endpoint, now }: { delivery: Delivery; endpoint: string; now: number }) {
  const [open, setOpen] = useState(false)
  const { id, webhookId, event, state, attempts, nextAttemptAt } = delivery
  const waitMs = nextAttemptAt ? Math.max(0, Date.parse(nextAttemptAt) - now) : null
  return (
    <article class="delivery" aria-label={`Delivery ${id}`}>
      <p class="row">
        <strong>{event}</strong>
        <span class="mono">{id}</span>
        <span class="soft">
          to {endpoint}, webhook <span class="mono">{webhookId}</span>
        </span>
        <Badge tone={tones[state] ?? 'quiet'}>{state}</Badge>
        <span class="grow" />
        <button type="button" onClick={() => void again(id, false)}>
          Resend
        </button>
        <button type="button" onClick={() => void again(id, true)}>
          Duplicate
        </button>
      </p>
      <ol>
        {attempts.map(({ number, at, tookMs, status, reason }) => (
          <li key={number} value={number}>
            {at.slice(11, 23)} {status ?? 'no response'} after {Math.round(tookMs)} ms{' '}
            <span class="soft">{reason}</span>
          </li>
        ))}
      </ol>
      {waitMs !== null && (
        <p class="row">
          Attempt {attempts.length + 1} in {duration(waitMs)}.
          <button type="button" onClick={() => void advance(Math.ceil(waitMs))}>
            Move the clock there
          </button>
        </p>
      )}
      {attempts.length > 0 && (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>What was sent, and how to verify it</summary>
          {open && <SentAttempts delivery={delivery} />}
        </details>
      )}
    </article>
  )
}
