/** Webhooks: creates, edits, switches and deletes them, as a signed-in user does, and makes their events happen. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isMembers, membersOf, textIn } from '../requests/summary.ts'
import { api, bodyOf, parsed, reasonOf, Refused, type Schemas } from '../state/api.ts'
import { act } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { callService, headersIn } from '../state/service.ts'
import { credentials, inTenant, roleOf } from '../state/tenant.ts'
import { Button, Confirm, Copy, Field, Select, sameNames, Check, Input } from '../ui/controls.tsx'
import { Badge, Empty, Panel, counted } from '../ui/panel.tsx'

export type Webhook = Schemas['OwnedWebhook']

const eventNames: readonly string[] = [
  'leads.submit message.sent tool.executed booking.created booking.cancelled booking.rescheduled',
  'order.confirmed custom_form.submitted payment.proof_received payment.verification_pending payment.verified',
  'payment.rejected record.created procedure.alert.created procedure.approval.requested',
  'procedure.approval.resolved procedure.handoff.requested procedure.escalated',
].flatMap((line) => line.split(' '))

/** Rejects with what the service said where it refused. */
async function manage(method: string, agentId: string, path: string, body: object | null): Promise<string> {
  const session = credentials.peek()?.sessions['main'] ?? ''
  const response = await callService({
    method,
    path: `/api/agents/${agentId}/webhooks${path}`,
    headers: [
      ['Cookie', `session=${session}`],
      ['Authorization', `Bearer ${session}`],
      ['Content-Type', 'application/json'],
    ],
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Refused(response.status, reasonOf(text, response.status))
  return text
}

/** Only the response to their creation has them; they are remembered as long as the page. */
const secrets = new Map<string, string>()

async function create(agentId: string, fields: object): Promise<void> {
  const made = membersOf(await manage('POST', agentId, '', { name: 'Console', ...fields }))
  const webhook = isMembers(made['webhook']) ? made['webhook'] : made
  secrets.set(textIn(webhook, 'id'), textIn(webhook, 'secret_key'))
  notify(`Created ${textIn(webhook, 'id')}. Copy its secret now: it is shown once.`)
}

export function Endpoints({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [role, setRole] = useState('plain')
  const { agents = {} } = credentials.value ?? {}
  return (
    <Panel title="Webhooks">
      <Fields
        done="Create"
        onSubmit={(fields) => act(null, () => create(agents[role] ?? '', fields()))}
        more={
          <Select label="Agent" value={role} options={sameNames(Object.keys(agents))} onChange={setRole} />
        }
      />
      {webhooks.length === 0 ? (
        <Empty>
          No webhooks yet. Start “touchstone listen” and create one for its address, or one that refuses
          connections.
        </Empty>
      ) : (
        <>
          <ul class="plain">
            {webhooks.map((webhook) => (
              <Endpoint key={webhook.id} webhook={webhook} />
            ))}
          </ul>
          <Trigger agents={[...new Set(webhooks.map(({ agentId }) => agentId))]} />
        </>
      )}
    </Panel>
  )
}

interface FieldsProps {
  readonly webhook?: Webhook
  readonly done: string
  readonly more?: ComponentChildren
  /** `fields`: throws where they cannot be sent. */
  readonly onSubmit: (fields: () => object) => unknown
}

/** Of custom headers only the names are known: without a change they are not sent. */
function Fields({ webhook, done, more, onSubmit }: FieldsProps) {
  const [endpoint, setEndpoint] = useState(webhook?.endpointUrl ?? 'http://localhost:4020/')
  const [chosen, setChosen] = useState<readonly string[]>(webhook?.events ?? eventNames)
  const [headers, setHeaders] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    onSubmit(() => {
      const pairs = headersIn(headers)
      const own = pairs.length > 0 && { custom_headers: Object.fromEntries(pairs) as object }
      return { endpoint_url: endpoint, events: chosen, ...own }
    })
  }
  return (
    <form onSubmit={submit}>
      <div class="row">
        <Input label="Endpoint" type="url" required size={32} value={endpoint} onChange={setEndpoint} />
        {more}
        <Button type="submit" class="main" shown={done} />
        <Button
          shown="Fill in an endpoint that refuses connections"
          onClick={() => setEndpoint('http://localhost:9/')}
        />
      </div>
      <details>
        <summary>
          {chosen.length === eventNames.length ? 'All' : chosen.length} events; custom headers
          {webhook && `: ${webhook.customHeaders.join(', ') || 'none'}`}
        </summary>
        <div class="fields">
          {eventNames.map((name) => (
            <Check
              key={name}
              label={name}
              checked={chosen.includes(name)}
              onChange={(on) => setChosen(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
            />
          ))}
        </div>
        <Field
          label="Custom headers, one a line"
          hint="X-Team: orders"
          value={headers}
          onChange={setHeaders}
        />
      </details>
    </form>
  )
}

/** What turned each webhook off; such a state is left to turn it on. */
const turnedOff = new Map<string, string>()
const inactive = 'webhook.inactive'

async function turnOff(webhookId: string): Promise<string> {
  const body = { webhookId }
  const { handle } = await bodyOf(
    api.POST('/_sim/v1/tenants/{tenantId}/states/{state}', { ...inTenant({ state: inactive }), body }),
  )
  turnedOff.set(webhookId, handle)
  return handle
}

/** One that something else turned off is turned off here first: leaving that turns it on. */
async function turnOn(webhookId: string): Promise<void> {
  const handle = turnedOff.get(webhookId) ?? (await turnOff(webhookId))
  turnedOff.delete(webhookId)
  const state = inTenant({ state: inactive, handle })
  await api.DELETE('/_sim/v1/tenants/{tenantId}/states/{state}/{handle}', state)
}

function Endpoint({ webhook }: { webhook: Webhook }) {
  const { id, agentId, isActive, pausedUntil, pending, failuresInARow } = webhook
  const [edits, setEdits] = useState(false)
  const secret = secrets.get(id)
  const update = async (fields: () => object): Promise<void> => {
    const isDone = await act(`Changed ${id}.`, () => manage('PATCH', agentId, `/${id}`, fields()))
    if (isDone) setEdits(false)
  }
  return (
    <li class="delivery">
      <p class="row">
        <strong>{webhook.endpointUrl}</strong>
        <span class="mono">{id}</span>
        <span class="soft">{roleOf(agentId)}</span>
        <Badge tone={isActive ? 'good' : 'quiet'}>{isActive ? 'on' : 'off'}</Badge>
        {pausedUntil && <Badge tone="bad">paused until {pausedUntil.slice(11, 19)}</Badge>}
        {failuresInARow > 0 && <span class="soft">{counted(failuresInARow, 'failure')} in a row</span>}
        {pending > 0 && <span class="soft">{pending} queued</span>}
      </p>
      <div class="row">
        <span class="soft grow">
          {webhook.events.length === eventNames.length ? 'all events' : webhook.events.join(', ')}
        </span>
        {secret === undefined ? (
          <span class="soft">Secret: shown once; if lost, delete the webhook and create a new one.</span>
        ) : (
          <Copy text={secret} label="secret of the webhook" shown="Copy secret" />
        )}
        <Button shown="Edit" aria-pressed={edits} onClick={() => setEdits(!edits)} />
        <Button
          shown={isActive ? 'Turn off' : 'Turn on'}
          onClick={() => act(null, () => (isActive ? turnOff(id) : turnOn(id)))}
        />
        <Confirm
          shown="Delete"
          question={`Delete ${id}, its secret and its deliveries?`}
          onConfirm={() => void act(`Deleted ${id}.`, () => manage('DELETE', agentId, `/${id}`, null))}
        />
      </div>
      {edits && <Fields webhook={webhook} done="Save" onSubmit={(fields) => void update(fields)} />}
    </li>
  )
}

function payloadIn(text: string): Record<string, never> {
  const payload = parsed(text)
  if (!isMembers(payload)) throw new Error('The payload must be a JSON object, such as {"your":"own"}.')
  return payload as Record<string, never>
}

/** An event happens at an agent; which webhooks get it, the service decides. */
function Trigger({ agents }: { agents: readonly string[] }) {
  const [chosen, setChosen] = useState('')
  const agentId = agents.includes(chosen) ? chosen : (agents[0] ?? '')
  const [event, setEvent] = useState('leads.submit')
  const [payload, setPayload] = useState('')
  const trigger = () =>
    act(null, async () => {
      const own = payload.trim() === '' ? {} : { payload: payloadIn(payload) }
      const { deliveries } = await bodyOf(
        api.POST('/_sim/v1/tenants/{tenantId}/events', { ...inTenant(), body: { event, agentId, ...own } }),
      )
      if (deliveries.length === 0)
        throw new Error(`Sent to no webhook: none of this agent is on and selected ${event}.`)
      notify(`Sent ${event} to ${counted(deliveries.length, 'webhook')}.`)
    })
  return (
    <div class="row">
      <Select
        label="Event at"
        value={agentId}
        options={Object.fromEntries(agents.map((id) => [id, roleOf(id) ?? id]))}
        onChange={setChosen}
      />
      <Select label="Event" value={event} options={sameNames(eventNames)} onChange={setEvent} />
      <Input
        aria-label="Payload"
        placeholder='Payload: a sample, or {"your":"own"}'
        size={30}
        value={payload}
        onChange={setPayload}
      />
      <Button shown="Trigger" onClick={() => trigger()} />
      <span class="soft">Sent to all active webhooks of this agent that selected it.</span>
    </div>
  )
}
