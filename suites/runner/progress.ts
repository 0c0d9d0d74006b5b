/** What a run is asked to do, and what it tells on the way. */
import type { Finding, Opening, RunRecord, ScenarioRun } from '../../reports/bundle/record.ts'
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Used } from '../wire/budget/governor.ts'
import type { Planned, Scenarios } from './plan/plan.ts'
import type { Permits } from './states/providers/provider.ts'
import type { Ledger } from './states/entered-state.ts'

export type Progress =
  /** Comes first, before any request. */
  | { is: 'planned'; planned: Planned; opening: Opening }
  | { is: 'scenario'; scenario: string; title: string; at: number; of: number }
  | { is: 'finding'; finding: Finding }
  /** As it ends, what came in and what was withheld included; with every secret that was in it. */
  | { is: 'exchange'; exchange: Exchange }
  /** How a scenario went, with what the run has used by then. */
  | { is: 'told'; scenario: ScenarioRun; used: RunRecord['used'] }
  | { is: 'spent'; used: Used; waiting?: { principal: string; ms: number } }
  /** A request of the control protocol, in words. */
  | { is: 'log'; line: string }

/** What a run may do to the tenant, and where it writes down what it creates: see Permits and Ledger. */
export interface SessionOptions extends Permits, Ledger {
  seed: number
  scenarios: Scenarios
  /** Patterns; see `planRun`. */
  only?: readonly string[]
  clock?: Clock
  onProgress?: (progress: Progress) => void
  /** Ends the run early; what was not told is then not exercised. */
  signal?: AbortSignal
  version?: string
  /** Makes keys and texts fresh. Default: a random one. */
  runId?: string
}
