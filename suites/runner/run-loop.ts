/** One run of planned scenarios: every planned check ends with a verdict, whatever is under test and whatever happens. */
import { pMapIterable } from 'p-map'
import { isFlaky, plainBasis, type Finding, type Run, type ScenarioRun } from '../../bundle/record.ts'
import { savable } from '../../bundle/write-run.ts'
import { uncoveredFor } from '../scenarios.ts'
import { notExercised, type Ending, type ScenarioExecution } from '../scenario/ending.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'
import { runRecord } from './outcome/run-record.ts'
import { watchReplies } from './outcome/same-reply.ts'
import type { Planned, PlannedScenario } from './plan/plan.ts'
import type { LoopOptions, RunDriver } from './run-driver.ts'
import { attemptsOf, interrupted, isNew, notTested } from './scenario-attempts.ts'

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

/** Work at once; or one piece of it alone, for which the others first come to their end, and new ones wait. */
function createTurns() {
  const running = new Set<Promise<unknown>>()
  let lone: Promise<unknown> = Promise.resolve()
  return {
    async beside<T>(work: () => Promise<T>): Promise<T> {
      await lone
      const begun = work()
      running.add(begun)
      return begun.finally(() => running.delete(begun))
    },
    alone<T>(work: () => Promise<T>): Promise<T> {
      const done = lone.then(() => Promise.allSettled(running)).then(work)
      lone = done.catch(() => undefined)
      return done
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
