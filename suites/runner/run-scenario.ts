/** Runs a scenario with a driver, from the states that it needs to the end of its last request. */
import {
  type ScenarioExecution,
  type StateVisit,
  creditsAreShared,
  ScenarioEnded,
  type Ending,
  endingOf,
  environmentFails,
  notExercised,
  skipped,
  stopped,
} from '../scenario/ending.ts'
import { createArrivalRecorder } from './receiver/arrivals.ts'
import { createEndpoints } from './receiver/endpoints.ts'
import { checkRefusedKeys } from './requests/key-check.ts'
import { laneOf } from './requests/key-ring.ts'
import { isBeside, insist } from './outcome/recurrence.ts'
import {
  type AnyScenario,
  type ChatRequest,
  type Driver,
  type Setting,
  agentFor,
  changed,
} from '../scenario/scenario.ts'
import {
  ScenarioContext,
  type OpenState,
  type ScenarioDeps,
  follow,
  only,
  termsOf,
} from './scenario-context.ts'
import { removeMade, type WebhookDeps, webhookHalf } from './requests/webhook-requests.ts'
import { errorMessage } from '../../bundle/text.ts'
import type { StateId } from '../../spec/index.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'
import type { Outgoing } from '../wire/recorder.ts'
import { olderHalf } from './requests/older-request.ts'
import { operationOf, operationsHalf } from './requests/operations-requests.ts'
import { chatRequest, echoing, recalling, sameAgain } from './requests/request.ts'
import { stepThrough } from './states/settings.ts'
import { probe } from './states/entered-state.ts'
import { asked } from '../assertions/turn.ts'

/** On a clock of ours, the step in which a delivery arrives shows when it was sent. */
async function wait(ms: number, { endpoints }: WebhookDeps, deps: ScenarioDeps): Promise<void> {
  const stepped = endpoints.some && deps.time.advance !== undefined
  await (stepped ? stepThrough(ms, deps) : deps.wait(ms))
}

type Close = (held: OpenState) => Promise<void>

function createDriver(
  context: ScenarioContext,
  deps: ScenarioDeps,
  hooks: WebhookDeps,
  close: Close,
): Driver {
  const { requestDefaults } = deps
  const { scale = 1 } = deps.target.timing
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
    ...rolesHalf(context, deps.journal),
    ...chatHalf(context, deps),
    wait: (ms) => wait(ms, hooks, deps),
    scale,
    settle: (ms) => wait(ms * scale, hooks, deps),
    pause: (ms) => deps.pause(ms),
    enter: (state, about, way) => enter(state, about ?? {}, context, deps, way),
    waysTo: (state) => deps.providers.waysTo(state),
    leave: (state) => leave(state, context, close),
    providerOf: (state) => deps.providers.providerOf(state),
    ...requestDefaults.source,
    exchanges: (since = 0) => scenarioOf(context, since).map((one) => deps.recording.of(one)),
    get remembered() {
      return deps.journal
    },
    notes: context.notes,
    note(name, value) {
      context.notes[name] = value
    },
    stop(because, unmet) {
      throw stopped(because, unmet)
    },
  }
}

function rolesHalf(
  context: ScenarioContext,
  journal: readonly Exchange[],
): Pick<Driver, 'has' | 'optional' | 'agentOf' | 'shownBefore'> {
  return {
    shownBefore(path, as = 'self') {
      const asker = as === null ? undefined : context.setting.cast[as]
      const lane = asker && laneOf(asker)
      return journal.findLast(
        ({ request: { method, path: asked, principal }, response, failure }) =>
          method === 'GET' &&
          asked === path &&
          principal === lane &&
          response?.status === 200 &&
          failure === null,
      )
    },
    has: (role) => role in context.setting.cast,
    async optional(names, step) {
      await step().catch((thrown: unknown) => {
        const ending = endingOf(thrown)
        if (ending.is !== 'not-exercised' || ending.reason === 'budget-exhausted') throw thrown
        for (const name of names) context.notes[skipped(name)] = JSON.stringify(ending)
      })
    },
    agentOf(role, agent = context.setting.agent) {
      const principal = context.setting.cast[role]
      return principal ? agentFor(principal, agent) : agent
    },
  }
}

