/** One run of planned scenarios: every planned check ends with a verdict, whatever is under test and whatever happens. */
import { pMapIterable } from 'p-map'
import type { Finding, Opening, Run, RunRecord, ScenarioRun, RunOrigin } from '../../bundle/record.ts'
import { plainBasis } from '../../bundle/judging.ts'
import type { Redactor } from '../../bundle/redaction/redaction.ts'
import { savable } from '../../bundle/write-run.ts'
import type { Dialect } from '../config/dialect.ts'
import { atLevel, clauseSetOf } from '../policy/clause-set-file.ts'
import type { Policy } from '../policy/policy.ts'
import { uncoveredFor } from '../scenarios.ts'
import { notExercised, type Ending } from '../scenario/ending.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { Clock } from '../wire/clock.ts'
import { identified, inDialect, type Exchange } from '../wire/exchange.ts'
import { judgeScenario, notRun } from './outcome/judge.ts'
import { runRecord } from './outcome/run-record.ts'
import { watchReplies } from './outcome/same-reply.ts'
import { wholeRun } from './outcome/rejudge.ts'
import type { Planned, PlannedScenario, Scenarios, ShardChoice } from './plan/plan.ts'
import type { Recording } from './recording.ts'
import type { BudgetProgress, Used } from '../wire/budget/governor.ts'
import type { Permits } from './states/providers/provider.ts'
import type { CleanupLedger } from './states/entered-state.ts'

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
  collect?(execution: ScenarioExecution): ScenarioExecution
  /** Whether the plan still allows a second attempt, when `rest` is yet to come. */
  affords?(scenario: PlannedScenario<S>, rest: readonly PlannedScenario<S>[]): boolean
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

