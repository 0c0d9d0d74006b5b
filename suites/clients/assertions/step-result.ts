/** What judges of clients read besides exchanges: how a step ended, and what the application reported. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { StepResult, ClientReport } from '../../../bundle/client-report.ts'

export const stepNote = (step: string): string => `step ${step}`

/** What the task of the step was completed with; see `StepResult`. */
export const givenIn = (context: Context, step: string) => stepResult(context, step)?.given ?? {}

export function stepResult({ notes }: Context, step: string): StepResult | null {
  const note = notes[stepNote(step)]
  return typeof note === 'string' ? (JSON.parse(note) as StepResult) : null
}

export function reportedIn<S extends ClientReport['saw']>(
  context: Context,
  step: string,
  saw: S,
): readonly (ClientReport & { saw: S })[] {
  const reported = stepResult(context, step)?.reported ?? []
  return reported.filter((line): line is ClientReport & { saw: S } => line.saw === saw)
}

/** Judges absence only if the client sent the same request in the control step and got 2xx. */
export function ifControlSucceeded(twin: readonly Exchange[], judge: () => Judgement): Judgement {
  const done = twin.some(({ response }) => response && response.status >= 200 && response.status < 300)
  if (done) return judge()
  return { is: 'inconclusive', because: `in the control step ${lastOf(twin)}` }
}

function lastOf(twin: readonly Exchange[]): string {
  const last = twin.at(-1)
  if (!last) return 'it sent nothing'
  const { request, response } = last
  // Without ids, so that the words are the same in every run.
  const path = request.path.replaceAll(/(?<=\/[a-z]+_)\w{10,}/g, '…')
  return `its ${request.method} ${path} ${response ? `got ${response.status}` : 'got no response'}`
}

export function sentTo(exchanges: readonly Exchange[], place: keyof typeof places): readonly Exchange[] {
  const { method, path } = places[place]
  return exchanges.filter(({ request }) => request.method === method && path.test(request.path))
}

const places = {
  chat: { method: 'POST', path: /^\/api\/v1\/chat\// },
  discovery: { method: 'GET', path: /^\/api\/v1\/operations(\?|$)/ },
  execution: { method: 'POST', path: /^\/api\/v1\/operation-executions\// },
  task: { method: 'GET', path: /^\/api\/v1\/tasks\// },
  approval: { method: 'GET', path: /^\/api\/v1\/approvals\// },
  usage: { method: 'GET', path: /^\/api\/v1\/billing\/usage(\?|$)/ },
  upload: { method: 'POST', path: /^\/api\/v1\/uploads\// },
} as const
