/** The webhooks: create one, see how it does, make its events happen. */
import { useState } from 'preact/hooks'
import { api } from '../state/api.ts'
import { act } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { callService } from '../state/service.ts'
import { credentials, ofTenant, roleOf } from '../state/tenant.ts'
import { Copy } from '../ui/copy.tsx'
import { Badge, Empty, Panel } from '../ui/panel.tsx'
import type { Webhook } from './read.ts'
import type { WebhookEvent } from '../../spec/events.ts'

/** Only the response to their creation has them; they are remembered as long as the page. */
const secrets = new Map<string, string>()

export function Endpoints({ webhooks }: { webhooks: readonly Webhook[] }) {
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
