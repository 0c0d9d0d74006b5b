/** One run of planned scenarios: every planned check ends with a verdict, whatever is under test and whatever happens. */
import { pMapIterable } from 'p-map'
import { isFlaky } from '../../bundle/record.ts'
import type { Finding, Opening, Run, RunRecord, ScenarioRun, RunOrigin } from '../../bundle/record.ts'
import { plainBasis } from '../../bundle/judging.ts'
import type { Redactor } from '../../bundle/redaction/redaction.ts'
import { savable } from '../../bundle/write-run.ts'
import type { Dialect } from '../config/dialect.ts'
import { atLevel, clauseSetOf, isProvisional } from '../policy/clause-set-file.ts'
import { isPromised } from '../policy/expected.ts'
import type { Policy } from '../policy/policy.ts'
import { uncoveredFor } from '../scenarios.ts'
import { notExercised, type Ending } from '../scenario/ending.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { Clock } from '../wire/clock.ts'
import { createTurns } from '../wire/turns.ts'
import { identified, inDialect, type Exchange } from '../wire/exchange.ts'
import { judgeScenario, notRun } from './outcome/judge.ts'
import { runRecord } from './outcome/run-record.ts'
import { watchReplies } from './outcome/same-reply.ts'
import { asOne, attemptsByScenario, inLooks, isConfirmed, wasCutOff } from './outcome/attempts.ts'
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

interface ScenarioResult {
  findings: readonly Finding[]
  scenarioRun: ScenarioRun | null
}

const interrupted: Ending = notExercised('interrupted', 'the run ended before it was run').ending
const failedFast: Ending = notExercised(
  'interrupted',
  'the run ended at its first failure (--fail-fast)',
).ending

export function openRun<S extends AnyScenario>(driver: RunDriver<S>, options: LoopOptions): RunLoop<S> {
  const { planned } = driver
  const { journal } = driver.recording
  const opening = published(driver)
  const { signal, onProgress, retries = 0, failFast = false } = options
  const replies = watchReplies(journal, opening)
  const abort = (): void => driver.abort?.()
  signal?.addEventListener('abort', abort, { once: true })
  onProgress?.({ is: 'planned', planned, opening })

  let over: Ending | null = null
  const attempts = attemptsOf(driver, options, () => over)
  const { start, found, rest } = attempts

  function settle(one: PlannedScenario<S>): void {
    const findings = replies.without(found(one))
    for (const finding of findings) onProgress?.({ is: 'finding', finding })
    if (failFast && findings.some((finding) => isNew(finding, driver) && !isFlaky(finding)))
      over ??= failedFast
  }

  const runOnce = oncePerScenario(
    repeating(driver, attempts, retries, settle, () => over !== null || signal?.aborted === true),
  )

  return {
    planned,
    begin: () => driver.begin(),
    async run(one) {
      await runOnce(one)
      const next = driver.review?.(rest())
      if (next) {
        await runOnce(next)
        driver.review?.([])
      }
      return replies.without(found(one))
    },
    async runInOrder(atOnce) {
      const limits = { concurrency: atOnce, backpressure: Infinity }
      const started = pMapIterable(planned.scenarios, async (one) => [one, await start(one)] as const, limits)
      for await (const [one, attempted] of started) {
        attempts.add(one, attempted)
        settle(one)
      }
    },
    exchange: (id) => journal.find((exchange) => exchange.id === id),
    async end() {
      signal?.removeEventListener('abort', abort)
      await driver.close()
      for (const one of rest()) attempts.add(one, notTested(one, over ?? interrupted))
      const findings = planned.scenarios.flatMap(found)
      return runOf({ ...driver, opening }, findings, attempts.runs(), options.clock.wall())
    },
  }
}

