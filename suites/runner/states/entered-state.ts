/** A state that was entered: with a line in the ledger before it, and one after it was left. */
import { states, type StateId } from '../../../spec/index.ts'
import type { Provide, Provision } from '../../config/provided.ts'
import type { Target } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Created, CreatedState } from '../../../bundle/created.ts'
import type { StateMismatch } from '../../../bundle/record.ts'
import { environmentFails, notExercised, ScenarioEnded } from '../../scenario/ending.ts'
import { enterBy, leaver } from './providers/index.ts'
import { asError, NotEntered, type Entered, type Given, type ProviderEntry } from './providers/provider.ts'
import type { SettingChange, Setting } from '../../scenario/scenario.ts'
import { stateProbes } from './probes-by-state.ts'
import type { Wire } from '../../wire/recorder.ts'
import { chatRequest, type RequestDefaults } from '../requests/request.ts'

/** Null where the probe has nothing to say. The wire needs none: it is the suite that speaks. */
function mismatchOf(
  state: StateId,
  by: Provide,
  held: readonly Exchange[],
  probes: readonly Exchange[] = [],
  place?: string,
): StateMismatch | null {
  const { contradicts, isTheClause = false, isPromise = false } = stateProbes[state]
  const notFound = by === 'fixture' && isNotFound([...held, ...probes])
  const refuted = by === 'wire' ? null : notFound ? noAgent : contradicts(held, probes)
  if (refuted === null) return null
  const isBound = by === 'control' || (isPromise && by !== 'attest' && by !== 'manual')
  const believed = isTheClause && isBound && !notFound
  const open = isTheClause && !believed ? '; fix that, or the target if it is in that state all the same' : ''
  return {
    because: `${claim(state, by)}${place === undefined ? '' : ` (${place})`}, but ${refuted}${open}`,
    exchanges: [...held, ...probes].map(({ id }) => id),
    believed,
  }
}

function claim(state: StateId, by: Provide): string {
  return by === 'fixture'
    ? `the target file declares ${state} by a fixture`
    : `the provider of ${state} (${by}) says that it holds`
}

const noAgent =
  'every chat request was answered 404 (agent not found); check the agent and the principal of that fixture'

/** What a fixture names is not there, or not for its key: nothing shows how the target behaves in the state. */
function isNotFound(sent: readonly Exchange[]): boolean {
  const turns = sent.filter((one) => !one.inbound && one.request.path.startsWith('/api/v1/chat/'))
  return turns.length > 0 && turns.every(({ response }) => response?.status === 404)
}

/** Records what a run creates; each call is awaited before the next step. */
export interface CleanupLedger {
  /** Before something is created, and once more when it is known better: the id is then the same. */
  onCreate?: ((entry: Created) => void | Promise<void>) | undefined
  onGone?: ((id: string) => void | Promise<void>) | undefined
}

export type StateDeps = ProviderEntry['deps'] & CleanupLedger

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
  const { handle } = attempted
  const { agent, message, principal, session } = provision
  const declared = { agentId: agent, message, principal, session }
  const given = { ...(JSON.parse(JSON.stringify(declared)) as Given), ...attempted.given }
  const unnoted = handle === undefined ? null : await note({ ...entry, handle }).then(() => null, asError)
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

export interface Asker {
  wire: Wire
  requestDefaults: RequestDefaults
  /** Waits on the target's clock; without it nothing is waited for. */
  wait?: (ms: number) => Promise<void>
}

/** What was switched may reach each part of a service a little later: it is asked again after each of these. */
const asksAgainMs: readonly number[] = [200, 800]

/** One part of several may be wrong: most of so many decide. */
const probesMost = 3

/** Asks before the scenario until the state shows. What ends the scenario, or null; never throws, because the state still has to be left. */
export async function askFirst(entered: EnteredState, setting: Setting, asker: Asker): Promise<Error | null> {
  const { state, by, mismatch } = entered
  if (!stateProbes[state].asksFirst || by === 'wire') return null
  try {
    for (const ms of [...asksAgainMs, null]) {
      const plain = await asker.wire.send(probing(`probe ${state}`, setting, asker))
      if (plain.failure?.kind === 'budget') return notExercised('budget-exhausted', plain.failure.message)
      const found = mismatch([], [plain])
      if (!found) return null
      if (ms === null || !asker.wait) return notExercised('state-mismatch', found.because)
      await asker.wait(ms)
    }
    return null
  } catch (thrown) {
    return asError(thrown)
  }
}

/** Probes after what was sent in a state, where that speaks against it; else none. */
export async function probe(
  { state, by }: EnteredState,
  setting: Setting,
  asker: Asker,
  sent: readonly Exchange[],
): Promise<readonly Exchange[]> {
  const { surprising, isTheClause = false } = stateProbes[state]
  const isBelieved = by === 'wire' || (isTheClause && by === 'control')
  if (!surprising || isBelieved || !sent.some(surprising)) return []
  const probes: Exchange[] = []
  for (let count = 0; count < probesMost; count++) {
    const plain = await asker.wire.send(probing(`probe of ${state}`, setting, asker))
    if (plain.failure?.kind === 'budget') break
    probes.push(plain)
  }
  return probes
}

function probing(name: string, setting: Setting, { requestDefaults }: Asker) {
  return chatRequest(name, { message: setting.message }, setting, requestDefaults)
}
