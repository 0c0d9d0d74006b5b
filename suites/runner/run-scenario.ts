/** Runs a scenario: the driver over governor and recorder, and how a scenario ends. */
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { StateId } from '../../spec/index.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Target } from '../config/target.ts'
import type { Clock } from '../wire/clock.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'
import type { Outgoing } from '../wire/recorder.ts'
import type { Wire } from '../wire/wire.ts'
import { createArrivalRecorder } from './receiver/arrival-recorder.ts'
import { createEndpoints } from './receiver/endpoints.ts'
import { environmentFails, notExercised, stopped, ScenarioEnded, type Ending } from '../scenario/ending.ts'
import { insist, type Insistence } from './requests/insist.ts'
import type { StateProviders } from './states/state-providers.ts'
import type { EnvelopeSearch } from './requests/envelope.ts'
import { olderHalf } from './requests/older-requests.ts'
import { operationOf, operationsHalf } from './requests/operations-requests.ts'
import type { ChatRequest, Driver } from '../scenario/driver.ts'
import { probe } from './states/state-probes.ts'
import type { InboundReceiver } from './receiver/inbound-receiver.ts'
import { isBeside } from './outcome/recurrence.ts'
import { repeatableHalf } from './requests/repeatable.ts'
import { chatRequest, echoing, recalling, sameAgain, type RequestDefaults } from './requests/request.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import { changed, type Setting } from '../scenario/setting.ts'
import type { SharedTime } from './states/shared-time.ts'
import type { CleanupLedger } from './states/entered-state.ts'
import { stepThrough } from './states/shared-time.ts'
import { follow, only, ScenarioContext, termsOf, type OpenState } from './scenario-context.ts'
import type { StateVisit } from '../scenario/execution.ts'
import { removeMade, webhookHalf, type WebhookDeps } from './requests/webhook-requests.ts'

export interface ScenarioDeps {
  runId: string
  target: Target
  clock: Clock
  time: SharedTime
  /** Where the target delivers to; null where nothing does. */
  inbound: InboundReceiver | null
  ledger: CleanupLedger
  signal?: AbortSignal | undefined
  wire: Wire
  providers: StateProviders
  requestDefaults: RequestDefaults
  insistence: Insistence
  dialect: Dialect
  /** How the target wraps the input of an execution. */
  envelope: EnvelopeSearch
  /** Waits on the target's clock. */
  wait(ms: number): Promise<void>
  /** Waits real time. */
  pause(ms: number): Promise<void>
}

