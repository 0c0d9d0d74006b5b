/** What running a scenario leaves: plain data, enough to judge it again. */
import type { StateMismatch } from '../../bundle/record.ts'
import type { StateId } from '../../spec/index.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Ending } from './ending.ts'

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
