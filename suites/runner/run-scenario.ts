/** Runs a scenario: the driver over governor and recorder, and how a scenario ends. */
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { StateId } from '../../spec/index.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Target } from '../config/target.ts'
import type { Clock } from '../wire/clock.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'
import type { Outgoing } from '../wire/recorder.ts'
import type { Wire } from '../wire/wire.ts'
import { createArrivalKeeper } from './receiver/arrival-keeper.ts'
import { createEndpoints } from './receiver/endpoints.ts'
import { environmentFails, notExercised, stopped, ScenarioEnded, type Ending } from '../scenario/ending.ts'
import { insist, type Insistence } from './requests/insist.ts'
import type { StateProviders } from './states/state-providers.ts'
import type { EnvelopeSearch } from './requests/envelope.ts'
import { olderHalf } from './requests/older-requests.ts'
import { operationOf, operationsHalf } from './requests/operations-requests.ts'
import type { ChatRequest, Driver } from '../scenario/driver.ts'
import { probe } from './states/state-probes.ts'
import type { Reception } from './receiver/reception.ts'
import { isBeside } from './outcome/recurrence.ts'
import { repeatableHalf } from './requests/repeatable.ts'
import { chatRequest, echoing, recalling, sameAgain, type RequestDefaults } from './requests/request.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import { changed, type Setting } from '../scenario/setting.ts'
import type { SharedTime } from './states/shared-time.ts'
import type { Ledger } from './states/entered-state.ts'
import { stepThrough } from './states/shared-time.ts'
import { follow, only, Telling, termsOf, type Held } from './scenario-context.ts'
import type { StateVisit } from '../scenario/execution.ts'
import { removeMade, webhookHalf, type WebhookDeps } from './requests/webhook-requests.ts'

export interface Stage {
  runId: string
  target: Target
  clock: Clock
  time: SharedTime
  /** Where the target delivers to; null where nothing does. */
  reception: Reception | null
  books: Ledger
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
  stage: Stage,
): Promise<ScenarioExecution> {
  const telling = new Telling(setting)
  const hooks = hooksOf(id, telling, stage)
  const close: Close = (held) => closeVisit(held, scenario, telling, stage)
  const driver = createDriver(telling, stage, hooks, close)
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
  await Promise.all(telling.underway)
  telling.thrown.forEach(caught)
  await hooks.keeper.settle()
  const stuck: string[] = []
  for (let held = telling.held.at(-1); held; held = telling.held.at(-1)) {
    const { entered } = held
    await close(held).catch(caught)
    telling.held.pop()
    await entered.leave().catch((thrown: unknown) => {
      stuck.push(`${entered.state} could not be left: ${wordsOf(thrown)}`)
    })
  }
  if (stuck.length === 0) await insist(scenario, telling, stage).catch(caught)
  stuck.push(...(await removeMade(telling, hooks)))
  await hooks.endpoints.close()
  const { exchanges, notes, states, raced } = telling
  exchanges.sort((a, b) => a.id - b.id)
  return { scenario: id, exchanges, notes, ending, crash, states, stuck, raced }
}

const everyOne = (exchanges: readonly Exchange[]): readonly Exchange[] => exchanges

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** What the webhook half of the driver works with. */
function hooksOf(scenario: string, telling: Telling, stage: Stage): WebhookDeps {
  const { receiver, timing } = stage.target
  const { scale = 1 } = timing
  const keeper = createArrivalKeeper(telling, { ...stage, scenario })
  return {
    ...stage,
    receiver,
    keeper,
    endpoints: createEndpoints({ ...stage, scenario, receiver, scale, keeper }),
    waysTo: (state) => stage.providers.waysTo(state),
    enter: (state, event, way) => enter(state, { event }, telling, stage, way),
  }
}

/** When something came in is told by how far the target's clock was moved on. */
async function wait(ms: number, { endpoints }: WebhookDeps, stage: Stage): Promise<void> {
  const stepped = endpoints.some && stage.time.advance !== undefined
  await (stepped ? stepThrough(ms, stage) : stage.wait(ms))
}

/** Ends what is sent in a state, before it is left. */
type Close = (held: Held) => Promise<void>

