/** What a first request needs: address, keys, agents, and situations to start in. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { useLive } from '../state/live.ts'
import { addressOf } from '../state/place.ts'
import { credentials, ofTenant, tenantId, type Credentials } from '../state/tenant.ts'
import { Code } from '../ui/code.tsx'
import { Copy } from '../ui/copy.tsx'
import { Loaded, Panel } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { agentNotes, keyNotes, sessionNotes } from './notes.ts'
import { environmentForms, type ClientValues } from './environment.ts'
import { Situations } from './situations.tsx'

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
