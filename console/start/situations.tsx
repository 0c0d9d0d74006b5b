/** Situations: states of the contract by name, each with the requests that show it. */
import { useState } from 'preact/hooks'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { curlOf } from '../state/curl.ts'
import { act, useLive } from '../state/live.ts'
import { messageOf } from '../state/notices.ts'
import { callService, type ServiceRequest } from '../state/service.ts'
import { ofTenant } from '../state/tenant.ts'
import { Code } from '../ui/code.tsx'
import { Badge, Loaded, Panel } from '../ui/panel.tsx'

type Prepared = Schemas['PreparedSituation']
type Step = Schemas['SituationStep']

export function Situations() {
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
      <p class="soft">A button prepares the situation in this tenant, and shows the requests that meet it.</p>
      <Loaded live={live}>
        {({ situations }) => (
          <div class="row" role="group" aria-label="Situations">
            {situations.map(({ name, title }) => (
              <button
                key={name}
                type="button"
                title={title}
                aria-pressed={prepared?.name === name}
                onClick={() => void prepare(name)}
              >
                {name}
              </button>
            ))}
          </div>
        )}
      </Loaded>
      {prepared && (
        <>
          <h3>{live.value?.situations.find(({ name }) => name === prepared.name)?.title ?? prepared.name}</h3>
          <p class="soft">{live.value?.situations.find(({ name }) => name === prepared.name)?.shows}</p>
          <ol>
            {prepared.situation.steps.map((step, at) => (
              <StepOf key={`${prepared.name}-${at}`} step={step} />
            ))}
          </ol>
        </>
      )}
    </Panel>
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
