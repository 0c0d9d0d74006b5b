/** Three steps: a first request to copy, where it appears, and situations to try; the keys and agents there are. */
import { useState } from 'preact/hooks'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { useLive, act } from '../state/live.ts'
import { exchanges, isOwn } from '../state/exchanges.ts'
import { addressOf } from '../state/place.ts'
import {
  clearPending,
  credentials,
  endHold,
  prepareSituation,
  readHolds,
  readTenant,
  roleOf,
  tenantId,
  type Credentials,
} from '../state/tenant.ts'
import { Code } from '../ui/code.tsx'
import { Button, Copy } from '../ui/controls.tsx'
import { Loaded, Panel, Badge, Text } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { agentNotes, keyNotes, sessionNotes } from './notes.ts'
import { messageOf } from '../state/notices.ts'
import { callService, curlOf, type ServiceRequest } from '../state/service.ts'

type Step = Schemas['SituationStep']

interface Prepared {
  readonly name: string
  readonly at: number
  readonly steps: readonly Step[]
}

function Situations() {
  const live = useLive(() => bodyOf(api.GET('/_sim/v1/situations')), 'situations', 60_000)
  const [prepared, setPrepared] = useState<Prepared>()
  const prepare = (situation: string) =>
    act(`Situation “${situation}” is ready: send its requests in order.`, async () => {
      // What another one left queued or held would meet these requests.
      await clearPending()
      for (const { id } of await readHolds()) await endHold('release', id)
      const { steps } = await prepareSituation(situation)
      setPrepared({ name: situation, at: Date.now(), steps })
    })
  return (
    <Panel title="3. Try a situation">
      <p class="soft">
        “Try” clears queued network faults and holds, prepares the situation, and lists what to send and to
        expect.
      </p>
      <Loaded live={live}>
        {({ situations }) =>
          [...Map.groupBy(situations, ({ name }) => areaOf(name))].map(([area, group]) => (
            <section key={area}>
              <h3>{area}</h3>
              <ul class="plain cards">
                {group.map((one) => (
                  <Card
                    key={one.name}
                    one={one}
                    prepared={prepared?.name === one.name ? prepared : null}
                    onChoose={prepare}
                  />
                ))}
              </ul>
            </section>
          ))
        }
      </Loaded>
    </Panel>
  )
}

/** By the beginning of its name; all others are about messages. */
const areas: Readonly<Record<string, RegExp>> = {
  'Retries and idempotency keys': /^(?:slow|uncertain|idempotency)/,
  'Credits, limits and refusals': /^(?:credits|rate|revoked|missing|plan|server|unavailable)/,
  'Operations, approvals and uploads': /^(?:approval|import|task|document|upload)/,
  Webhooks: /^(?:webhook|duplicate|endpoint)/,
}

const areaOf = (name: string): string =>
  Object.keys(areas).find((area) => areas[area]?.test(name)) ?? 'Messages and streams'

interface CardProps {
  readonly one: Schemas['SituationCatalogue']['situations'][number]
  readonly prepared: Prepared | null
  readonly onChoose: (name: string) => unknown
}

function Card({ one: { name, title, shows }, prepared, onChoose }: CardProps) {
  return (
    <li class={prepared ? 'panel open' : 'panel'}>
      <p class="row">
        <strong class="grow">
          <Text text={title} />
        </strong>
        <Button
          shown="Try"
          aria-label={`Try ${name}`}
          aria-pressed={prepared !== null}
          onClick={() => onChoose(name)}
        />
      </p>
      <p class="soft">
        <Text text={shows} />
      </p>
      {prepared && (
        // Prepared again, it has no responses yet.
        <ol key={prepared.at}>
          {prepared.steps.map((step, at) => (
            <StepOf key={at} step={step} />
          ))}
        </ol>
      )}
    </li>
  )
}

const requestOf = ({ method, path, headers, body }: Step): ServiceRequest => ({
  method,
  path,
  headers,
  body: body === null ? null : JSON.stringify(body),
})

/** `differs`: in what from the expected; empty where in nothing. */
type Outcome = { readonly text: string; readonly differs: string }

async function send(step: Step): Promise<Outcome> {
  const signal = step.timeoutMs === undefined ? undefined : AbortSignal.timeout(step.timeoutMs)
  try {
    const response = await callService(requestOf(step), signal)
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    const text = await response.text()
    const shown = `${headers}\n${text}`.toLowerCase().includes(step.shows.toLowerCase())
    const differs = [
      ...(response.status === step.status ? [] : [`status ${response.status}`]),
      ...(shown ? [] : [`no “${step.shows}”`]),
    ]
    return { text: `${response.status}\n${headers}\n\n${text}`, differs: differs.join(', ') }
  } catch (error) {
    if (step.status === null) return { text: 'No response: the connection ended.', differs: '' }
    return { text: `No response: ${messageOf(error)}`, differs: 'no response' }
  }
}