/** The driver of one scenario. */
function createDriver(telling: Telling, stage: Stage, hooks: WebhookDeps, close: Close): Driver {
  const { requestDefaults, wire } = stage
  const build = (name: string, asked: ChatRequest = {}): Outgoing =>
    chatRequest(name, asked, telling.setting, requestDefaults)
  const send = (outgoing: Outgoing): Promise<Exchange> =>
    follow(telling, wire.send(outgoing, termsOf([outgoing], telling)), only)
  const sendAll = (outgoing: readonly Outgoing[]): Promise<readonly Exchange[]> =>
    follow(telling, wire.together(outgoing, termsOf(outgoing, telling)), everyOne)
  const again = (name: string, exchange: Exchange, change: Omit<ChatRequest, 'message'> = {}) =>
    send(sameAgain(name, exchange, change, telling.setting, requestDefaults))
  return {
    ...webhookHalf(telling, hooks),
    ...olderHalf(telling, stage),
    ...operationsHalf(telling, stage),
    get operation() {
      return operationOf(telling.setting)
    },
    dialect: stage.dialect,
    identifiers: identifiersIn(stage.target),
    echoing: (text) => echoing(text, telling.setting),
    recalling: (text) => recalling(text, telling.setting),
    get agent() {
      return telling.setting.agent
    },
    get secondAgent() {
      return telling.setting.secondAgent
    },
    get message() {
      return telling.setting.message
    },
    get replicas() {
      return telling.setting.replicas?.length ?? 0
    },
    agentOf: (role) => agentOf(role, telling.setting),
    ...repeatableHalf(telling, requestDefaults, send),
    add: (name, request) => send(build(name, request)),
    resendTo: again,
    together: (name, requests) => sendAll(requests.map((request) => build(name, request))),
    start: (name, request) => ({ answer: send(build(name, request)) }),
    wait: (ms) => wait(ms, hooks, stage),
    settle: (ms) => wait(ms * (stage.target.timing.scale ?? 1), hooks, stage),
    pause: (ms) => stage.pause(ms),
    enter: (state, about, way) => enter(state, about ?? {}, telling, stage, way),
    waysTo: (state) => stage.providers.waysTo(state),
    leave: (state) => leave(state, telling, close),
    providerOf: (state) => stage.providers.providerOf(state),
    ...requestDefaults.source,
    told: (since = 0) => scenarioOf(telling).filter(({ id }) => id > since),
    notes: telling.notes,
    note(name, value) {
      telling.notes[name] = value
    },
    stop(because) {
      throw stopped(because)
    },
  }
}

async function enter(
  state: StateId,
  about: Readonly<Record<string, string>>,
  telling: Telling,
  stage: Stage,
  way = 0,
): Promise<void> {
  const stay: StateVisit = { state, by: stage.providers.providerOf(state) }
  telling.states.push(stay)
  if (state === 'turn.slow') telling.raced = true
  const entered = await stage.providers.enter(state, about, telling.setting, stage, way)
  const { length: since } = telling.exchanges
  telling.held.push({ entered, stay, before: telling.setting, since })
  if (entered.trouble) throw entered.trouble
  telling.setting = changed(telling.setting, entered.change)
}

/** What the scenario itself sent and got, in order. */
function scenarioOf({ exchanges }: Telling): readonly Exchange[] {
  return exchanges.filter(({ name }) => !isBeside(name)).toSorted((a, b) => a.id - b.id)
}

/** What is sent before a state is left, and what all that was sent in it says of it. */
async function closeVisit(held: Held, scenario: AnyScenario, telling: Telling, stage: Stage): Promise<void> {
  const { entered, stay, since } = held
  if (entered.trouble) return
  const { exchanges } = telling
  const before = Math.max(0, ...exchanges.slice(0, since).map(({ id }) => id))
  await insist(scenario, telling, stage, before)
  const sent = exchanges.slice(since).filter((one) => !one.inbound && !isBeside(one.name))
  const probes = await probe(entered, telling.setting, stage, sent)
  exchanges.push(...probes)
  const mismatch = entered.mismatch(sent, probes)
  if (mismatch) stay.mismatch = mismatch
}

/**
 * The setting goes back to what it was before the state, unless a later state changed it since. What could not be
 * left ends the scenario, and is tried once more after it.
 */
async function leave(state: StateId, telling: Telling, close: (held: Held) => Promise<void>): Promise<void> {
  const at = telling.held.findLastIndex(({ entered }) => entered.state === state)
  const held = telling.held[at]
  if (!held) throw new Error(`the scenario leaves ${state} without having entered it`)
  const { entered, before } = held
  await close(held)
  if (entered.lasts !== null) throw notExercised('state-not-provided', entered.lasts)
  await entered.leave().catch(environmentFails('prerequisite-failed'))
  if (at === telling.held.length - 1) telling.setting = before
  telling.held.splice(at, 1)
}

function agentOf(role: string, { cast, agent }: Setting): string {
  const agents = cast[role]?.agents ?? '*'
  return agents === '*' || agents.includes(agent) ? agent : (agents[0] ?? agent)
}
