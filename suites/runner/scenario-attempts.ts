/** The attempts at each scenario of a run: running one, judging it, and what all of them found together. */
import type { Finding, ScenarioRun } from '../../bundle/record.ts'
import { atLevel, clauseSetOf, isProvisional } from '../policy/clause-set-file.ts'
import { isPromised } from '../policy/expected.ts'
import { notExercised, type Ending, type ScenarioExecution } from '../scenario/ending.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import { identified, inDialect } from '../wire/exchange.ts'
import { asOne, attemptsByScenario, inLooks, isConfirmed, wasCutOff } from './outcome/attempts.ts'
import { judgeScenario, notRun } from './outcome/judge.ts'
import { wholeRun } from './outcome/rejudge.ts'
import type { Planned, PlannedScenario } from './plan/plan.ts'
import type { LoopOptions, RunDriver } from './run-driver.ts'

interface ScenarioResult {
  findings: readonly Finding[]
  scenarioRun: ScenarioRun | null
}

export const interrupted: Ending = notExercised(
  'interrupted',
  'not reached before the run was stopped',
).ending
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
    // A copy: what a rule works out of all exchanges goes with it.
    return { ...read, scenario: id, exchanges: [...read.exchanges] }
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
export function attemptsOf<S extends AnyScenario>(
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
export function isNew(
  finding: Finding,
  { policy, opening }: Pick<RunDriver<never>, 'policy' | 'opening'>,
): boolean {
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
   * whatever cut it, so that what it sent is not judged.
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

export function notTested(one: PlannedScenario, ending: Ending): ScenarioResult {
  return { findings: selectedOf(one, notRun(one.id, one.scenario, ending)), scenarioRun: null }
}

function selectedOf({ subjects }: PlannedScenario, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ subject }) => subjects.includes(subject))
}
