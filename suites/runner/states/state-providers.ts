/** Enters states on a target: by the provider that its file declares, if the run is permitted to. */
import { isOfEvent, type StateId } from '../../../spec/index.ts'
import { forcing, type Provide, type Provision } from '../../config/provided.ts'
import { wireStates } from '../../config/states.ts'
import type { Target } from '../../config/target.ts'
import { notExercised, type ScenarioEnded } from '../../scenario/ending.ts'
import { flood } from '../requests/request.ts'
import { readOnlyEnds } from '../plan/read-only.ts'
import { type Permits, type ProviderEntry, attestation } from './providers/provider.ts'
import { changed, mayCall, type Setting } from '../../scenario/scenario.ts'
import { enterState, type EnteredState, type StateDeps, askFirst, type Asker } from './entered-state.ts'

export interface StateProvidersDeps extends StateDeps {
  /** Ends what is waited for while a state is entered. */
  signal?: AbortSignal | undefined
}

export interface StateProviders {
  providerOf(state: StateId): Provide
  waysTo(state: StateId): number
  /** Throws a ScenarioEnded if the state cannot be entered and nothing has to be left. */
  enter(
    state: StateId,
    about: Readonly<Record<string, string>>,
    setting: Setting,
    asker: Asker,
    /** Which of its ways, from 0. */
    way?: number,
  ): Promise<EnteredState>
}

export function provisionOf(
  state: StateId,
  target: Pick<Target, 'states' | 'furtherStates'>,
  way = 0,
): Provision {
  const ordinary: Provision = wireStates.includes(state)
    ? { provide: 'wire' }
    : { provide: 'none', why: 'not declared' }
  return (way === 0 ? target.states[state] : target.furtherStates?.[state]?.[way - 1]) ?? ordinary
}

/** Why a state cannot be had on this target by a run that is permitted so much, or null. No request is made. */
export function barred(state: StateId, target: Target, permits: Permits, way = 0): ScenarioEnded | null {
  const provision = provisionOf(state, target, way)
  const { provide } = provision
  if (provide === 'none') return notExercised('state-not-provided', `${state}: ${provision.why}`)
  if (provide === 'attest') return notExercised('attested', `${state} is ${attestation(provision)}`)
  if (target.kind === 'production' && forcing.includes(provide))
    return notExercised(
      'state-not-provided',
      `${state}: a production target is not forced into a state by ${provide}; provide it by fixture, manual or none`,
    )
  if (target.readOnly && forcing.includes(provide)) return readOnlyEnds(`forces ${state} by ${provide}`)
  if (provide === 'exec' && !permits.allowExec)
    return notExercised(
      'opt-in-required',
      `${state} is entered by running ${provision.enter[0]}; allow that with --allow-exec`,
    )
  if (provide === 'manual' && !permits.ask)
    return notExercised(
      'state-not-provided',
      `${state}: a person has to be asked for it, and nobody is there; run in a terminal`,
    )
  return null
}

/**
 * The target with the ways to each state that a run with these permits can take, those for `agent` first. An event of
 * another agent does not reach the webhooks of this one.
 */
export function withWays(target: Target, permits: Permits, agent?: string): Target {
  const ways = Object.entries(target.furtherStates ?? {}).map(([name, further]) => {
    const state = name as StateId
    const all = [provisionOf(state, target), ...further]
    const some = all.filter((_, way) => !barred(state, target, permits, way))
    const open = some.length > 0 ? some : all
    const own = open.filter((way) => way.agent !== undefined && way.agent === agent)
    const others = open.filter((way) => !own.includes(way))
    const near = isOfEvent(state) && agent !== undefined ? others.filter((way) => !way.agent) : others
    return [state, own.length + near.length > 0 ? [...own, ...near] : open] as const
  })
  return {
    ...target,
    states: { ...target.states, ...Object.fromEntries(ways.map(([state, [first]]) => [state, first])) },
    furtherStates: Object.fromEntries(ways.map(([state, [, ...more]]) => [state, more])),
  }
}

export function createStateProviders(target: Target, deps: StateProvidersDeps): StateProviders {
  return {
    providerOf: (state) => provisionOf(state, target).provide,
    waysTo: (state) => 1 + (target.furtherStates?.[state]?.length ?? 0),
    async enter(state, about, setting, asker, way = 0) {
      const bar = barred(state, target, deps, way)
      if (bar) throw bar
      const provision = provisionOf(state, target, way)
      const { agent = setting.agent, message = setting.message } = provision
      const { principal = setting.cast['self']?.name ?? '' } = provision
      const [kind, decision = ''] = state.split('.')
      const own = { agentId: agent, principal, message, ...(kind === 'approval' ? { decision } : {}) }
      const values = { ...own, ...about }
      const entry: ProviderEntry = { state, about: values, deps, signal: deps.signal }
      const id = `${asker.requestDefaults.scenario} ${state} ${asker.requestDefaults.count()}`
      const enteredState = await enterState(provision, entry, { id, target, deps })
      if (state === 'rate.limited' && enteredState.by === 'wire') await flood(setting, asker)
      if (enteredState.trouble) return enteredState
      const within = changed(setting, enteredState.change)
      const trouble = outOfReach(enteredState, within) ?? (await askFirst(enteredState, within, asker))
      return { ...enteredState, trouble }
    },
  }
}

/** Why no principal of the scenario may call the agent that a state names, or null. Webhooks are managed by a user, not by a key. */
function outOfReach(
  { state, change }: EnteredState,
  { cast: { self }, agent }: Setting,
): ScenarioEnded | null {
  if (change.agent === undefined || change.session || !self || mayCall(self, agent)) return null
  return notExercised(
    'principal-missing',
    `${state}: the key "${self.name}" may not call agent ${agent}; declare one that may, or add ${agent} to principals.${self.name}.agents if it may`,
  )
}
