/** The state of a scenario while it runs. */
import { type StateVisit, notExercised } from '../scenario/ending.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Outgoing, SendTerms, Wire } from '../wire/recorder.ts'
import type { CreatedWebhook } from '../../bundle/created.ts'
import { laneOf } from './requests/key-ring.ts'
import type { Setting } from '../scenario/scenario.ts'
import type { CleanupLedger, EnteredState } from './states/entered-state.ts'
import type { StateProviders } from './states/state-providers.ts'
import type { SharedTime } from './states/settings.ts'
import type { EnvelopeSearch } from './requests/execution-request.ts'
import type { RequestDefaults } from './requests/request.ts'
import type { InboundReceiver } from './receiver/inbound-receiver.ts'
import type { Recording } from './recording.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Target } from '../config/target.ts'
import type { Clock } from '../wire/clock.ts'

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
  journal: readonly Exchange[]
  recording: Recording
  wait(ms: number): Promise<void>
  pause(ms: number): Promise<void>
}

/**
 * What a run has spent on refusals that say nothing when they come once: a target that is down, or out of credits, is not
 * asked for ever. Nothing is sent again where no such refusal came, so this costs a conforming target nothing.
 */
export interface Insistence {
  left: number
  /** Of these, series that take minutes of real time. */
  leftSlow: number
}

export interface OpenState {
  entered: EnteredState
  visit: StateVisit
  before: Setting
  since: number
}

export interface Repeatable {
  exchange: Exchange
  setting: Setting
  /** The role it was sent as; null without credentials. */
  as: string | null
  again: (name: string) => Outgoing
}

export class ScenarioContext {
  setting: Setting
  readonly exchanges: Exchange[] = []
  readonly notes: Record<string, string | number | boolean> = {}
  readonly openStates: OpenState[] = []
  readonly states: StateVisit[] = []
  readonly made: CreatedWebhook[] = []
  /** Requests that can be sent again if they were refused. */
  repeatable: Repeatable[] = []
  raced = false
  readonly inFlight = new Set<Promise<unknown>>()
  readonly thrown: unknown[] = []
  constructor(setting: Setting) {
    this.setting = setting
  }
}

/** A key that may be rate limited is not held back: its scenarios are about the limit, and pace themselves. */
export function termsOf(outgoing: readonly Outgoing[], { setting }: ScenarioContext): SendTerms {
  const sacrificial = Object.values(setting.cast).filter((principal) => principal.sacrificial)
  const names = sacrificial.map(laneOf)
  return { unpaced: outgoing.every(({ principal }) => principal !== null && names.includes(principal)) }
}

export function follow<T>(
  context: ScenarioContext,
  sending: Promise<T>,
  list: (sent: T) => readonly Exchange[],
): Promise<T> {
  const followed = sending.then((sent) => {
    const withheld = list(sent).find(({ failure }) => failure?.kind === 'budget')
    if (list(sent).length > 1) context.raced = true
    context.exchanges.push(...list(sent).filter(({ failure }) => failure?.kind !== 'budget'))
    if (withheld) throw notExercised('budget-exhausted', withheld.failure?.message ?? 'a cap was reached')
    return sent
  })
  // A request that was started and never awaited still ends the scenario when it was withheld.
  context.inFlight.add(followed.catch((thrown: unknown) => context.thrown.push(thrown)))
  return followed
}

export const only = (exchange: Exchange): readonly Exchange[] => [exchange]
