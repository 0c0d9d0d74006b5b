/** What a run is made of: its driver, its settings, and what it reports while it runs. */
import type { Finding, Opening, RunOrigin, RunRecord, ScenarioRun } from '../../bundle/record.ts'
import type { Redactor } from '../../bundle/redaction/redaction.ts'
import type { Dialect } from '../config/dialect.ts'
import type { Policy } from '../policy/policy.ts'
import type { Ending, ScenarioExecution } from '../scenario/ending.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { BudgetProgress, Used } from '../wire/budget/governor.ts'
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Planned, PlannedScenario, Scenarios, ShardChoice } from './plan/plan.ts'
import type { Recording } from './recording.ts'
import type { CleanupLedger } from './states/entered-state.ts'
import type { Permits } from './states/providers/provider.ts'

export interface RunDriver<S extends AnyScenario> {
  planned: Planned<S>
  opening: Opening
  scenarios: Scenarios
  policy: Policy
  dialect: Dialect
  recording: Recording
  used(): RunRecord['used']
  /** Sends what has to be sent before the first scenario. Throws TargetUnreachable and ConfigurationError. */
  begin(): Promise<void>
  /** Runs one scenario to its end. Returns an ending if it was not run. */
  execute(scenario: PlannedScenario<S>): Promise<ScenarioExecution | Ending>
  /** Adds the exchanges of an execution to the journal, where that has to happen in the order of the plan. */
  collect?: (execution: ScenarioExecution) => ScenarioExecution
  /** Whether a further attempt fits in what the plan or the limits of the run allow, when `rest` is yet to come. */
  affords?(
    scenario: PlannedScenario<S>,
    rest: readonly PlannedScenario<S>[],
    within: 'plan' | 'limits',
  ): boolean
  /**
   * Called after each scenario. Returns a scenario of `rest` to run next, if the decision depends on it. Throws a
   * ConfigurationError if the rest should not be run.
   */
  review?(rest: readonly PlannedScenario<S>[]): PlannedScenario<S> | null
  /** For the report, if the gate fails. */
  warning(findings: readonly Finding[]): string | null
  /** Says so once the time of the run is over: the scenario that was being run then is not judged. */
  late?: () => string | null
  abort?(): void
  close(): Promise<void>
}

export interface LoopOptions extends Pick<RunSettings, 'retries' | 'failFast'> {
  clock: Clock
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

export type Progress =
  /** The first event, before any request. */
  | { is: 'planned'; planned: Planned; opening: Opening }
  | { is: 'scenario'; scenario: string; title: string; at: number; of: number }
  | { is: 'finding'; finding: Finding }
  /** At the end of each exchange, as recorded; inbound and withheld ones included. */
  | { is: 'exchange'; exchange: Exchange }
  /** The result of a scenario, with what the run has used by then. */
  | { is: 'scenario-run'; scenarioRun: ScenarioRun; used: RunRecord['used'] }
  | { is: 'spent'; used: Used; waiting?: NonNullable<BudgetProgress['waiting']> }
  | { is: 'log'; line: string }

/** With what a run may do to the tenant (Permits) and where it records what it creates (Ledger). */
export interface SessionOptions extends RunSettings, Permits, CleanupLedger {
  scenarios: Scenarios
  /** Only this part of the plan. Default: all of it. */
  shard?: ShardChoice
}

/** What can be said of any run. */
export interface RunSettings {
  seed: number
  /** Patterns; see `planRun`. */
  only?: readonly string[]
  clock?: Clock
  onProgress?: (progress: Progress) => void
  /** Ends the run early; the remaining scenarios are not tested. */
  signal?: AbortSignal
  /** So often a scenario that fails is run again, alone and with fresh keys, where that is possible. Default 0. */
  retries?: number
  /** Ends the run at the first failure that is not flaky. */
  failFast?: boolean
  version?: string
  origin?: RunOrigin
  /** Makes keys and texts unique. Default: random. */
  runId?: string
  /** Knows the secrets of what is tested. Default: those that are declared of it. */
  redactor?: Redactor
}
