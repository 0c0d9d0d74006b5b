/** A state that was entered: with a line in the ledger before it, and one after it was left. */
import { states, type StateId } from '../../../spec/index.ts'
import type { Provide, Provision } from '../../config/provided.ts'
import type { Target } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Created, CreatedState } from '../../../reports/bundle/created.ts'
import { mismatchOf } from './state-mismatch.ts'
import type { StateMismatch } from '../../../reports/bundle/record.ts'
import { environmentFails, notExercised, ScenarioEnded } from '../../scenario/ending.ts'
import { enterBy, leaver } from './providers/index.ts'
import { NotEntered, type Entered, type Given, type ProviderEntry } from './providers/provider.ts'
import type { SettingChange } from '../../scenario/setting.ts'

/** Records what a run creates; each call is awaited before the next step. */
export interface CleanupLedger {
  /** Before something is created, and once more when it is known better: the id is then the same. */
  onCreate?: ((entry: Created) => void | Promise<void>) | undefined
  onGone?: ((id: string) => void | Promise<void>) | undefined
}

export type StateDeps = ProviderEntry['deps'] & CleanupLedger

/** A state that holds, or may hold. */
export interface EnteredState {
  state: StateId
  by: Provide
  change: SettingChange
  /** Why the scenario cannot be run in it; it has to be left all the same. */
  trouble: Error | null
  /** Why nothing can be run after it, or null. */
  lasts: string | null
  /** `probes`: what was asked for this alone, after what was sent in the state. */
  mismatch: (held: readonly Exchange[], probes?: readonly Exchange[]) => StateMismatch | null
  leave: () => Promise<void>
}

interface EntryDeps {
  /** Unique within a run. */
  id: string
  target: Target
  deps: StateDeps
}

/** Throws a ScenarioEnded if the state was certainly not entered. */
export async function enterState(
  provision: Provision,
  stateEntry: ProviderEntry,
  { id, target, deps }: EntryDeps,
): Promise<EnteredState> {
  const { state, about } = stateEntry
  const by = provision.provide
  const undo = leaver(provision)
  const entry: CreatedState = { id, what: 'state', state, by, about }
  const note = async (entry: CreatedState): Promise<void> => {
    if (undo) await deps.onCreate?.(entry)
  }
  const gone = async (): Promise<void> => {
    if (undo) await deps.onGone?.(id)
  }
  await note(entry).catch(environmentFails('prerequisite-failed'))
  const attempted = await attemptEntry(provision, stateEntry)
  if (attempted.trouble && !attempted.mayHold) {
    await gone()
    throw attempted.trouble
  }
  const { handle, given } = attempted
  const unnoted = handle === undefined ? null : await note({ ...entry, handle }).then(() => null, errorOf)
  const change = changeFrom(given, by, target)
  const strange = change instanceof ScenarioEnded
  return {
    state,
    by,
    change: strange ? {} : change,
    trouble: attempted.trouble ?? unnoted ?? (strange ? change : null),
    lasts: undo ? null : lasting(state, by, given),
    mismatch: (held, probes = []) => mismatchOf(state, by, held, probes, placeOf(state, target)),
    async leave() {
      // The end of a run breaks off what is entered, never what is left.
      await undo?.({ ...stateEntry, signal: undefined, ...(handle === undefined ? {} : { handle }) })
      await gone()
    },
  }
}

const placeOf = (state: StateId, { statePlaces = {} }: Target): string | undefined =>
  statePlaces[state] ?? (state.startsWith('event.') ? statePlaces['event.*'] : undefined)

type Attempted = Entered & { trouble: ScenarioEnded | null; mayHold: boolean }

async function attemptEntry(provision: Provision, entry: ProviderEntry): Promise<Attempted> {
  try {
    return { ...(await enterBy(provision, entry)), trouble: null, mayHold: true }
  } catch (thrown) {
    if (!(thrown instanceof NotEntered)) throw thrown
    const { state } = entry
    const { reason, mayHold, message } = thrown
    const what = reason === 'state-not-provided' ? `${state} (${states[state].means})` : state
    return { given: {}, mayHold, trouble: notExercised(reason, `${what}: ${message}`) }
  }
}

const speaks: Readonly<Partial<Record<Provide, string>>> = {
  control: 'the control protocol',
  exec: 'the exec hook',
}

function changeFrom(
  { agentId, message, principal: name, session: user }: Given,
  by: Provide,
  target: Target,
): SettingChange | ScenarioEnded {
  const principal = target.principals.find((candidate) => candidate.name === name)
  if (name !== undefined && !principal)
    return notExercised(
      'principal-missing',
      `${speaks[by] ?? 'the target file'} speaks of a principal "${name}" that the target file does not declare`,
    )
  const session = user === undefined ? undefined : target.sessions[user]?.headers
  return {
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(message === undefined ? {} : { message }),
    ...(principal ? { principal } : {}),
    ...(session ? { session } : {}),
  }
}

/** States of an agent or an account, which stay until somebody ends them. */
const untilEnded: readonly StateId[] = [
  'chat.paused',
  'credits.exhausted',
  'plan.disallows',
  'plan.without-webhooks',
]

/** What a scenario asks afterwards would still be asked in the state, unless it then speaks with something else. */
function lasting(state: StateId, by: Provide, { agentId, principal, session }: Given): string | null {
  const speaker = agentId ?? principal ?? session
  if (!untilEnded.includes(state) || speaker !== undefined) return null
  const way = by === 'manual' ? 'undo' : 'leave'
  return `${state} is provided by ${by} without \`${way}\`, so nothing can be asked after it; declare one`
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
