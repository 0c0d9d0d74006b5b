/** A cheap look at a target before a run: whether what its file says of it is so. Leaves the target as it is. */
import { plainSetting } from '../scenario/scenario.ts'
import type { Clock } from '../wire/clock.ts'
import { startRunContext, type RunContext } from '../runner/run-context.ts'
import { preflight } from '../runner/plan/preflight.ts'
import { prove } from '../runner/prove.ts'
import { chatRequest } from '../runner/requests/request.ts'
import { ordinary } from '../runner/states/settings.ts'
import { type Target, ConfigurationError } from '../config/target.ts'
import {
  judgeAgent,
  judgeKey,
  type KeyResponse,
  type Order,
  lookAtOperations,
  lookAtScopes,
  placeOfScopes,
  responseOf,
  type ScopeQuestion,
} from './keys.ts'
import {
  mostOf,
  questionsFor,
  type DoctorQuestion,
  judgeControl,
  judgeStates,
  type ControlOffers,
} from './question.ts'
import { fine, missing, unknownSign, wrong, type DoctorResult } from './sign.ts'
import { lookAtVendor, turnMs } from './vendor.ts'
import { errorMessage } from '../../bundle/text.ts'
import { manageRequest } from '../runner/requests/manage-request.ts'
import { openInboundReceiver } from '../runner/receiver/inbound-receiver.ts'
import type { ManageRequest } from '../scenario/webhook-driver.ts'
import { isGone } from '../runner/receiver/endpoints.ts'
import { notCreated } from '../assertions/answer.ts'
import { wasAccepted } from '../webhooks/assertions/management/webhook-record.ts'
import { type Exchange, member } from '../wire/exchange.ts'

async function lookAtSession(target: Target, runContext: RunContext): Promise<DoctorResult> {
  const { response, failure } = await manage('look', {}, target, runContext)
  if (!response)
    return missing('session', `listing webhooks got no answer (${failure?.kind}: ${failure?.message})`)
  if (response.status >= 200 && response.status < 300)
    return fine('session', 'the signed-in user may list the webhooks of agents.plain')
  return wrong(
    'session',
    `listing the webhooks of agents.plain was answered ${response.status}; ${adviceOn(response.status)}`,
  )
}

const adviceOn = (status: number): string =>
  status === 401
    ? 'check the name and the value of the header in session.headers, and sign in again'
    : status === 404
      ? 'check the id in agents.plain, and that it belongs to the signed-in user'
      : 'sign in again, or check that the plan has webhooks'

async function lookAtCreation(target: Target, runContext: RunContext): Promise<DoctorResult> {
  const about = 'webhooks.create'
  const creation = await manage('creation', { body: unused }, target, runContext)
  const id = member(creation, '/id')
  if (!wasAccepted(creation)) return wrong(about, notCreated(creation))
  if (typeof id !== 'string') return unknownSign(about, notCreated(creation))
  const path = `/${encodeURIComponent(id)}`
  const { response } = await manage('removal', { method: 'DELETE', path }, target, runContext)
  return isGone(response?.status)
    ? fine(about, 'the signed-in user may create a webhook of agents.plain; it was removed')
    : missing(
        about,
        `the webhook ${id} was created, and its removal was answered ${response?.status ?? 'nothing'}; remove it`,
      )
}

const unused = {
  name: 'touchstone doctor',
  endpoint_url: 'https://example.com/touchstone/doctor',
  events: ['payment.rejected'],
}

function manage(
  name: string,
  asked: ManageRequest,
  { session, agents, webhookCreation }: Target,
  runContext: RunContext,
): Promise<Exchange> {
  const setting = {
    ...plainSetting(agents.plain),
    ...(session ? { session: session.headers } : {}),
    ...(webhookCreation ? { webhookCreation } : {}),
  }
  const request = manageRequest(name, asked, setting, runContext.requestDefaults('doctor'))
  return runContext.wire.send(request, { turns: 0 })
}

async function lookAtReceiver(target: Target, runContext: RunContext): Promise<readonly DoctorResult[]> {
  const { receiver } = target
  if (receiver.mode === 'none') return []
  try {
    const inbound = await openInboundReceiver(receiver, { ...runContext, access: target })
    const trouble = await inbound.trouble().finally(() => inbound.close())
    const come = receiver.mode === 'public' ? receiver.publicUrl : 'this machine'
    return [
      trouble === null
        ? fine('receiver', `a request of our own to ${come} comes in`)
        : missing('receiver', `${trouble}; fix receiver.publicUrl, or what leads from it to receiver.listen`),
    ]
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) return [wrong('receiver.listen', thrown.message)]
    throw thrown
  }
}

export interface ExamineOptions {
  seed: number
  version?: string
  clock?: Clock | undefined
  /** Called before the first request with the most that will be sent. */
  onBegin?: (ceiling: { requests: number; turns: number }) => void
}

/** Free requests and turns are each sent at once, so that with this and `turnMs` it all takes less than 30 seconds. */
const freeMs = 4_000

type Free = Extract<DoctorQuestion, { agent: string }>
type Answered = { question: Free; response: KeyResponse }

