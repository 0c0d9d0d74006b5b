/** What a first request needs: address, keys, agents, and situations to start in. */
import { useState } from 'preact/hooks'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { useLive, act } from '../state/live.ts'
import { addressOf } from '../state/place.ts'
import { credentials, ofTenant, tenantId, type Credentials } from '../state/tenant.ts'
import { Code } from '../ui/code.tsx'
import { Copy } from '../ui/copy.tsx'
import { Loaded, Panel, Badge } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { agentNotes, keyNotes, sessionNotes } from './notes.ts'
import { environmentForms, type ClientValues } from './environment.ts'
import { curlOf } from '../state/curl.ts'
import { messageOf } from '../state/notices.ts'
import { callService, type ServiceRequest } from '../state/service.ts'

type Prepared = Schemas['PreparedSituation']
type Step = Schemas['SituationStep']

function Situations() {
  const live = useLive(() => bodyOf(api.GET('/_sim/v1/situations')), 'situations', 60_000)
  const [prepared, setPrepared] = useState<{ name: string; situation: Prepared }>()
  const prepare = (situation: string) =>
    act(`The tenant is in the situation ${situation}.`, async () => {
      const path = { ...ofTenant(), situation }
      const body = await bodyOf(
        api.POST('/_sim/v1/tenants/{tenantId}/situations/{situation}', { params: { path }, body: {} }),
      )
      setPrepared({ name: situation, situation: body })
    })
  return (
    <Panel title="Situations">
      <p class="soft">
        A button prepares the situation in this tenant, and lists the requests to send with what to expect.
      </p>
      <Loaded live={live}>
        {({ situations }) => (
          <ul class="plain situations">
            {situations.map((one) => (
              <li key={one.name}>
                <Choice one={one} current={prepared?.name === one.name} onChoose={prepare} />
                {prepared?.name === one.name && (
                  <ol>
                    {prepared.situation.steps.map((step, at) => (
                      <StepOf key={`${one.name}-${at}`} step={step} />
                    ))}
                  </ol>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

interface ChoiceProps {
  readonly one: Schemas['SituationCatalogue']['situations'][number]
  readonly current: boolean
  readonly onChoose: (name: string) => unknown
}

function Choice({ one: { name, title, shows }, current, onChoose }: ChoiceProps) {
  return (
    <>
      <button type="button" aria-pressed={current} onClick={() => void onChoose(name)}>
        {name}
      </button>
      <p>
        {title}. <span class="soft">Shows: {shows}.</span>
      </p>
    </>
  )
}

const requestOf = ({ method, path, headers, body }: Step): ServiceRequest => ({
  method,
  path,
  headers,
  body: body === null ? null : JSON.stringify(body),
})

type Outcome = { readonly text: string; readonly expected: boolean }

async function send(step: Step): Promise<Outcome> {
  const signal = step.timeoutMs === undefined ? undefined : AbortSignal.timeout(step.timeoutMs)
  try {
    const response = await callService(requestOf(step), signal)
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    const text = await response.text()
    const shown = `${headers}\n${text}`.toLowerCase().includes(step.shows.toLowerCase())
    return {
      text: `${response.status}\n${headers}\n\n${text}`,
      expected: response.status === step.status && shown,
    }
  } catch (error) {
    return { text: `No response: ${messageOf(error)}`, expected: step.status === null }
  }
}

function StepOf({ step }: { step: Step }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const expected = step.status === null ? 'no response' : `${step.status}, with ${step.shows}`
  return (
    <li>
      <p class="row">
        {step.does}
        <button type="button" onClick={() => void act(null, async () => setOutcome(await send(step)))}>
          Send
        </button>
        <span class="soft">Expected: {expected}.</span>
        {outcome && (
          <Badge tone={outcome.expected ? 'good' : 'bad'}>
            {outcome.expected ? 'as expected' : 'unexpected'}
          </Badge>
        )}
      </p>
      <details>
        <summary>Request</summary>
        <Code text={curlOf(requestOf(step))} label="the request as curl" />
      </details>
      {outcome && <Code text={outcome.text} label="the response" />}
    </li>
  )
}

const readTenant = (): Promise<Schemas['TenantState']> =>
  bodyOf(api.GET('/_sim/v1/tenants/{tenantId}', { params: { path: ofTenant() } }))

export function Start() {
  const live = useLive(readTenant, tenantId.value, 5_000)
  const known = credentials.value
  if (!known) return <p class="soft">Loading…</p>
  return (
    <>
      <div class="columns">
        <div>
          <Panel title="Connect">
            <Loaded live={live}>{(state) => <Connect values={valuesOf(known, state)} />}</Loaded>
            <p>
              Or write to an agent in <a href={addressOf('conversations')}>Conversations</a>.
            </p>
          </Panel>
          <Panel title="Sessions of signed-in users">
            <Named rows={known.sessions} kind="session" note={(role) => sessionNotes[role] ?? ''} />
          </Panel>
        </div>
        <Panel title="Agents">
          <Named rows={known.agents} kind="agent" note={(role) => agentNotes[role] ?? ''} />
        </Panel>
      </div>
      <Situations />
      <Panel title="API keys">
        <Named rows={known.keys} kind="key" note={(role) => keyNotes[role] ?? ''} />
      </Panel>
    </>
  )
}

const valuesOf = (known: Credentials, { identifiers }: Schemas['TenantState']): ClientValues => ({
  baseUrl: location.origin,
  apiKey: known.keys['main'] ?? '',
  agent: known.agents['plain'] ?? '',
  variables: {
    baseUrl: identifiers?.baseUrlVariable ?? 'SERVICE_BASE_URL',
    apiKey: identifiers?.apiKeyVariable ?? 'SERVICE_API_KEY',
  },
})

function Connect({ values }: { values: ClientValues }) {
  return (
    <>
      <dl>
        {[
          ['base URL', values.baseUrl],
          ['API key', values.apiKey],
          ['agent', values.agent],
        ].map(([name = '', value = '']) => (
          <>
            <dt>{name}</dt>
            <dd class="row">
              <code>{value}</code> <Copy text={value} label={name} />
            </dd>
          </>
        ))}
      </dl>
      <Tabs label="Form" names={Object.keys(environmentForms)}>
        {(name) => <Code text={environmentForms[name]?.(values) ?? ''} label={`the values for ${name}`} />}
      </Tabs>
    </>
  )
}

interface NamedProps {
  readonly rows: Readonly<Record<string, string>>
  readonly kind: string
  readonly note: (role: string) => string
}

function Named({ rows, kind, note }: NamedProps) {
  return (
    <div class="scroll">
      <table>
        <tbody>
          {Object.entries(rows).map(([role, value]) => (
            <tr key={role}>
              <th scope="row">{role}</th>
              <td>
                <code>{value}</code>
                <div class="soft">{note(role)}</div>
              </td>
              <td>
                <Copy text={value} label={`the ${kind} ${role}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
