/** The options of a run, and the events that it reports. */
import type { Finding, Opening, RunOrigin, RunRecord, ScenarioRun } from '../../reports/bundle/record.ts'
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { BudgetProgress, Used } from '../wire/budget/governor.ts'
import type { Planned, Scenarios } from './plan/plan.ts'
import type { Permits } from './states/providers/provider.ts'
import type { ShardChoice } from './plan/shard.ts'
import type { CleanupLedger } from './states/entered-state.ts'

export type Progress =
  /** The first event, before any request. */
  | { is: 'planned'; planned: Planned; opening: Opening }
  | { is: 'scenario'; scenario: string; title: string; at: number; of: number }
  | { is: 'finding'; finding: Finding }
  /** At the end of each exchange, inbound and withheld ones included; secrets are not redacted. */
  | { is: 'exchange'; exchange: Exchange }
  /** The result of a scenario, with what the run has used by then. */
  | { is: 'scenario-run'; scenarioRun: ScenarioRun; used: RunRecord['used'] }
  | { is: 'spent'; used: Used; waiting?: NonNullable<BudgetProgress['waiting']> }
  /** A request of the control protocol, as text. */
  | { is: 'log'; line: string }

/** With what a run may do to the tenant (Permits) and where it records what it creates (Ledger). */
export interface SessionOptions extends Permits, CleanupLedger {
  seed: number
  scenarios: Scenarios
  /** Patterns; see `planRun`. */
  only?: readonly string[]
  /** Only this part of the plan. Default: all of it. */
  shard?: ShardChoice
  clock?: Clock
  onProgress?: (progress: Progress) => void
  /** Ends the run early; the remaining scenarios are not tested. */
  signal?: AbortSignal
  version?: string
  origin?: RunOrigin
  /** Makes keys and texts unique. Default: random. */
  runId?: string
}
