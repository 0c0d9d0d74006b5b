/** Runs a scenario with a driver, from the states that it needs to the end of its last request. */
import { createDriver, enter, type Close, type ScenarioDeps } from './scenario-driver.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import { createArrivalRecorder } from './receiver/arrival-recorder.ts'
import { createEndpoints } from './receiver/endpoints.ts'
import { ScenarioEnded, type Ending } from '../scenario/ending.ts'
import { insist } from './requests/insist.ts'
import { checkRefusedKeys } from './requests/key-check.ts'
import { probe } from './states/state-probes.ts'
import { isBeside } from './outcome/recurrence.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { Setting } from '../scenario/setting.ts'
import { ScenarioContext, type OpenState } from './scenario-context.ts'
import { removeMade, type WebhookDeps } from './requests/webhook-requests.ts'
import { errorMessage } from '../../reports/bundle/text.ts'

/** Enters the states it needs, runs it, waits for requests in flight and, in every case, leaves the states. */
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
