/** What running a scenario leaves: plain data, enough to judge it again. */
import type { StateMismatch } from '../../reports/bundle/record.ts'
import type { StateId } from '../../spec/index.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Ending } from './ending.ts'

/** What is left of a scenario once it was run: plain data, enough to judge it again. */
export interface ScenarioExecution {
  scenario: string
  exchanges: readonly Exchange[]
  notes: Readonly<Record<string, string | number | boolean>>
  /** Null when the scenario was run to its end. */
  ending: Ending | null
  /** A defect of ours: the stack of what was thrown. */
  crash: string | null
  /** States it was in, with the provider each came by, and what was sent in it and speaks against it. */
  states: readonly StateVisit[]
  /** States that the target may still be in, with what kept us from leaving them. */
  stuck: readonly string[]
  /** Requests of it were to be under way at the same time. */
  raced?: boolean
}

/** A state that the scenario entered, and its provider. */
export interface StateVisit {
  state: StateId
  by: string
  mismatch?: StateMismatch
}
