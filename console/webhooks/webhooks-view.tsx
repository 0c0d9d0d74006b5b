/** Webhooks of the tenant, their deliveries, and buttons that make both. */
import { useState } from 'preact/hooks'
import { useLive, act } from '../state/live.ts'
import { tenantId, ofTenant, credentials, roleOf } from '../state/tenant.ts'
import { Loaded, Badge, Empty, Panel, type Tone } from '../ui/panel.tsx'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { duration } from '../ui/duration.ts'
import { notify } from '../state/notices.ts'
import { callService } from '../state/service.ts'
import { Copy } from '../ui/copy.tsx'
import type { WebhookEvent } from '../../spec/events.ts'
import { Code, pretty } from '../ui/code.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { verifyForms } from './verify-forms.ts'

type Sent = Schemas['SentAttempt']

const read = (deliveryId: string) =>
  bodyOf(
    api.GET('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/attempts', {
      params: { path: { ...ofTenant(), deliveryId } },
    }),
  )

/** Duplicates have the same id: the attempts of this one are those of its numbers and times. */
function ownOf({ attempts, state }: Delivery, all: readonly Sent[]): readonly Sent[] {
  const own = attempts.flatMap(
    ({ number, at }) => all.find((sent) => sent.number === number && sent.at === at) ?? [],
  )
  const current = state === 'in-flight' ? all.findLast((sent) => sent.result === undefined) : undefined
  return current ? [...own, current] : own
}

function SentAttempts({ delivery }: { delivery: Delivery }) {
  const { id, state, attempts } = delivery
  const live = useLive(() => read(id), `${tenantId.value} ${id} ${state} ${attempts.length}`, 60_000)
  return (
    <Loaded live={live}>
      {(list) => {
        const own = ownOf(delivery, list.attempts)
        if (own.length === 0) return <Empty>Nothing is remembered of what was sent.</Empty>
        return own.map((sent) => <Attempt key={`${sent.number} ${sent.at}`} sent={sent} />)
      }}
    </Loaded>
  )
}

function Attempt({ sent }: { sent: Sent }) {
  const { number, url, method, headers, body, result, signature } = sent
  const head = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const forms: Readonly<Record<string, string>> = {
    Raw: `${method} ${url}\n${head}\n\n${body}`,
    Pretty: pretty(body),
  }
  return (
    <section aria-label={`Attempt ${number} as it was sent`}>
      <h3>
        Attempt {number}:{' '}
        {result
          ? `${result.status ?? 'no response'} after ${Math.round(result.tookMs)} ms`
          : 'waiting for the response'}
      </h3>
      <Signature signature={signature} />
      <Tabs
        label={`Attempt ${number}`}
        names={[...Object.keys(forms), ...Object.keys(verifyForms).map((name) => `Verify in ${name}`)]}
      >
        {(name) => <Code text={forms[name] ?? verified(sent, name)} label={name} />}
      </Tabs>
    </section>
  )
}

const verified = ({ bodyBase64, signature: { sent } }: Sent, name: string): string =>
  verifyForms[name.replace('Verify in ', '')]?.({ bodyBase64, signature: sent ?? '' }) ?? ''

function Signature({ signature: { sent, computed } }: Pick<Sent, 'signature'>) {
  const isGenuine = sent === computed
  return (
    <dl>
      <dt>signature sent</dt>
      <dd class="mono">{sent ?? 'none'}</dd>
      <dt>computed</dt>
      <dd>
        <span class="mono">{computed}</span>{' '}
        <Badge tone={isGenuine ? 'good' : 'bad'}>{isGenuine ? 'equal' : 'different'}</Badge>
      </dd>
    </dl>
  )
}

/** Only the response to their creation has them; they are remembered as long as the page. */
const secrets = new Map<string, string>()

