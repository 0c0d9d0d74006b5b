/** The state of a scenario while it runs. */
import type { StateVisit } from '../scenario/execution.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Outgoing, SendTerms } from '../wire/recorder.ts'
import type { CreatedWebhook } from '../../bundle/created.ts'
import { notExercised } from '../scenario/ending.ts'
import { laneOf } from './requests/key-ring.ts'
import type { Setting } from '../scenario/scenario.ts'
import type { EnteredState } from './states/entered-state.ts'

export interface OpenState {
  entered: EnteredState
  visit: StateVisit
  /** The setting before it was entered. */
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
  /** Some requests should overlap. */
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

/** Adds the exchanges to the scenario, and ends it if a cap of the run was reached. */
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