/** Runs a scenario, and again where its requests did not meet or where it fails: each attempt after the first alone. */
function repeating<S extends AnyScenario>(
  driver: RunDriver<S>,
  attempts: ReturnType<typeof attemptsOf<S>>,
  retries: number,
  settle: (one: PlannedScenario<S>) => void,
  isOver: () => boolean,
) {
  const { start, add, again, found, rest, unsure } = attempts
  const turns = createTurns()
  const affords = (one: PlannedScenario<S>, within: 'plan' | 'limits'): boolean =>
    driver.affords?.(one, rest(one), within) === true
  return async (one: PlannedScenario<S>): Promise<void> => {
    const first = await turns.beside(() => start(one))
    add(one, first)
    const isUnmet = !('findings' in first) && wasUnmet(found(one), first)
    if (isUnmet && affords(one, 'plan')) await turns.alone(() => again(one))
    for (let left = retries; left > 0 && !isOver(); left--)
      for (const other of unsure(one).filter((some) => affords(some, 'limits'))) {
        await turns.alone(() => again(other))
        if (other !== one) settle(other)
      }
    settle(one)
  }
}

/** Whether requests that should overlap did not, so that a MUST clause is inconclusive, and nothing worse was found. */
function wasUnmet(found: readonly Finding[], { raced, crash, stuck }: ScenarioExecution): boolean {
  const unmet = found.some(({ verdict, level }) => verdict === 'inconclusive' && level === 'must')
  const decided = found.some(({ verdict }) => ['fail', 'error', 'not-exercised'].includes(verdict))
  return raced === true && unmet && !decided && crash === null && stuck.length === 0
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
  runs: () => readonly ScenarioRun[],
) {
  const whole = { of: 0, looks: new Map<number, ScenarioExecution>() }
  return ({ id }: PlannedScenario<S>, look = 1): ScenarioExecution => {
    const { length } = recording.journal
    if (whole.of !== length) Object.assign(whole, { of: length, looks: new Map() })
    let read = whole.looks.get(look)
    if (read === undefined) {
      const journal = recording.journal.map((exchange) => identified(exchange, opening.target.identifiers))
      const execution = wholeRun(id, journal, attemptsByScenario(runs()), look)
      read = { ...execution, exchanges: inDialect(execution.exchanges, dialect) }
      whole.looks.set(look, read)
    }
    return { ...read, scenario: id }
  }
}

/** In the order of the plan, and of a scenario in the order of its attempts. */
function runsOf(
  { scenarios }: Planned,
  results: ReadonlyMap<string, readonly ScenarioResult[]>,
): readonly ScenarioRun[] {
  return scenarios.flatMap(({ id }) =>
    (results.get(id) ?? []).flatMap(({ scenarioRun }) => scenarioRun ?? []),
  )
}

