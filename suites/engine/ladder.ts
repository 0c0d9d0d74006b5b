/**
 * How a state comes about: by the suite alone, by a standing object of the target, or by the control protocol.
 * A provider is believed until a witness on the wire speaks against it.
 */
import { states, type StateId } from '../../spec/index.ts'
import { wireStates } from '../target/states.ts'
import type { Provision, Target } from '../target/target.ts'
import type { Wire } from '../wire/wire.ts'
import type { Control, Prepared } from './control.ts'
import { environmentFails, notExercised } from './ending.ts'
import { flood } from './flood.ts'
import { chatRequest, type Letterhead } from './request.ts'
import { changed, type Setting, type SettingChange } from './setting.ts'
import { witnesses } from './witnesses.ts'

/** A state that holds. */
export interface Standing {
  state: StateId
  by: Provision['provide']
  change: SettingChange
  leave(): Promise<void>
  /** The setting before it was entered. */
  before?: Setting
}

export interface Ladder {
  rungOf(state: StateId): Provision['provide']
  /** Throws a StoryEnded when the state cannot be had here. */
  enter(
    state: StateId,
    about: Readonly<Record<string, string>>,
    setting: Setting,
    means: { wire: Wire; letterhead: Letterhead },
  ): Promise<Standing>
}

/** How a state comes about on this target. What is not declared is not there, but for what the wire provides. */
export function provisionOf(state: StateId, target: Pick<Target, 'states'>): Provision {
  const ordinary: Provision = wireStates.includes(state)
    ? { provide: 'wire' }
    : { provide: 'none', why: 'not declared' }
  return target.states[state] ?? ordinary
}

export function createLadder(target: Target, control: Control | null): Ladder {
  return {
    rungOf: (state) => provisionOf(state, target).provide,
    async enter(state, about, setting, means) {
      const provision = provisionOf(state, target)
      const standing = await rungs[provision.provide]({ state, about, setting, provision, target, control })
      if (state === 'rate.limited' && standing.by === 'wire') await flood(setting, means)
      const refuted = await contradiction(state, changed(setting, standing.change), means)
      if (refuted === null) return standing
      await standing.leave()
      throw notExercised('state-not-established', `${claim(state, provision)}, but ${refuted}`)
    },
  }
}

interface Wish {
  state: StateId
  about: Readonly<Record<string, string>>
  setting: Setting
  provision: Provision
  target: Target
  control: Control | null
}

const nothing = (): Promise<void> => Promise.resolve()

const rungs: Record<Provision['provide'], (wish: Wish) => Promise<Standing>> = {
  wire: ({ state }) => Promise.resolve({ state, by: 'wire', change: {}, leave: nothing }),

  fixture({ state, provision, target }) {
    const { agent, message, principal: name } = provision.provide === 'fixture' ? provision : {}
    const principal = target.principals.find((candidate) => candidate.name === name)
    const change: SettingChange = {
      ...(agent === undefined ? {} : { agent }),
      ...(message === undefined ? {} : { message }),
      ...(principal ? { principal } : {}),
    }
    return Promise.resolve({ state, by: 'fixture', change, leave: nothing })
  },

  async control({ state, about, setting, target, control }) {
    if (!control) throw unprovided(state, 'the target declares no `control`')
    const { agent, cast } = setting
    const principal = cast['self']?.name ?? ''
    const answer = await control
      .enter(state, { agentId: agent, principal, ...about })
      .catch(environmentFails('state-not-established'))
    if (!answer.ok && !answer.offered) throw unprovided(state, answer.because)
    if (!answer.ok) throw notExercised('state-not-established', `${state}: ${answer.because}`)
    const { handle, setting: given } = answer.prepared
    const change = changeFrom(given, target)
    return { state, by: 'control', change, leave: () => control.leave(state, handle) }
  },

  none({ state, provision }) {
    return Promise.reject(unprovided(state, provision.provide === 'none' ? provision.why : ''))
  },
}

function unprovided(state: StateId, why: string) {
  return notExercised('state-not-provided', `${state} (${states[state].means}): ${why}`)
}

function changeFrom(
  { agentId, message, principal: name }: Prepared['setting'],
  target: Target,
): SettingChange {
  const principal = target.principals.find((candidate) => candidate.name === name)
  if (name !== undefined && !principal)
    throw notExercised(
      'principal-missing',
      `the control protocol speaks of a principal "${name}" that the target file does not declare`,
    )
  return {
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(message === undefined ? {} : { message }),
    ...(principal ? { principal } : {}),
  }
}

/** What a plain message shows against the state, if there is a witness for it. */
async function contradiction(
  state: StateId,
  setting: Setting,
  { wire, letterhead }: { wire: Wire; letterhead: Letterhead },
): Promise<string | null> {
  const witness = witnesses[state]
  if (!('refutes' in witness)) return null
  const plain = await wire.send(chatRequest(`witness ${state}`, {}, setting, letterhead))
  if (plain.failure?.kind === 'budget') throw notExercised('budget-exhausted', plain.failure.message)
  return witness.refutes(plain)
}

function claim(state: StateId, provision: Provision): string {
  return provision.provide === 'fixture'
    ? `the target file declares ${state} by a fixture`
    : `the provider of ${state} (${provision.provide}) says that it holds`
}
