/** The driver of a scenario: requests over governor and recorder, and states entered and left on the way. */
import type { StateId } from '../../spec/index.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Target } from '../config/target.ts'
import type { Clock } from '../wire/clock.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'
import type { Outgoing } from '../wire/recorder.ts'
import type { Wire } from '../wire/wire.ts'
import { environmentFails, notExercised, stopped } from '../scenario/ending.ts'
import { type Insistence } from './requests/insist.ts'
import type { StateProviders } from './states/state-providers.ts'
import type { EnvelopeSearch } from './requests/envelope.ts'
import { olderHalf } from './requests/older-request.ts'
import { operationOf, operationsHalf } from './requests/operations-requests.ts'
import type { ChatRequest, Driver } from '../scenario/driver.ts'
import type { InboundReceiver } from './receiver/inbound-receiver.ts'
import { isBeside } from './outcome/recurrence.ts'
import { repeatableHalf } from './requests/repeatable.ts'
import { chatRequest, echoing, recalling, sameAgain, type RequestDefaults } from './requests/request.ts'
import { agentFor, changed, type Setting } from '../scenario/setting.ts'
import type { SharedTime } from './states/shared-time.ts'
import type { CleanupLedger } from './states/entered-state.ts'
import { stepThrough } from './states/shared-time.ts'
import { follow, only, type ScenarioContext, termsOf, type OpenState } from './scenario-context.ts'
import type { StateVisit } from '../scenario/execution.ts'
import { webhookHalf, type WebhookDeps } from './requests/webhook-requests.ts'

export interface ScenarioDeps {
  runId: string
  target: Target
  clock: Clock
  time: SharedTime
  /** Where the target delivers to; null if no scenario needs it. */
  inbound: InboundReceiver | null
  ledger: CleanupLedger
  signal?: AbortSignal | undefined
  wire: Wire
  providers: StateProviders
  requestDefaults: RequestDefaults
  insistence: Insistence
  dialect: Dialect
  envelope: EnvelopeSearch
  /** Waits on the target's clock. */
  wait(ms: number): Promise<void>
  /** Waits real time. */
  pause(ms: number): Promise<void>
}

const everyOne = (exchanges: readonly Exchange[]): readonly Exchange[] => exchanges

/** On a clock of ours, the step in which a delivery arrives shows when it was sent. */
async function wait(ms: number, { endpoints }: WebhookDeps, deps: ScenarioDeps): Promise<void> {
  const stepped = endpoints.some && deps.time.advance !== undefined
  await (stepped ? stepThrough(ms, deps) : deps.wait(ms))
}

/** Sends the last requests in a state, before it is left. */
export type Close = (held: OpenState) => Promise<void>

export function createDriver(
  context: ScenarioContext,
  deps: ScenarioDeps,
  hooks: WebhookDeps,
  close: Close,
): Driver {
  const { requestDefaults } = deps
  const { build, send, sendAll, again } = createSender(context, deps)
  return {
    ...webhookHalf(context, hooks),
    ...olderHalf(context, deps),
    ...operationsHalf(context, deps),
    get operation() {
      return operationOf(context.setting)
    },
    dialect: deps.dialect,
    identifiers: identifiersIn(deps.target),
    echoing: (text) => echoing(text, context.setting),
    recalling: (text) => recalling(text, context.setting),
    get agent() {
      return context.setting.agent
    },
    get secondAgent() {
      return context.setting.secondAgent
    },
    get message() {
      return context.setting.message
    },
    get replicas() {
      return context.setting.replicas?.length ?? 0
    },
    agentOf: (role) => agentOf(role, context.setting),
    ...repeatableHalf(context, requestDefaults, send),
    add: (name, request) => send(build(name, request)),
    resendTo: again,
    together: (name, requests) => sendAll(requests.map((request) => build(name, request))),
    start: (name, request) => ({ answer: send(build(name, request)) }),
    wait: (ms) => wait(ms, hooks, deps),
    settle: (ms) => wait(ms * (deps.target.timing.scale ?? 1), hooks, deps),
    pause: (ms) => deps.pause(ms),
    enter: (state, about, way) => enter(state, about ?? {}, context, deps, way),
    waysTo: (state) => deps.providers.waysTo(state),
    leave: (state) => leave(state, context, close),
    providerOf: (state) => deps.providers.providerOf(state),
    ...requestDefaults.source,
    exchanges: (since = 0) => scenarioOf(context, since),
    notes: context.notes,
    note(name, value) {
      context.notes[name] = value
    },
    stop(because) {
      throw stopped(because)
    },
  }
}

/** Sends chat requests and adds their exchanges to the scenario. */
function createSender(context: ScenarioContext, deps: ScenarioDeps) {
  const { requestDefaults, wire } = deps
  const build = (name: string, asked: ChatRequest = {}): Outgoing =>
    chatRequest(name, asked, context.setting, requestDefaults)
  const send = (outgoing: Outgoing): Promise<Exchange> =>
    follow(context, wire.send(outgoing, termsOf([outgoing], context)), only)
  const sendAll = (outgoing: readonly Outgoing[]): Promise<readonly Exchange[]> =>
    follow(context, wire.together(outgoing, termsOf(outgoing, context)), everyOne)
  const again = (name: string, exchange: Exchange, change: Omit<ChatRequest, 'message'> = {}) =>
    send(sameAgain(name, exchange, change, context.setting, requestDefaults))
  return { build, send, sendAll, again }
}

export async function enter(
  state: StateId,
  about: Readonly<Record<string, string>>,
  context: ScenarioContext,
  deps: ScenarioDeps,
  way = 0,
): Promise<void> {
  const visit: StateVisit = { state, by: deps.providers.providerOf(state) }
  context.states.push(visit)
  if (state === 'turn.slow') context.raced = true
  const entered = await deps.providers.enter(state, about, context.setting, deps, way)
  const { length: since } = context.exchanges
  context.openStates.push({ entered, visit, before: context.setting, since })
  if (entered.trouble) throw entered.trouble
  context.setting = changed(context.setting, entered.change)
}

/** The exchanges of the scenario itself since one of them, in order. One with many asks after each for the last few. */
function scenarioOf({ exchanges }: ScenarioContext, since: number): readonly Exchange[] {
  return exchanges
    .filter(({ id, name }) => id > since && !isBeside(name))
    .toSorted((one, other) => one.id - other.id)
}

/**
 * Restores the setting from before the state, unless a later state has changed it. A state that cannot be left ends the
 * scenario, and leaving is tried once more after it.
 */
async function leave(
  state: StateId,
  context: ScenarioContext,
  close: (held: OpenState) => Promise<void>,
): Promise<void> {
  const at = context.openStates.findLastIndex(({ entered }) => entered.state === state)
  const held = context.openStates[at]
  if (!held) throw new Error(`the scenario leaves ${state} without having entered it`)
  const { entered, before } = held
  await close(held)
  if (entered.lasts !== null) throw notExercised('state-not-provided', entered.lasts)
  await entered.leave().catch(environmentFails('prerequisite-failed'))
  if (at === context.openStates.length - 1) context.setting = before
  context.openStates.splice(at, 1)
}

function agentOf(role: string, { cast, agent }: Setting): string {
  const principal = cast[role]
  return principal ? agentFor(principal, agent) : agent
}
