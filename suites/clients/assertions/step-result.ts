/** What judges of clients read besides exchanges: how an act ended, and what the application told. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { StepResult, ClientReport } from '../../../reports/bundle/client-report.ts'

/** The note that keeps how an act went. */
export const stepNote = (act: string): string => `step ${act}`

export function stepResult({ notes }: Context, act: string): StepResult | null {
  const note = notes[stepNote(act)]
  return typeof note === 'string' ? (JSON.parse(note) as StepResult) : null
}

/** Everything of one kind that the application told in an act, in its order. */
export function reportedIn<S extends ClientReport['saw']>(
  context: Context,
  act: string,
  saw: S,
): readonly (ClientReport & { saw: S })[] {
  const told = stepResult(context, act)?.reported ?? []
  return told.filter((line): line is ClientReport & { saw: S } => line.saw === saw)
}

/** Whether the application says anything of itself in this act: what it does not tell is not judged. */
export function reportsAnything(context: Context, act: string): boolean {
  return (stepResult(context, act)?.reported.length ?? 0) > 0
}

/** Absence is judged only of a client that did the same, and was answered 2xx, where nothing was in its way. */
export function ifControlSucceeded(twin: readonly Exchange[], judge: () => Judgement): Judgement {
  const done = twin.some(({ response }) => response && response.status >= 200 && response.status < 300)
  if (done) return judge()
  return { is: 'inconclusive', because: `nothing was in its way, and ${lastOf(twin)}` }
}

/** What became of the last request, so that nobody has to look it up. */
function lastOf(twin: readonly Exchange[]): string {
  const last = twin.at(-1)
  if (!last) return 'it sent nothing'
  const { request, response } = last
  // Without ids, so that the same is said of every scenario.
  const path = request.path.replaceAll(/(?<=\/[a-z]+_)\w{10,}/g, '…')
  return `its ${request.method} ${path} ${response ? `was answered ${response.status}` : 'got no answer'}`
}

/** Requests of an act to one kind of place, in the order in which they came. */
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