/** Throws TargetUnreachable when nothing answers, and a ConfigurationError where a redirect does. */
export async function examine(target: Target, options: ExamineOptions): Promise<readonly DoctorResult[]> {
  const { asked, left, ...ceiling } = questionsFor(target)
  options.onBegin?.(ceiling)
  const runContext = startRunContext(patient(target, freeMs), { ...options, scenarios: {} })
  try {
    await preflight(target, runContext.wire, runContext.requestDefaults('doctor'))
    const [answers, control, session, creation, operations, scopes, receiver, vendor] = await Promise.all([
      Promise.all(asked.filter(isFree).map((question) => ask(question, target, runContext, options))),
      asked.some(({ is }) => is === 'control') ? offers(runContext) : null,
      asked.some(({ is }) => is === 'session') ? lookAtSession(target, runContext) : null,
      asked.some(({ is }) => is === 'creation') ? lookAtCreation(target, runContext) : null,
      asked.some(({ is }) => is === 'operations') ? lookAtOperations(target, runContext) : [],
      lookAtScopes(asked.filter(isOfScopes), target, runContext),
      lookAtReceiver(target, runContext),
      asked.some(({ is }) => is === 'turn') && asked.some(({ is }) => is === 'replay')
        ? lookAtVendor(target, runContext)
        : [],
    ])
    const gentle = patient(target, Math.min(turnMs, target.timing.answerTimeoutMs))
    const fixtures = asked.filter((question) => question.is === 'fixture')
    const proofs = await Promise.all(fixtures.map(({ state }) => prove(state, gentle, options)))
    return [
      fine('target.baseUrl', `${target.baseUrl} answers`),
      ...judgeAnswers(answers, target).filter(({ about }) => !vendor.some((one) => one.about === about)),
      ...vendor,
      ...(session ? [session] : []),
      ...(creation ? [creation] : []),
      ...operations,
      ...scopes,
      ...receiver,
      ...judgeControl(control, target),
      ...judgeStates(target, control, proofs),
      ...left
        .filter((question) => isFree(question) || question.is === 'usage')
        .map((question) => unknownSign(placeOf(question), 'not looked at: the requests are used up')),
    ]
  } finally {
    await runContext.recorder.close()
  }
}

const isFree = (question: DoctorQuestion): question is Free => 'agent' in question

function isOfScopes(question: DoctorQuestion): question is ScopeQuestion {
  return question.is === 'usage' || question.is === 'catalogue'
}

/** Nothing is advanced, and nothing waited for: what is asked fits the rate. */
function patient(target: Target, answerTimeoutMs: number): Target {
  const budgets = { ...target.budgets, ...mostOf(target) }
  return { ...target, budgets, timing: { ...target.timing, clock: 'real', answerTimeoutMs } }
}

/** A body without message and key, which no conforming target bills. */
async function ask(
  question: Free,
  target: Target,
  runContext: RunContext,
  options: ExamineOptions,
): Promise<Answered> {
  if (question.is !== 'replica') return { question, response: await send(question, runContext) }
  const other = startRunContext(patient({ ...target, baseUrl: question.url }, freeMs), {
    ...options,
    scenarios: {},
  })
  try {
    return { question, response: await send(question, other) }
  } finally {
    await other.recorder.close()
  }
}

async function send({ as, agent }: Free, runContext: RunContext): Promise<KeyResponse> {
  const setting = plainSetting(agent, as)
  const asked = { raw: '{}', timeouts: { timeoutMs: freeMs }, ...(as ? {} : { as: null }) }
  const request = chatRequest('look', asked, setting, runContext.requestDefaults('doctor'))
  return responseOf(await runContext.wire.send(request, { turns: 0 }))
}

/** What says nothing in time is not waited for. */
async function offers({ control, clock }: RunContext): Promise<ControlOffers> {
  if (!control) return null
  const stop = new AbortController()
  const done = new AbortController()
  const late = new Error(`it said nothing within ${freeMs / 1000} s`)
  void clock.sleep(freeMs, done.signal).then(() => stop.abort(late))
  try {
    return await control.offers(stop.signal)
  } catch (thrown) {
    return errorMessage(thrown)
  } finally {
    done.abort()
  }
}

function judgeAnswers(answers: readonly Answered[], target: Target): readonly DoctorResult[] {
  const statusOf = (is: Free['is']): number | null | undefined =>
    answers.find(({ question }) => question.is === is)?.response.status
  const order: Order = {
    keysFirst: statusOf('no key') === 401,
    agentsFirst: [403, 404].includes(statusOf('no agent') ?? 0),
  }
  const self = ordinary(target)
  const usual = answers.find(({ question }) => question.is === 'key' && question.as === self)?.response
  const nobody = wrong(
    'principals',
    'none chats with agents.plain and is neither spent nor sacrificial; declare one',
  )
  return [
    ...(self ? [] : [nobody]),
    ...answers.flatMap((answer) => judgeAnswer(answer, { target, order, usual }) ?? []),
    ...(usual ? [judgeAgent(usual, 'agents.plain', target.agents.plain, order)] : []),
  ]
}

interface Known {
  target: Target
  order: Order
  usual: KeyResponse | undefined
}

function judgeAnswer({ question, response }: Answered, { target, order, usual }: Known): DoctorResult | null {
  const { agent } = question
  if (question.is === 'key') return judgeKey(response, { principal: question.as, target, agent, order })
  if (question.is === 'agent') return judgeAgent(response, `agents.${question.name}`, agent, order)
  return question.is === 'replica' ? judgeReplica(response, usual, question.url) : null
}

function judgeReplica(
  { status, failure }: KeyResponse,
  first: KeyResponse | undefined,
  url: string,
): DoctorResult {
  const about = 'target.replicas'
  if (status === null)
    return missing(about, `nothing answers at ${url} (${failure}); fix the address, or take it out`)
  if (first && first.status !== status)
    return wrong(
      about,
      `${url} answered ${status} where target.baseUrl answered ${first.status}; name replicas of the same deployment only`,
    )
  return fine(about, `${url} answers as target.baseUrl does`)
}

function placeOf(question: Free | ScopeQuestion): string {
  if (isOfScopes(question)) return placeOfScopes(question.as)
  if (question.is === 'key') return `principals.${question.as.name}`
  return question.is === 'agent' ? `agents.${question.name}` : 'target.replicas'
}