function chatHalf(
  context: ScenarioContext,
  { requestDefaults, wire }: ScenarioDeps,
): Pick<Driver, 'chat' | 'resend' | 'resendTo' | 'add' | 'together' | 'start'> {
  const build = (name: string, request: ChatRequest = {}, setting = context.setting): Outgoing =>
    chatRequest(name, request, setting, requestDefaults)
  const send = (outgoing: Outgoing): Promise<Exchange> =>
    follow(context, wire.send(outgoing, termsOf([outgoing], context)), only)
  return {
    async chat(name, request = {}) {
      const { setting } = context
      const { as = 'self' } = request
      const exchange = await send(build(name, request))
      const again = (other: string): Outgoing =>
        build(other, withFreshKey(request, exchange, context), setting)
      context.repeatable.push({ exchange, setting, as, again })
      return exchange
    },
    async resend(name, original, change = {}) {
      const { setting } = context
      const { as = 'self' } = change
      const again = (other: string): Outgoing => sameAgain(other, original, change, setting, requestDefaults)
      const exchange = await send(again(name))
      // A refusal may be stored under the key of the original: only an accepted one can be repeated.
      if (original.response?.status === 200) context.repeatable.push({ exchange, setting, as, again })
      return exchange
    },
    resendTo: (name, exchange, change = {}) =>
      send(sameAgain(name, exchange, change, context.setting, requestDefaults)),
    add: (name, request) => send(build(name, request)),
    together(name, requests) {
      const all = requests.map((request) => build(name, request))
      return follow(context, wire.together(all, termsOf(all, context)), (exchanges) => exchanges)
    },
    start: (name, request) => ({ answer: send(build(name, request)) }),
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

/** Enters the states it needs, runs it, waits for requests in flight and, in every case, leaves the states. */
export async function runScenario(
  id: string,
  scenario: AnyScenario,
  setting: Setting,
  deps: ScenarioDeps,
): Promise<ScenarioExecution> {
  const context = new ScenarioContext(setting)
  if (Array.isArray(scenario.needs?.exclusiveCredits) && !deps.target.exclusiveCredits)
    context.notes['credits'] = creditsAreShared
  const hooks = hooksOf(context, deps)
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
      stuck.push(`${entered.state} could not be left: ${errorMessage(thrown)}`)
    })
  }
  if (stuck.length === 0) await checkRefusedKeys(context, deps).catch(caught)
  if (stuck.length === 0) await insist(scenario, context, deps).catch(caught)
  stuck.push(...(await removeMade(context, hooks)))
  await hooks.endpoints.close()
  const { exchanges, notes, states, raced } = context
  exchanges.sort((a, b) => a.id - b.id)
  return { scenario: id, exchanges, notes, ending, crash, states, stuck, raced }
}

function hooksOf(context: ScenarioContext, deps: ScenarioDeps): WebhookDeps {
  const arrivals = createArrivalRecorder(context, deps)
  return {
    ...deps,
    arrivals,
    endpoints: createEndpoints({ ...deps, arrivals }),
    enter: (state, event, way) => enter(state, { event }, context, deps, way),
  }
}

/** Sends the probes of a state before it is left, and records whether the exchanges in it contradict it. */
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

/** A key that an earlier request of the scenario has used is part of the request; any other is another each time. */
function withFreshKey(request: ChatRequest, { id }: Exchange, { exchanges }: ScenarioContext): ChatRequest {
  const { idempotency_key: key, ...rest } = request
  if (typeof key !== 'string') return request
  const isUsed = exchanges.some((one) => one.id < id && asked(one)?.['idempotency_key'] === key)
  return isUsed ? request : rest
}