export interface LoopOptions {
  clock: Clock
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

export interface RunLoop<S extends AnyScenario = AnyScenario> {
  readonly planned: Planned<S>
  /** Throws TargetUnreachable if nothing answers, and a ConfigurationError if the target file cannot be right. */
  begin(): Promise<void>
  /** Runs and judges a scenario, once however often it is called, and returns the findings that were selected. */
  run(scenario: PlannedScenario<S>): Promise<readonly Finding[]>
  /** Runs all scenarios, `atOnce` at a time, and judges them in the order of the plan. */
  runInOrder(atOnce: number): Promise<void>
  exchange(id: number | undefined): Exchange | undefined
  /** Scenarios that were not run are not tested (`interrupted`). */
  end(): Promise<Run>
}

/** `scenarioRun` is null if the scenario was not run. */
interface ScenarioResult {
  findings: readonly Finding[]
  scenarioRun: ScenarioRun | null
}

const interrupted: Ending = notExercised('interrupted', 'the run ended before it was run').ending

export function openRun<S extends AnyScenario>(driver: RunDriver<S>, options: LoopOptions): RunLoop<S> {
  const { planned } = driver
  const { journal } = driver.recording
  const opening = published(driver)
  const { signal, onProgress } = options
  const results = new Map<string, ScenarioResult>()
  const replies = watchReplies(journal, opening)
  const abort = (): void => driver.abort?.()
  signal?.addEventListener('abort', abort, { once: true })
  onProgress?.({ is: 'planned', planned, opening })

  const { attempt, start, judge } = attempts(driver, options, results)
  const rest = (): readonly PlannedScenario<S>[] => planned.scenarios.filter(({ id }) => !results.has(id))
  function settle({ id }: PlannedScenario<S>, result: ScenarioResult): readonly Finding[] {
    results.set(id, result)
    const findings = replies.without(result.findings)
    for (const finding of findings) onProgress?.({ is: 'finding', finding })
    const { scenarioRun } = result
    if (scenarioRun) onProgress?.({ is: 'scenario-run', scenarioRun, used: driver.used() })
    return findings
  }

  const runOnce = oncePerScenario(async (one: PlannedScenario<S>) => {
    const first = await start(one)
    const result = judge(one, first)
    const others = rest().filter(({ id }) => id !== one.id)
    const mayRepeat = !('findings' in first) && wasUnmet(result.findings, first)
    if (!mayRepeat || driver.affords?.(one, others) !== true) return settle(one, result)
    const second = await attempt(one)
    const { findings, scenarioRun } = judge(one, second)
    const since = 'findings' in second ? {} : beginningOf(second)
    return settle(one, { findings, scenarioRun: scenarioRun && { ...scenarioRun, ...since } })
  })

  return {
    planned,
    begin: () => driver.begin(),
    async run(one) {
      const known = results.get(one.id)
      if (known) return replies.without(known.findings)
      const findings = await runOnce(one)
      const next = driver.review?.(rest())
      if (next) {
        await runOnce(next)
        driver.review?.([])
      }
      return findings
    },
    async runInOrder(atOnce) {
      const limits = { concurrency: atOnce, backpressure: Infinity }
      const started = pMapIterable(planned.scenarios, async (one) => [one, await start(one)] as const, limits)
      for await (const [one, attempted] of started) settle(one, judge(one, attempted))
    },
    exchange: (id) => journal.find((exchange) => exchange.id === id),
    async end() {
      signal?.removeEventListener('abort', abort)
      await driver.close()
      const all = planned.scenarios.map((one) => results.get(one.id) ?? notTested(one, interrupted))
      return runOf({ ...driver, opening }, all, options.clock.wall())
    },
  }
}

/** Whether requests that should overlap did not, so that a MUST clause is inconclusive, and nothing worse was found. */
function wasUnmet(found: readonly Finding[], { raced, crash, stuck }: ScenarioExecution): boolean {
  const unmet = found.some(({ verdict, level }) => verdict === 'inconclusive' && level === 'must')
  const decided = found.some(({ verdict }) => ['fail', 'error', 'not-exercised'].includes(verdict))
  return raced === true && unmet && !decided && crash === null && stuck.length === 0
}

/** The first exchange of the attempt that was judged. */
function beginningOf({ exchanges }: ScenarioExecution): Pick<ScenarioRun, 'since'> {
  return exchanges.length === 0 ? {} : { since: Math.min(...exchanges.map(({ id }) => id)) }
}

/** The opening without secrets. What it, the plan and what judges rest on say is no secret that a response discloses. */
function published<S extends AnyScenario>({ recording, opening, planned, policy, dialect }: RunDriver<S>) {
  const redacted = recording.redactor.value(opening)
  recording.redactor.publish(JSON.stringify([redacted, planned.plan, policy, dialect]))
  return redacted
}

function oncePerScenario<S extends AnyScenario, T>(run: (one: PlannedScenario<S>) => Promise<T>): typeof run {
  const begun = new Map<string, Promise<T>>()
  return (one) => {
    const running = begun.get(one.id) ?? run(one)
    begun.set(one.id, running)
    return running
  }
}

/** What rules judge: what was sent before them, which is read once for all of them. */
function wholeOf<S extends AnyScenario>(
  { recording, opening, dialect }: RunDriver<S>,
  results: ReadonlyMap<string, ScenarioResult>,
) {
  let whole: { readonly of: number; readonly execution: ScenarioExecution } | undefined
  return ({ id }: PlannedScenario<S>): ScenarioExecution => {
    const { length } = recording.journal
    if (whole?.of !== length) {
      const journal = recording.journal.map((exchange) => identified(exchange, opening.target.identifiers))
      const runs = [...results.values()].flatMap(({ scenarioRun }) => scenarioRun ?? [])
      const execution = wholeRun(id, journal, runs)
      whole = { of: length, execution: { ...execution, exchanges: inDialect(execution.exchanges, dialect) } }
    }
    return { ...whole.execution, scenario: id }
  }
}

function attempts<S extends AnyScenario>(
  driver: RunDriver<S>,
  { signal, onProgress }: LoopOptions,
  results: ReadonlyMap<string, ScenarioResult>,
) {
  const { scenarios } = driver.planned
  const { recording } = driver
  const { redactor } = recording
  const levels = clauseSetOf(driver.opening.contract)
  const counted = (finding: Finding): Finding => atLevel(finding, levels)
  const ruled = wholeOf(driver, results)

  async function attempt(one: PlannedScenario<S>): Promise<ScenarioExecution | ScenarioResult> {
    if (signal?.aborted) return notTested(one, one.outlook ?? interrupted)
    if (one.scenario.rule) return one.outlook ? notTested(one, one.outlook) : ruled(one)
    const execution = await driver.execute(one)
    // After that it is refused every request, as if a cap was reached.
    if (signal?.aborted && 'is' in execution) return notTested(one, one.outlook ?? interrupted)
    if ('is' in execution) return notTested(one, redactor.value(execution))
    if (signal?.aborted) return cutOff(one, execution, interrupted)
    const late = driver.late?.() ?? null
    return late === null ? execution : cutOff(one, execution, notExercised('budget-exhausted', late).ending)
  }

  /**
   * A scenario that was cut short has no verdict, but the states that it could not leave are recorded; as interrupted,
   * whatever cut it, so that nobody judges what it sent.
   */
  function cutOff(
    one: PlannedScenario,
    { states, stuck }: ScenarioExecution,
    ending: Ending,
  ): ScenarioResult {
    const { findings } = notTested(one, ending)
    if (stuck.length === 0) return { findings, scenarioRun: null }
    const cut = notExercised('interrupted', ending.because).ending
    const left = redactor.value({ states, stuck })
    return { findings, scenarioRun: { scenario: one.id, notes: {}, ending: cut, crash: null, ...left } }
  }

  function start(one: PlannedScenario<S>): Promise<ScenarioExecution | ScenarioResult> {
    const at = scenarios.findIndex(({ id }) => id === one.id) + 1
    const { title } = one.scenario
    onProgress?.({ is: 'scenario', scenario: one.id, title, at, of: scenarios.length })
    return attempt(one)
  }

  function judge(one: PlannedScenario<S>, attempted: ScenarioExecution | ScenarioResult): ScenarioResult {
    if ('findings' in attempted) return attempted
    const execution = one.scenario.rule
      ? attempted
      : recording.execution(driver.collect?.(attempted) ?? attempted)
    const findings = judgeScenario(one.id, one.scenario, execution, driver.dialect).map(counted)
    const { exchanges: _, raced: __, ...scenarioRun } = execution
    return { findings: selectedOf(one, findings), scenarioRun }
  }

  return { attempt, start, judge }
}

export async function completeRun(run: RunLoop, all: () => Promise<unknown>): Promise<Run> {
  try {
    await run.begin()
    await all()
  } catch (thrown) {
    await run.end()
    throw thrown
  }
  return run.end()
}

/** What a later scenario showed of the replies counts for earlier ones, too. */
function runOf<S extends AnyScenario>(
  driver: RunDriver<S>,
  results: readonly ScenarioResult[],
  endedAt: string,
): Run {
  const { opening, planned, scenarios, policy, recording, dialect } = driver
  const { redactor } = recording
  const journal = recording.journal.toSorted((a, b) => a.id - b.id)
  const findings = watchReplies(journal, opening).without(results.flatMap((result) => result.findings))
  const scenarioRuns = results.flatMap(({ scenarioRun }) => (scenarioRun ? [scenarioRun] : []))
  const record = runRecord({
    opening,
    planned,
    findings,
    scenarioRuns,
    scenarios,
    policy,
    endedAt,
    used: driver.used(),
    warning: redactor.value(driver.warning(findings)),
    uncovered: uncoveredFor(opening, scenarios),
  })
  const run = { record: { ...record, redaction: redactor.redaction() }, journal }
  const { identifiers } = opening.target
  return savable(run, redactor.value(plainBasis({ dialect, policy, identifiers })), redactor)
}

function notTested(one: PlannedScenario, ending: Ending): ScenarioResult {
  return { findings: selectedOf(one, notRun(one.id, one.scenario, ending)), scenarioRun: null }
}

function selectedOf({ subjects }: PlannedScenario, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ subject }) => subjects.includes(subject))
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
  version?: string
  origin?: RunOrigin
  /** Makes keys and texts unique. Default: random. */
  runId?: string
  /** Knows the secrets of what is tested. Default: those that are declared of it. */
  redactor?: Redactor
}
