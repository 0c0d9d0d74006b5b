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
