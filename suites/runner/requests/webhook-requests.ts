/** The webhook half of a driver: manages webhooks, makes events happen, and removes what was made. */
import { ownMember, parseJson } from '../../../bundle/json.ts'
import { eventState, nearState, webhookEvents, type WebhookEvent } from '../../../spec/index.ts'
import type { Target } from '../../config/target.ts'
import { notCreated } from '../../assertions/answer.ts'
import { createdWebhook, identityOf } from '../../webhooks/assertions/management/webhook-record.ts'
import { type Exchange, type Header, type Json, member } from '../../wire/exchange.ts'
import type { ArrivalRecorder } from '../receiver/arrivals.ts'
import type { CreatedWebhook } from '../../../bundle/created.ts'
import { environmentFails, notExercised, stopped, ScenarioEnded } from '../../scenario/ending.ts'
import { type Endpoints, isGone, removeWebhook } from '../receiver/endpoints.ts'
import {
  quietEvent,
  type Endpoint,
  type Hook,
  type ManageRequest,
  type WebhookDriver,
  type WebhookWish,
} from '../../scenario/webhook-driver.ts'
import { provisionOf } from '../states/state-providers.ts'
import { isCreation, manageRequest, webhooksOf } from './manage-request.ts'
import { chatRequest } from './request.ts'
import { follow, only, type ScenarioContext, type ScenarioDeps } from '../scenario-context.ts'
import { errorMessage } from '../../../bundle/text.ts'
import { backoffMs } from '../../wire/budget/spending.ts'
import type { Outgoing } from '../../wire/recorder.ts'

/** On the target's clock. A list, or a log, that is behind for longer than all of these is taken at its word. */
const looksMs: readonly number[] = [250, 500, 1_000, 2_000, 4_000]

/** How often a 429 is waited out, and how long where it does not say. The limits of these routes are not shown. */
const refusalsMost = 4
const unsaidMs = 15_000

type Deps = Pick<ScenarioDeps, 'wire' | 'wait'>

/** The last answer. What was refused by 429 was not done, so it may be sent again, whatever it is. */
async function sendUntilTaken(
  outgoing: Outgoing,
  { until }: Pick<ManageRequest, 'until'>,
  deps: Deps,
): Promise<Exchange> {
  let exchange = await inTurn(outgoing, deps)
  for (const ms of looksMs) {
    if (!until || !isTaken(exchange) || until(exchange)) break
    await deps.wait(ms)
    exchange = await inTurn({ ...outgoing, insteadOf: exchange.id }, deps)
  }
  return exchange
}

async function inTurn(outgoing: Outgoing, { wire, wait }: Deps): Promise<Exchange> {
  let exchange = await wire.send(outgoing, { turns: 0 })
  for (let refusals = 0; exchange.response?.status === 429 && refusals < refusalsMost; refusals++) {
    await wait(backoffMs(exchange) || unsaidMs)
    exchange = await wire.send({ ...outgoing, insteadOf: exchange.id }, { turns: 0 })
  }
  return exchange
}

function isTaken({ response, failure }: Exchange): boolean {
  return failure === null && response !== null && response.status >= 200 && response.status < 300
}

type EventState = `${'' | 'no-'}event.${WebhookEvent}`

export interface WebhookDeps extends ScenarioDeps {
  endpoints: Endpoints
  arrivals: ArrivalRecorder
  enter: (state: EventState, event: WebhookEvent, way: number) => Promise<void>
}

