/** Webhooks: creates, edits, switches and deletes them, as a signed-in user does, and makes their events happen. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isMembers, membersOf, textIn } from '../requests/summary.ts'
import { api, bodyOf, reasonOf, Refused, type Schemas } from '../state/api.ts'
import { act } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { callService, headersIn } from '../state/service.ts'
import { credentials, inTenant, roleOf } from '../state/tenant.ts'
import { Confirm } from '../ui/confirm.tsx'
import { counted } from '../ui/counted.ts'
import { Field } from '../ui/field.tsx'
import { Copy } from '../ui/copy.tsx'
import { Badge, Empty, Panel } from '../ui/panel.tsx'
import { sameNames, Select } from '../ui/select.tsx'
import { Button } from '../ui/button.tsx'

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
  notify(`Created ${textIn(webhook, 'id')}.`)
}

export function Endpoints({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [role, setRole] = useState('plain')
  const { agents = {} } = credentials.value ?? {}
  return (
    <Panel title="Webhooks">
      <Fields
        done="Create"
        onSubmit={(fields) => act(null, () => create(agents[role] ?? '', fields))}
        more={
          <Select label="Agent" value={role} options={sameNames(Object.keys(agents))} onChange={setRole} />
        }
      />
      {webhooks.length === 0 ? (
        <Empty>
          No webhooks yet. Start “touchstone listen” and create one for its address, or use a URL that fails.
        </Empty>
      ) : (
        <ul class="plain">
          {webhooks.map((webhook) => (
            <Endpoint key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface FieldsProps {
  readonly webhook?: Webhook
  /** What stands on the button. */
  readonly done: string
  readonly more?: ComponentChildren
  readonly onSubmit: (fields: object) => unknown
}

/** Of custom headers only the names are known: without a change they are not sent. */
function Fields({ webhook, done, more, onSubmit }: FieldsProps) {
  const [endpoint, setEndpoint] = useState(webhook?.endpointUrl ?? 'http://localhost:4020/')
  const [chosen, setChosen] = useState<readonly string[]>(webhook?.events ?? eventNames)
  const [headers, setHeaders] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    const pairs = headersIn(headers)
    onSubmit({
      endpoint_url: endpoint,
      events: chosen,
      ...(pairs.length > 0 && { custom_headers: Object.fromEntries(pairs) as object }),
    })
  }
  return (
    <form onSubmit={submit}>
      <div class="row">
        <label class="pair">
          Endpoint{' '}
          <input
            type="url"
            required
            size={32}
            value={endpoint}
            onInput={(event) => setEndpoint(event.currentTarget.value)}
          />
        </label>
        {more}
        <button type="submit" class="main">
          {done}
        </button>
        <Button shown="Use a URL that fails" onClick={() => setEndpoint('http://localhost:9/')} />
      </div>
      <details>
        <summary>
          {chosen.length === eventNames.length ? 'All' : chosen.length} events
          {webhook && webhook.customHeaders.length > 0 && `; headers ${webhook.customHeaders.join(', ')}`}
        </summary>
        <EventChoice chosen={chosen} onChange={setChosen} />
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

interface EventChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

const EventChoice = ({ chosen, onChange }: EventChoiceProps) => (
  <div class="fields">
    {eventNames.map((name) => (
      <label key={name}>
        <input
          type="checkbox"
          checked={chosen.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
          }
        />{' '}
        {name}
      </label>
    ))}
  </div>
)

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
  const update = async (fields: object): Promise<void> => {
    const isDone = await act(`Changed ${id}.`, () => manage('PATCH', agentId, `/${id}`, fields))
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
        <Trigger webhook={webhook} />
        <span class="grow" />
        {secret !== undefined && <Copy text={secret} label="secret of the webhook" shown="Copy secret" />}
        <Button shown="Edit" aria-pressed={edits} onClick={() => setEdits(!edits)} />
        <Button
          shown={isActive ? 'Turn off' : 'Turn on'}
          onClick={() => act(null, () => (isActive ? turnOff(id) : turnOn(id)))}
        />
        <Confirm
          shown="Delete"
          question={`Delete ${id} and its secret?`}
          onConfirm={() => void act(`Deleted ${id}.`, () => manage('DELETE', agentId, `/${id}`, null))}
        />
      </div>
      {edits && <Fields webhook={webhook} done="Save" onSubmit={(fields) => void update(fields)} />}
    </li>
  )
}

function Trigger({ webhook: { agentId } }: { webhook: Webhook }) {
  const [event, setEvent] = useState('leads.submit')
  const [payload, setPayload] = useState('')
  const trigger = () =>
    act(null, async () => {
      const own = payload.trim() === '' ? {} : { payload: JSON.parse(payload) as Record<string, never> }
      const { deliveries } = await bodyOf(
        api.POST('/_sim/v1/tenants/{tenantId}/events', { ...inTenant(), body: { event, agentId, ...own } }),
      )
      notify(`Sent ${event} to ${deliveries.length === 1 ? '1 webhook' : `${deliveries.length} webhooks`}.`)
    })
  return (
    <>
      <Select label="Event" value={event} options={sameNames(eventNames)} onChange={setEvent} />
      <input
        aria-label="Payload"
        placeholder='Payload: a sample, or {"your":"own"}'
        size={30}
        value={payload}
        onInput={({ currentTarget }) => setPayload(currentTarget.value)}
      />
      <Button shown="Trigger" onClick={() => trigger()} />
    </>
  )
}