function StepOf({ step }: { step: Step }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const expected =
    step.status === null ? 'no response' : `${step.status}, and the response contains “${step.shows}”`
  return (
    <li>
      <p class="row">
        {step.does}
        <Button shown="Send" onClick={() => act(null, async () => setOutcome(await send(step)))} />
        <span class="soft">Expected: {expected}.</span>
        {outcome && (
          <Badge tone={outcome.differs === '' ? 'good' : 'bad'}>
            {outcome.differs === '' ? 'as expected' : 'unexpected'}
          </Badge>
        )}
        {outcome?.differs}
      </p>
      <details>
        <summary>Request</summary>
        <Code text={curlOf(requestOf(step))} label="the request as curl" />
      </details>
      {outcome && <Code text={outcome.text} label="the response" />}
    </li>
  )
}

export function Start() {
  const live = useLive(readTenant, tenantId.value, 5_000)
  const known = credentials.value
  if (!known) return <p class="soft">Loading…</p>
  return (
    <>
      <div class="columns">
        <div>
          <Panel title="1. Send a first message">
            <p class="soft">
              Copy this into a terminal; each paste has a new idempotency key. Each request can then be copied
              as a vitest or pytest test.
            </p>
            <Loaded live={live}>
              {(state) => (
                <Tabs label="Form" names={['curl', '.env']}>
                  {(name) => <Code text={formsOf(known, state)[name as 'curl']} label={name} />}
                </Tabs>
              )}
            </Loaded>
          </Panel>
          <Panel title="2. Watch it here">
            <Newest />
          </Panel>
        </div>
        <Panel title="Keys and agents">
          <Tabs label="Keys and agents" names={Object.keys(named)}>
            {(name) => <Named name={name as keyof typeof named} known={known} />}
          </Tabs>
        </Panel>
      </div>
      <Situations />
    </>
  )
}

function Newest() {
  const newest = exchanges.value.findLast((one) => !isOwn(one))
  if (!newest)
    return (
      <p>
        No request of a client yet: it appears here and in <a href={addressOf('requests')}>Requests</a>. Or{' '}
        <a href={addressOf('conversations')}>write to an agent</a> in this page.
      </p>
    )
  const { id, method, path, agentId, status } = newest
  return (
    <p>
      <a href={addressOf('requests', String(id))}>Request {id}</a>: {method} {roleOf(agentId) ?? path},{' '}
      {status ?? 'no status'}
    </p>
  )
}

/** The shell makes a key for each paste: the same one would be a replay, or a conflict. */
const newKeyMark = 'first-NEW'
const newKey = '"Idempotency-Key: first-$(date +%s)-$$-$RANDOM"'

/** A first request, and what a client needs to reach the simulator; names of variables depend on the vendor. */
function formsOf({ keys, agents }: Credentials, { identifiers }: Schemas['TenantState']) {
  const [apiKey = '', agent = ''] = [keys['main'], agents['plain']]
  const headers = [
    ['Authorization', `Bearer ${apiKey}`],
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', newKeyMark],
  ]
  const body = JSON.stringify({ message: 'Hello' })
  const variables = [
    [identifiers?.baseUrlVariable ?? 'SERVICE_BASE_URL', location.origin],
    [identifiers?.apiKeyVariable ?? 'SERVICE_API_KEY', apiKey],
    ['TOUCHSTONE_AGENT', agent],
  ]
  return {
    curl: curlOf({ method: 'POST', path: `/api/v1/chat/${agent}`, headers, body }).replace(
      `'Idempotency-Key: ${newKeyMark}'`,
      () => newKey,
    ),
    '.env': variables.map((pair) => pair.join('=')).join('\n'),
  }
}

const named = {
  'API keys': { values: 'keys', kind: 'key', notes: keyNotes },
  Agents: { values: 'agents', kind: 'agent', notes: agentNotes },
  'Sessions of signed-in users': { values: 'sessions', kind: 'session', notes: sessionNotes },
} as const

function Named({ name, known }: { name: keyof typeof named; known: Credentials }) {
  const { values, kind, notes } = named[name]
  return (
    <div class="scroll short" tabIndex={0} role="group" aria-label={`Every ${kind}`}>
      <table>
        <tbody>
          {Object.entries(known[values]).map(([role, value]) => (
            <tr key={role}>
              <th scope="row">{role}</th>
              <td>
                <code>{value}</code>
                <div class="soft">{notes[role]}</div>
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