export function webhookHalf(context: ScenarioContext, deps: WebhookDeps): WebhookDriver {
  const { requestDefaults, endpoints } = deps
  const { receiver } = deps.target
  const event = context.setting.event ?? quietEvent
  const manage = (name: string, asked: ManageRequest = {}): Promise<Exchange> =>
    send(name, asked, context, deps)
  const webhook = async (name: string, place: Endpoint | string, wish: WebhookWish = {}): Promise<Hook> => {
    const url = typeof place === 'string' ? place : place.url
    const { agent = context.setting.agent, description, custom_headers } = wish
    const { name: own = `touchstone ${requestDefaults.source.text(20)}`, events = [event] } = wish
    const wished = { name: own, endpoint_url: url, events, description, custom_headers }
    const given = Object.entries(wished).filter(([, value]) => value !== null && value !== undefined)
    const body = Object.fromEntries(given) as { readonly [name: string]: Json }
    const exchange = await manage(name, { body, agent })
    const hook = identityOf(exchange)
    if (hook === null) throw stopped(notCreated(exchange), createdWebhook(exchange))
    return hook
  }
  return {
    event,
    development: receiver.development,
    endedSession: () => endedSession(deps.target, requestDefaults.source.uuid()),
    clock: deps.target.timing.clock,
    privateNames: receiver.privateNames,
    movingNames: endpoints.movingNames,
    manage,
    manageMore: manage,
    webhook,
    webhookMore: webhook,
    endpoint: (name, ...script) => endpoints.endpoint(name, ...script),
    closedEndpoint: (name, address, certificate) => endpoints.closedEndpoint(name, address, certificate),
    agentsOf(which) {
      const state = eventState(which)
      const ways = Array.from({ length: deps.providers.waysTo(state) }, (_, way) => way)
      return ways.map((way) => provisionOf(state, deps.target, way).agent ?? context.setting.agent)
    },
    emit: (which = event, way = 0) => bringAbout(eventState(which), which, way, context, deps),
    comeNear: (near) => comeNear(near, context, deps),
  }
}

async function send(
  name: string,
  asked: ManageRequest,
  context: ScenarioContext,
  deps: WebhookDeps,
): Promise<Exchange> {
  const { requestDefaults, ledger } = deps
  const outgoing = manageRequest(name, asked, context.setting, requestDefaults)
  const agent = asked.agent ?? context.setting.agent
  const endpoint = isCreation(outgoing) ? endpointIn(outgoing) : null
  const id = `${outgoing.scenario} webhook ${requestDefaults.count()}`
  const meant: CreatedWebhook | null = endpoint === null ? null : { id, what: 'webhook', agent, endpoint }
  if (meant) await ledger.onCreate?.(meant)
  const sending = sendUntilTaken(outgoing, asked, deps).then(async (exchange) => {
    const made = meant && madeBy(exchange, meant)
    if (made) {
      context.made.push(made)
      await ledger.onCreate?.(made)
    } else if (meant) await forget(meant, deps)
    const removed = isGone(exchange.response?.status) ? removedBy(outgoing, asked, context) : undefined
    if (removed) {
      context.made.splice(context.made.indexOf(removed), 1)
      await forget(removed, deps)
    }
    return exchange
  })
  return follow(context, sending, only)
}

function endpointIn({ body }: Outgoing): string | null {
  const asked = parseJson(Buffer.from(body ?? '').toString())
  const endpoint = asked.ok ? ownMember(asked.value, 'endpoint_url') : undefined
  return typeof endpoint === 'string' ? endpoint : null
}

/** One whose answer was lost may have been made: it is looked for by its address. */
function madeBy(exchange: Exchange, meant: CreatedWebhook): CreatedWebhook | null {
  const { response, failure } = exchange
  if (failure && response === null) return ['budget', 'refused'].includes(failure.kind) ? null : meant
  const { status = 0 } = response ?? {}
  const webhook = member(exchange, '/id')
  if (status < 200 || status > 299 || typeof webhook !== 'string' || webhook === '') return null
  return { ...meant, webhook }
}

/** What the signed-in user removes, so that the cleanup does not remove it again. */
function removedBy(
  { method, path }: Outgoing,
  { as = 'session' }: ManageRequest,
  { made }: ScenarioContext,
): CreatedWebhook | undefined {
  return method === 'DELETE' && as === 'session'
    ? made.find(({ agent, webhook = '' }) => path === `${webhooksOf(agent)}/${encodeURIComponent(webhook)}`)
    : undefined
}

async function bringAbout(
  state: EventState,
  event: WebhookEvent,
  way: number,
  context: ScenarioContext,
  deps: WebhookDeps,
): Promise<void> {
  const provision = provisionOf(state, deps.target, way)
  const before = context.setting
  const { agent = before.agent } = provision
  if (agent !== before.agent && !context.made.some((webhook) => webhook.agent === agent))
    throw notExercised(
      'state-not-provided',
      `${state} happens to another agent than ${before.agent}; declare a way for this agent`,
    )
  await deps.enter(state, event, way)
  if (provision.provide === 'fixture') await trigger(event, context, deps)
  context.setting = before
}