/** Enters the states it needs, runs it, waits for what is under way and leaves the states in every case. */
export async function runScenario(
  id: string,
  scenario: AnyScenario,
  setting: Setting,
  deps: ScenarioDeps,
): Promise<ScenarioExecution> {
  const context = new ScenarioContext(setting)
  const hooks = hooksOf(id, context, deps)
  const close: Close = (held) => closeVisit(held, scenario, context, deps)
  const driver = createDriver(context, deps, hooks, close)
  let ending: Ending | null = null
  let crash: string | null = null
  const caught = (thrown: unknown): void => {
    if (thrown instanceof ScenarioEnded) ending ??= thrown.ending
    else crash ??= thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
  try {
    for (const state of scenario.needs?.states ?? []) await driver.enter(state)
    await scenario.run(driver)
  } catch (thrown) {
    caught(thrown)
  }
  await Promise.all(context.inFlight)
  context.thrown.forEach(caught)
  await hooks.arrivals.settle()
  const stuck: string[] = []
  for (let held = context.openStates.at(-1); held; held = context.openStates.at(-1)) {
    const { entered } = held
    await close(held).catch(caught)
    context.openStates.pop()
    await entered.leave().catch((thrown: unknown) => {
      stuck.push(`${entered.state} could not be left: ${wordsOf(thrown)}`)
    })
  }
  if (stuck.length === 0) await insist(scenario, context, deps).catch(caught)
  stuck.push(...(await removeMade(context, hooks)))
  await hooks.endpoints.close()
  const { exchanges, notes, states, raced } = context
  exchanges.sort((a, b) => a.id - b.id)
  return { scenario: id, exchanges, notes, ending, crash, states, stuck, raced }
}

const everyOne = (exchanges: readonly Exchange[]): readonly Exchange[] => exchanges

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** What the webhook half of the driver works with. */
function hooksOf(scenario: string, context: ScenarioContext, deps: ScenarioDeps): WebhookDeps {
  const { receiver, timing } = deps.target
  const { scale = 1 } = timing
  const arrivals = createArrivalRecorder(context, { ...deps, scenario })
  return {
    ...deps,
    receiver,
    arrivals,
    endpoints: createEndpoints({ ...deps, scenario, receiver, scale, arrivals }),
    waysTo: (state) => deps.providers.waysTo(state),
    enter: (state, event, way) => enter(state, { event }, context, deps, way),
  }
}

/** When something came in is told by how far the target's clock was moved on. */
async function wait(ms: number, { endpoints }: WebhookDeps, deps: ScenarioDeps): Promise<void> {
  const stepped = endpoints.some && deps.time.advance !== undefined
  await (stepped ? stepThrough(ms, deps) : deps.wait(ms))
}

/** Ends what is sent in a state, before it is left. */
type Close = (held: OpenState) => Promise<void>

/** The driver of one scenario. */
function createDriver(
  context: ScenarioContext,
  deps: ScenarioDeps,
  hooks: WebhookDeps,
  close: Close,
): Driver {
  const { requestDefaults, wire } = deps
  const build = (name: string, asked: ChatRequest = {}): Outgoing =>
    chatRequest(name, asked, context.setting, requestDefaults)
  const send = (outgoing: Outgoing): Promise<Exchange> =>
    follow(context, wire.send(outgoing, termsOf([outgoing], context)), only)
  const sendAll = (outgoing: readonly Outgoing[]): Promise<readonly Exchange[]> =>
    follow(context, wire.together(outgoing, termsOf(outgoing, context)), everyOne)
  const again = (name: string, exchange: Exchange, change: Omit<ChatRequest, 'message'> = {}) =>
    send(sameAgain(name, exchange, change, context.setting, requestDefaults))
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
    exchanges: (since = 0) => scenarioOf(context).filter(({ id }) => id > since),
    notes: context.notes,
    note(name, value) {
      context.notes[name] = value
    },
    stop(because) {
      throw stopped(because)
    },
  }
}

async function enter(
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

/** What the scenario itself sent and got, in order. */
function scenarioOf({ exchanges }: ScenarioContext): readonly Exchange[] {
  return exchanges.filter(({ name }) => !isBeside(name)).toSorted((a, b) => a.id - b.id)
}

/** What is sent before a state is left, and what all that was sent in it says of it. */
async function closeVisit(
  held: OpenState,
  scenario: AnyScenario,
  context: ScenarioContext,
  deps: ScenarioDeps,
): Promise<void> {
  const { entered, visit, since } = held
  if (entered.trouble) return
  const { exchanges } = context
  const before = Math.max(0, ...exchanges.slice(0, since).map(({ id }) => id))
  await insist(scenario, context, deps, before)
  const sent = exchanges.slice(since).filter((one) => !one.inbound && !isBeside(one.name))
  const probes = await probe(entered, context.setting, deps, sent)
  exchanges.push(...probes)
  const mismatch = entered.mismatch(sent, probes)
  if (mismatch) visit.mismatch = mismatch
}

/**
 * The setting goes back to what it was before the state, unless a later state changed it since. What could not be
 * left ends the scenario, and is tried once more after it.
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
  const agents = cast[role]?.agents ?? '*'
  return agents === '*' || agents.includes(agent) ? agent : (agents[0] ?? agent)
}