function Endpoints({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <Panel title="Webhooks">
      <CreateForm onCreated={(id, secret) => secrets.set(id, secret)} />
      {webhooks.length === 0 ? (
        <Empty>
          None yet. Start “touchstone listen” and create one for it, or take an address that fails.
        </Empty>
      ) : (
        <ul class="plain">
          {webhooks.map((webhook) => (
            <Endpoint key={webhook.id} webhook={webhook} secret={secrets.get(webhook.id)} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

async function create(role: string, endpoint: string): Promise<{ id: string; secret: string }> {
  const known = credentials.value
  const response = await callService({
    method: 'POST',
    path: `/api/agents/${known?.agents[role] ?? role}/webhooks`,
    headers: [
      ['Cookie', `session=${known?.sessions['main'] ?? ''}`],
      ['Authorization', `Bearer ${known?.sessions['main'] ?? ''}`],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify({ name: 'Console', endpoint_url: endpoint, events: eventNames }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 200)}`)
  const found = JSON.parse(text) as Record<string, unknown>
  const webhook = (found['webhook'] ?? found) as { id?: string; secret_key?: string }
  return { id: webhook.id ?? '', secret: webhook.secret_key ?? '' }
}

function CreateForm({ onCreated }: { onCreated: (id: string, secret: string) => void }) {
  const [endpoint, setEndpoint] = useState('http://localhost:4020/')
  const [role, setRole] = useState('plain')
  const submit = (event: Event): void => {
    event.preventDefault()
    void act(null, async () => {
      const { id, secret } = await create(role, endpoint)
      onCreated(id, secret)
      notify(`The webhook ${id} receives all events of the agent ${role}.`)
    })
  }
  return (
    <form class="row" onSubmit={submit}>
      <label>
        Endpoint{' '}
        <input
          type="url"
          required
          size={32}
          value={endpoint}
          onInput={(event) => setEndpoint(event.currentTarget.value)}
        />
      </label>
      <label>
        agent{' '}
        <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
          {Object.keys(credentials.value?.agents ?? {}).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit" class="main">
        Create
      </button>
      <button type="button" onClick={() => setEndpoint('http://localhost:9/')}>
        Fill in an unreachable address
      </button>
    </form>
  )
}

function Endpoint({ webhook, secret }: { webhook: Webhook; secret: string | undefined }) {
  const [event, setEvent] = useState('leads.submit')
  const emit = () =>
    act(`Triggered ${event} for every webhook of the agent that selects it.`, () => {
      const body = { event, agentId: webhook.agentId }
      return api.POST('/_sim/v1/tenants/{tenantId}/events', { params: { path: ofTenant() }, body })
    })
  return (
    <li class="row">
      <span class="mono">{webhook.id}</span>
      <span>{webhook.endpointUrl}</span>
      <span class="soft">{roleOf(webhook.agentId)}</span>
      <Badge tone={webhook.isActive ? 'good' : 'quiet'}>{webhook.isActive ? 'active' : 'inactive'}</Badge>
      {webhook.failuresInARow > 0 && (
        <Badge tone="doubt">failed deliveries in a row: {webhook.failuresInARow}</Badge>
      )}
      {webhook.pausedUntil && <Badge tone="bad">paused until {webhook.pausedUntil.slice(11, 19)}</Badge>}
      {webhook.pending > 0 && <span class="soft">deliveries in the queue: {webhook.pending}</span>}
      <select
        aria-label="Event"
        value={event}
        onChange={({ currentTarget }) => setEvent(currentTarget.value)}
      >
        {eventNames.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <button type="button" onClick={() => void emit()}>
        Trigger
      </button>
      {secret && <Copy text={secret} label="the secret of the webhook" shown="Copy secret" />}
    </li>
  )
}

const events: Readonly<Record<WebhookEvent, true>> = {
  'leads.submit': true,
  'message.sent': true,
  'tool.executed': true,
  'booking.created': true,
  'booking.cancelled': true,
  'booking.rescheduled': true,
  'order.confirmed': true,
  'custom_form.submitted': true,
  'payment.proof_received': true,
  'payment.verification_pending': true,
  'payment.verified': true,
  'payment.rejected': true,
  'record.created': true,
  'procedure.alert.created': true,
  'procedure.approval.requested': true,
  'procedure.approval.resolved': true,
  'procedure.handoff.requested': true,
  'procedure.escalated': true,
}

const eventNames = Object.keys(events)

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

function Deliveries({ deliveries, webhooks, now }: DeliveriesProps) {
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

export function WebhooksView() {
  const live = useLive(readWebhooks, tenantId.value, 500)
  return (
    <Loaded live={live}>
      {({ webhooks, deliveries, now }) => (
        <>
          <Endpoints webhooks={webhooks} />
          <Deliveries deliveries={deliveries} webhooks={webhooks} now={now} />
        </>
      )}
    </Loaded>
  )
}

export type Webhook = Schemas['OwnedWebhook']
export type Delivery = Schemas['SentDelivery']

export async function readWebhooks() {
  const params = { path: ofTenant() }
  const [{ webhooks }, { deliveries }, { now }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/webhooks', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/deliveries', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/clock', { params })),
  ])
  return { webhooks, deliveries, now: Date.parse(now) }
}
