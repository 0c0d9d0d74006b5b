/** Whether a state can be had on a target, asked with one request and without a scenario: for a look before a run. */
import type { StateId } from '../../spec/index.ts'
import { isOfScenarios } from '../config/features.ts'
import type { Provide } from '../config/provided.ts'
import type { Target } from '../config/target.ts'
import { ScenarioEnded } from '../scenario/ending.ts'
import { startRunContext, type RunContext } from './run-context.ts'
import { barred, createStateProviders, provisionOf } from './states/state-providers.ts'
import { chatRequest } from './requests/request.ts'
import type { SessionOptions } from './run-driver.ts'
import { changed, type Setting } from '../scenario/scenario.ts'
import { settle } from './states/settings.ts'
import type { EnteredState, Asker } from './states/entered-state.ts'
import { stateProbes } from './states/probes-by-state.ts'
import { errorMessage } from '../../bundle/text.ts'

export type ProveOptions = Omit<SessionOptions, 'scenarios' | 'only'>

export interface Proof {
  state: StateId
  by: Provide
  /** `holds`: nothing spoke against it. `cannot`: it cannot be had, or be seen alone. */
  is: 'holds' | 'refuted' | 'cannot'
  /** Empty where it holds. */
  because: string
}

/** States that need more than one request, or none, before they can be seen. */
const unseen: readonly StateId[] = ['key.uncertain']

type Said = Pick<Proof, 'is' | 'because'>

/** Enters the state, sends one request in it, and leaves it in every case. Takes at most one turn. */
export async function prove(state: StateId, target: Target, options: ProveOptions): Promise<Proof> {
  const by = provisionOf(state, target).provide
  const bar = barred(state, target, options)
  if (bar) return { state, by, is: 'cannot', because: bar.ending.because }
  if (by === 'wire') return { state, by, is: 'holds', because: '' }
  if (unseen.includes(state) || isOfScenarios(state))
    return { state, by, is: 'cannot', because: 'only a scenario shows it' }
  const runContext = startRunContext(target, { ...options, scenarios: {} })
  try {
    return { state, by, ...(await look(state, target, options, runContext)) }
  } finally {
    await runContext.recorder.close()
  }
}

async function look(
  state: StateId,
  target: Target,
  options: ProveOptions,
  runContext: RunContext,
): Promise<Said> {
  const { wire, control, clock } = runContext
  const requestDefaults = runContext.requestDefaults(`prove ${state}`)
  const setting = settle({}, target, requestDefaults.source.text())
  if (setting instanceof ScenarioEnded) return { is: 'cannot', because: setting.ending.because }
  const providers = createStateProviders(target, { ...options, control, clock })
  let entered: EnteredState
  try {
    entered = await providers.enter(state, {}, setting, { wire, requestDefaults })
  } catch (thrown) {
    return { is: 'cannot', because: errorMessage(thrown) }
  }
  const because = entered.trouble
    ? entered.trouble.message
    : await contradiction(entered, changed(setting, entered.change), { wire, requestDefaults }).catch(
        errorMessage,
      )
  const stuck = await entered.leave().then(() => null, errorMessage)
  if (because !== null) return { is: 'refuted', because }
  return stuck === null
    ? { is: 'holds', because: '' }
    : { is: 'refuted', because: `${state} could not be left: ${stuck}` }
}

async function contradiction(
  { state, mismatch }: EnteredState,
  setting: Setting,
  { wire, requestDefaults }: Asker,
): Promise<string | null> {
  const { asksFirst = false, streamed = false } = stateProbes[state]
  if (asksFirst) return null
  const asked = { message: setting.message, ...(streamed ? { stream: true } : {}) }
  const exchange = await wire.send(chatRequest('proof', asked, setting, requestDefaults))
  if (exchange.failure?.kind === 'budget') return exchange.failure.message
  return mismatch([exchange])?.because ?? null
}