/** What a target does not offer, or did not do, leaves the scenario as it was. */
async function comeNear(event: WebhookEvent, context: ScenarioContext, deps: WebhookDeps): Promise<boolean> {
  const state = nearState(event)
  const ways = provisionOf(state, deps.target).provide === 'none' ? 0 : deps.providers.waysTo(state)
  try {
    for (let way = 0; way < ways; way++) await bringAbout(state, event, way, context, deps)
  } catch (thrown) {
    if (thrown instanceof ScenarioEnded && thrown.ending.is === 'not-exercised') return false
    throw thrown
  }
  return ways > 0
}

async function trigger(event: WebhookEvent, context: ScenarioContext, deps: WebhookDeps): Promise<void> {
  const { message } = context.setting
  const outgoing = chatRequest('trigger', { message }, context.setting, deps.requestDefaults)
  const { response, failure } = await follow(context, deps.wire.send(outgoing), only)
  if (response?.status === 200 && failure === null) return
  throw notExercised(
    'state-not-established',
    `${eventState(event)} (${webhookEvents[event]}): the message of its fixture was ${response ? `answered ${response.status}` : 'not answered'}`,
  )
}

async function forget({ id }: CreatedWebhook, { ledger }: Pick<ScenarioDeps, 'ledger'>): Promise<void> {
  await Promise.resolve(ledger.onGone?.(id)).catch(environmentFails('prerequisite-failed'))
}

export async function removeMade(context: ScenarioContext, deps: ScenarioDeps): Promise<readonly string[]> {
  const { requestDefaults, target, signal } = deps
  const stuck: string[] = []
  for (const made of context.made.splice(0).toReversed())
    await remove(made).catch((thrown: unknown) => stuck.push(wordsFor(made, thrown)))
  return stuck

  async function remove(made: CreatedWebhook): Promise<void> {
    // The wire of a run that was ended early sends nothing more.
    await byWire(made).catch((thrown: unknown) => {
      if (!signal?.aborted) throw thrown
      return removeWebhook(made, target)
    })
    await forget(made, deps)
  }

  async function byWire(made: CreatedWebhook): Promise<void> {
    const { agent, webhook } = made
    if (webhook === undefined) return removeWebhook(made, target)
    const path = `/${encodeURIComponent(webhook)}`
    const asked = manageRequest(
      'cleanup',
      { method: 'DELETE', path, agent },
      context.setting,
      requestDefaults,
    )
    const { response, failure } = await sendUntilTaken(asked, {}, deps)
    // A cap limits what a run costs others; what is left behind would be delivered to for ever.
    if (failure?.kind === 'budget') return removeWebhook(made, target)
    if (!isGone(response?.status))
      throw new Error(response ? `answered ${response.status}` : failure?.message)
  }
}

/** The ledger has the whole id. */
const most = { ofId: 200, ofReason: 500 }

function wordsFor({ agent, webhook = '' }: CreatedWebhook, thrown: unknown): string {
  const [id, why] = [webhook.slice(0, most.ofId), errorMessage(thrown).slice(0, most.ofReason)]
  return `the webhook ${id} could not be removed by DELETE ${webhooksOf(agent)}/${id}: ${why}`
}

/** The one that the target file declares, else one that nobody ever had: `value` where the credentials would stand. */
function endedSession(
  { session, sessions }: Pick<Target, 'session' | 'sessions'>,
  value: string,
): readonly Header[] {
  const declared = Object.values(sessions).find(({ ended }) => ended)
  return declared?.headers ?? (session?.headers ?? []).map((header) => withValue(header, value))
}

/** The names of cookies, and the scheme of an authorization, stay as they are. */
function withValue([name, text]: Header, value: string): Header {
  if (name.toLowerCase() === 'cookie') return [name, text.replaceAll(/=[^;]*/g, `=${value}`)]
  const [, scheme = ''] = /^([A-Za-z]+ )\S+$/.exec(text) ?? []
  return [name, `${scheme}${value}`]
}