/** What the attempts at each scenario left, and what they found together. */
function attemptsOf<S extends AnyScenario>(
  driver: RunDriver<S>,
  { onProgress, ...options }: LoopOptions,
  over: () => Ending | null,
) {
  const { planned, recording } = driver
  const results = new Map<string, readonly ScenarioResult[]>()
  const runs = (): readonly ScenarioRun[] => runsOf(planned, results)
  const ruled = wholeOf(driver, runs)
  const attempt = oneAttempt(driver, options, over, ruled)

  const shown = (scenarioRun: ScenarioRun): void =>
    onProgress?.({ is: 'scenario-run', scenarioRun, used: driver.used() })

  function found(one: PlannedScenario<S>): readonly Finding[] {
    const own = results.get(one.id) ?? []
    const made = own.map(({ findings }) => findings)
    if (!one.scenario.rule || !own[0]?.scenarioRun) return asOne(made)
    const look = (at: number): readonly Finding[] => judged(one, ruled(one, at), driver)
    return inLooks(made[0] ?? [], attemptsByScenario(runs()), recording.journal, look)
  }

  function start(one: PlannedScenario<S>): Promise<ScenarioExecution | ScenarioResult> {
    const at = planned.scenarios.findIndex(({ id }) => id === one.id) + 1
    const { title } = one.scenario
    onProgress?.({ is: 'scenario', scenario: one.id, title, at, of: planned.scenarios.length })
    return attempt(one)
  }

  function add(
    one: PlannedScenario<S>,
    attempted: ScenarioExecution | ScenarioResult,
    further?: ScenarioRun,
  ): void {
    const { findings: judgedSo, scenarioRun: made } = resultOf(one, attempted, driver)
    const scenarioRun = further ? { ...(made ?? further), since: further.since } : made
    // A further attempt that was cut off says nothing, live as from the journal.
    const findings = further && scenarioRun && wasCutOff(scenarioRun) ? [] : judgedSo
    results.set(one.id, [...(results.get(one.id) ?? []), { findings, scenarioRun }])
    if (scenarioRun) shown(scenarioRun)
  }

  return {
    start,
    add,
    runs,
    /** One more. It begins with a line of its own: what it sends is no part of the attempt before, however it ends. */
    again: async (one: PlannedScenario<S>): Promise<void> => {
      const since = 1 + recording.journal.reduce((most, { id }) => Math.max(most, id), 0)
      // The attempt before sent nothing, and neither would this one.
      if (results.get(one.id)?.at(-1)?.scenarioRun?.since === since) return
      const nothing = { notes: {}, ending: interrupted, crash: null, states: [], stuck: [] }
      const begun = { scenario: one.id, since, ...nothing }
      shown(begun)
      add(one, await start(one), begun)
    },
    rest: (but?: PlannedScenario<S>): readonly PlannedScenario<S>[] =>
      planned.scenarios.filter((one) => one !== but && !results.has(one.id)),
    found,
    /** The scenarios that may show whether what failed fails again: itself, or of a rule those that it cites. */
    unsure: (one: PlannedScenario<S>): readonly PlannedScenario<S>[] => {
      const failures = found(one).filter((finding) => isNew(finding, driver) && !isConfirmed(finding))
      const citing = ({ scenario, evidence: [id] }: Finding): string | undefined =>
        one.scenario.rule ? recording.journal.find((sent) => sent.id === id)?.scenario : scenario
      const cited = new Set(failures.map(citing))
      return planned.scenarios.filter(({ id }) => cited.has(id))
    },
  }
}

function resultOf<S extends AnyScenario>(
  one: PlannedScenario<S>,
  attempted: ScenarioExecution | ScenarioResult,
  driver: RunDriver<S>,
): ScenarioResult {
  if ('findings' in attempted) return attempted
  const { recording, collect } = driver
  const execution = one.scenario.rule ? attempted : recording.execution(collect?.(attempted) ?? attempted)
  const { exchanges: _, raced: __, ...scenarioRun } = execution
  return { findings: judged(one, execution, driver), scenarioRun }
}

/** It fails, and neither is this accepted nor its clause provisional. */
function isNew(finding: Finding, { policy, opening }: Pick<RunDriver<never>, 'policy' | 'opening'>): boolean {
  const counts = !isProvisional(finding.subject, clauseSetOf(opening.contract))
  return finding.verdict === 'fail' && !isPromised(finding, policy) && counts
}

function judged<S extends AnyScenario>(
  one: PlannedScenario<S>,
  execution: ScenarioExecution,
  { opening, dialect }: RunDriver<S>,
): readonly Finding[] {
  const levels = clauseSetOf(opening.contract)
  const findings = judgeScenario(one.id, one.scenario, execution, dialect)
  return selectedOf(one, findings).map((finding) => atLevel(finding, levels))
}

/** Runs a scenario, to its end or not. */
function oneAttempt<S extends AnyScenario>(
  driver: RunDriver<S>,
  { signal }: Pick<LoopOptions, 'signal'>,
  over: () => Ending | null,
  ruled: (rule: PlannedScenario<S>) => ScenarioExecution,
) {
  const { redactor } = driver.recording

  async function attempt(one: PlannedScenario<S>): Promise<ScenarioExecution | ScenarioResult> {
    const ended = signal?.aborted ? interrupted : over()
    if (ended) return notTested(one, one.outlook ?? ended)
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

  return attempt
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
  found: readonly Finding[],
  scenarioRuns: readonly ScenarioRun[],
  endedAt: string,
): Run {
  const { opening, planned, scenarios, policy, recording, dialect } = driver
  const { redactor } = recording
  const journal = recording.journal.toSorted((a, b) => a.id - b.id)
  const findings = watchReplies(journal, opening).without(found)
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
