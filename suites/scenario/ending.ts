/** How a scenario ends before its end. Private to the engine: a scenario throws these by way of the driver only. */
import type { Judgement, NotExercisedReason } from './scenario.ts'
import type { Ending, StateMismatch } from '../../bundle/record.ts'
import { errorMessage } from '../../bundle/text.ts'
import type { StateId } from '../../spec/index.ts'
import type { Exchange } from '../wire/exchange.ts'

export type { Ending }

/** Carries an ending out of `run`. */
export class ScenarioEnded extends Error {
  override name = 'ScenarioEnded'
  readonly ending: Ending
  constructor(ending: Ending) {
    super(ending.because)
    this.ending = ending
  }
}

export function endingOf(thrown: unknown): Ending {
  if (thrown instanceof ScenarioEnded) return thrown.ending
  throw thrown
}

export function stopped(because: string, unmet?: Judgement): ScenarioEnded {
  const cause = unmet?.is === 'fail' ? { unmet: { expected: unmet.expected, got: unmet.got } } : {}
  return new ScenarioEnded({ is: 'inconclusive', because, ...cause })
}

/** For what the environment throws: the scenario ends, and neither the target nor the suite is to blame. */
export function environmentFails(reason: NotExercisedReason): (thrown: unknown) => never {
  return (thrown) => {
    throw notExercised(reason, errorMessage(thrown))
  }
}

export function notExercised(reason: NotExercisedReason, because: string): ScenarioEnded {
  return new ScenarioEnded({ is: 'not-exercised', reason, because })
}

export const creditsAreShared =
  'others may spend credits of the account during the run; declare `exclusiveCredits: true` if they do not'

/** The note that has the ending of a skipped step, for each of its exchanges. */
export const skipped = (name: string): string => `skipped ${name}`

/** The note that has the reason why the exchanges of this name show nothing of a target that they do not accuse. */
export const unprovenNote = (name: string): string => `unproven ${name}`

export interface ScenarioExecution {
  scenario: string
  exchanges: readonly Exchange[]
  notes: Readonly<Record<string, string | number | boolean>>
  /** Null when the scenario was run to its end. */
  ending: Ending | null
  /** A defect of ours: the stack of what was thrown. */
  crash: string | null
  /** States that it entered, with their providers, and exchanges that contradict them. */
  states: readonly StateVisit[]
  /** States that the target may still be in, with what kept us from leaving them. */
  stuck: readonly string[]
  /** Some requests should overlap. */
  raced?: boolean
}

export interface StateVisit {
  state: StateId
  by: string
  mismatch?: StateMismatch
}
