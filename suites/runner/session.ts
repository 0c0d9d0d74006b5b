/** A run that can be driven scenario by scenario: what was planned ends with a verdict, told or not. */
import type { Finding, Run, ScenarioRun } from '../../reports/bundle/record.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import type { Target } from '../config/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { notExercised, ScenarioEnded, type Ending } from '../scenario/ending.ts'
import { judgeScenario, notRun, type Subject } from './outcome/judge.ts'
import { before } from './plan/before.ts'
import { chooseEvent, choosingFor, laneOfEvent } from './plan/event-choice.ts'
import { laneOf, withKeys } from './requests/key-ring.ts'
import { createStateProviders } from './states/state-providers.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { startRunContext, type RunContext } from './run-context.ts'
import { planRun, type Planned, type PlannedScenario } from './plan/plan.ts'
import { runScenario } from './run-scenario.ts'
import type { ScenarioExecution } from '../scenario/execution.ts'
import type { Progress, SessionOptions } from './progress.ts'
import { openReception, type Reception } from './receiver/reception.ts'
import { openingOf } from './plan/opening.ts'
import { recordOf, type Outcome } from './outcome/run-record.ts'
import { beginningOf, slackOf, wasUnmet, type Slack } from './second-attempt.ts'
import { watchReplies } from './outcome/same-reply.ts'
import { settle } from './states/settings.ts'
import { createVendorWatch, vendorAdvice } from './outcome/vendor-seen.ts'

export interface Session {
  readonly planned: Planned
  /**
   * One request, and one turn where its answer speaks of a wrong key, agent or address. Throws TargetUnreachable when
   * nothing answers, and a ConfigurationError where the turn is answered alike.
   */
  begin(): Promise<void>
  /** Whether others may be told while it is: mostly it waits for deliveries on a clock that goes by itself. */
  sharesTime(scenario: PlannedScenario): boolean
  /**
   * Runs and judges one scenario; its findings are those that were asked for. Throws a ConfigurationError where the
   * target states no vendor, and everything seen of it agrees on another word than that of the contract.
   */
  tell(scenario: PlannedScenario): Promise<readonly Finding[]>
  /** What was sent and came back so far, by id. */
  exchange(id: number | undefined): Exchange | undefined
  /** What was not told is not exercised. */
  end(): Promise<Run>
}

interface Told {
  found: readonly Finding[]
  scenarioRun: ScenarioRun | null
}

/** Throws a ConfigurationError when `only` matches nothing. */
export function openSession(target: Target, options: SessionOptions): Session {
  const { signal, onProgress } = options
  const planned = planRun(options.scenarios, target, options.only, options)
  const runContext = startRunContext(target, options)
  const { governor, journal, recorder } = runContext
  const opening = openingOf({ target, options, runContext })
  onProgress?.({ is: 'planned', planned, opening })
  const told = new Map<string, Told>()
  let warning: string | null = null
  const slack = slackOf(planned, target, () => governor.used())
  const deps: Deps = { target, runContext, options, reception: null, lanes: createLanes(), slack }
  const close = (): void => void recorder.close()
  signal?.addEventListener('abort', close, { once: true })
  const vendor = createVendorWatch(target, journal)
  const replies = watchReplies(journal)

  async function tellOnce(scenario: PlannedScenario): Promise<readonly Finding[]> {
    onProgress?.(announced(scenario, planned))
    const result = await tellScenario(scenario, deps)
    deps.slack.ended(scenario)
    told.set(scenario.id, result)
    const found = replies.without(result.found)
    for (const finding of found) onProgress?.({ is: 'finding', finding })
    if (result.scenarioRun) onProgress?.({ is: 'told', scenario: result.scenarioRun, used: governor.used() })
    return found
  }

  /** Whether deliveries have the same word as replies is seen by a scenario that is planned anyway. */
  async function knowVendor(): Promise<void> {
    const seen = vendor.other()
    if (seen === null) return
    const delivering = planned.scenarios.find((scenario) => showsDelivery(scenario) && !told.has(scenario.id))
    if (!seen.delivered && delivering) await tellOnce(delivering)
    const still = vendor.other()
    if (still) throw new ConfigurationError(vendorAdvice(still))
  }

  return {
    planned,
    sharesTime: ({ scenario: { needs } }) =>
      target.timing.clock === 'real' && needs?.receiver === true && !needs.alone,
    async begin() {
      if (planned.scenarios.some(deliveredTo))
        deps.reception = await openReception(target.receiver, { ...runContext, access: target })
      warning = await before(planned, target, runContext)
      await recorder.warm(2)
    },
    async tell(scenario) {
      const before = told.get(scenario.id)
      if (before) return replies.without(before.found)
      const found = await tellOnce(scenario)
      await knowVendor()
      return found
    },
    exchange: (id) => journal.find((exchange) => exchange.id === id),
    async end() {
      signal?.removeEventListener('abort', close)
      await recorder.close()
      await deps.reception?.close()
      const results = planned.scenarios.map((one) => told.get(one.id) ?? left(one, interrupted))
      return finished(results, { target, options, runContext, opening, planned, warning })
    },
  }
}

/** What a later scenario showed of replies counts for those before it, too. */
function finished(results: readonly Told[], outcome: Omit<Outcome, 'found' | 'scenarioRuns'>): Run {
  const journal = outcome.runContext.journal.toSorted((a, b) => a.id - b.id)
  const found = watchReplies(journal).without(results.flatMap((result) => result.found))
  const scenarioRuns = results.flatMap(({ scenarioRun: scenario }) => (scenario ? [scenario] : []))
  return { record: recordOf({ ...outcome, found, scenarioRuns }), journal }
}

const interrupted: Ending = notExercised('interrupted', 'the run ended before it was run').ending

function announced({ id, scenario }: PlannedScenario, { scenarios: scenarioRuns }: Planned): Progress {
  const at = scenarioRuns.findIndex((scenario) => scenario.id === id) + 1
  return { is: 'scenario', scenario: id, title: scenario.title, at, of: scenarioRuns.length }
}

/** What every scenario of a session is told with. */
interface Deps {
  target: Target
  runContext: RunContext
  options: SessionOptions
  reception: Reception | null
  lanes: Lanes
  slack: Slack
}

/** One that makes the target deliver at once. */
const showsDelivery = (scenario: PlannedScenario): boolean => {
  const { needs } = scenario.scenario
  return deliveredTo(scenario) && needs?.states === undefined && needs?.event === undefined
}

const deliveredTo = ({ scenario, outlook }: PlannedScenario): boolean =>
  outlook === null && scenario.needs?.receiver === true

/** One after the other where they would get the deliveries of each other. */
async function tellScenario(planned: PlannedScenario, deps: Deps): Promise<Told> {
  const { scenario, outlook } = planned
  const { target, options, lanes, reception } = deps
  if (options.signal?.aborted) return left(planned, interrupted)
  if (outlook) return left(planned, outlook)
  const trouble = scenario.needs?.receiver ? await reception?.trouble() : null
  if (trouble) return left(planned, notExercised('receiver-unreachable', trouble).ending)
  const event =
    scenario.needs?.event && chooseEvent(scenario.needs, target, choosingFor(planned.id, target, options))
  return typeof event === 'string'
    ? lanes(laneOfEvent(event, target), () => tellNow(planned, deps))
    : tellNow(planned, deps)
}

async function tellNow(scenario: PlannedScenario, deps: Deps): Promise<Told> {
  // Its keys and texts are other ones each time.
  const requestDefaults = deps.runContext.requestDefaults(scenario.id)
  const first = await runOnce(scenario, deps, requestDefaults)
  if (!('exchanges' in first)) return first
  const told = judged(scenario, first, deps)
  if (!wasUnmet(told.found, first) || !deps.slack.has(scenario)) return told
  const second = await runOnce(scenario, deps, requestDefaults)
  if (!('exchanges' in second)) return second
  const again = judged(scenario, second, deps)
  return { ...again, scenarioRun: again.scenarioRun && { ...again.scenarioRun, ...beginningOf(second) } }
}

function judged(scenario: PlannedScenario, execution: ScenarioExecution, { target, options }: Deps): Told {
  if (options.signal?.aborted) return cutOff(scenario, execution)
  const found = asked(
    judgeScenario(scenario.id, scenario.scenario, execution, target.dialect),
    scenario.subjects,
  )
  const { exchanges: _, raced: __, ...record } = execution
  return { found, scenarioRun: record }
}

async function runOnce(
  planned: PlannedScenario,
  deps: Deps,
  requestDefaults: ReturnType<RunContext['requestDefaults']>,
): Promise<ScenarioExecution | Told> {
  const { id, scenario } = planned
  const { target, runContext, options, reception } = deps
  const { signal, allowExec, ask, onCreate, onGone } = options
  if (signal?.aborted) return left(planned, interrupted)
  const { control, clock, governor, ring } = runContext
  const spent = governor.spent()
  if (spent !== null) return left(planned, notExercised('budget-exhausted', spent).ending)
  const settled = settle(scenario, target, requestDefaults.source.text(), choosingFor(id, target, options))
  if (settled instanceof ScenarioEnded) return left(planned, settled.ending)
  const requests = keyed(scenario)
  const setting = withKeys(settled, ring, requests)
  const self = setting.cast['self']
  if (self && !self.sacrificial && requests > 0) await governor.ready(laneOf(self), requests)
  if (signal?.aborted) return left(planned, interrupted)
  const providers = createStateProviders(target, { control, clock, signal, allowExec, ask, onCreate, onGone })
  const { dialect } = target
  return runScenario(id, scenario, setting, {
    ...runContext,
    target,
    signal,
    reception,
    providers,
    requestDefaults,
    dialect,
    books: { onCreate, onGone },
  })
}

/**
 * The requests for which the rate of a key is waited for beforehand. A scenario with a session makes the others without
 * a key, and the few that it makes with one, to be refused, wait when they are sent.
 */
function keyed({ needs, cost }: PlannedScenario['scenario']): number {
  return needs?.session ? cost.turns : (cost.inOneGo ?? cost.requests)
}

/** Requests that an abort cut off say nothing about the target; what it may still be in is told all the same. */
function cutOff(scenario: PlannedScenario, { states, stuck }: ScenarioExecution): Told {
  const { found } = left(scenario, interrupted)
  if (stuck.length === 0) return { found, scenarioRun: null }
  return {
    found,
    scenarioRun: { scenario: scenario.id, notes: {}, ending: interrupted, crash: null, states, stuck },
  }
}

function left({ id, scenario, subjects }: PlannedScenario, ending: Ending): Told {
  return { found: asked(notRun(id, scenario, ending), subjects), scenarioRun: null }
}

function asked(found: readonly Finding[], subjects: readonly Subject[]): readonly Finding[] {
  return found.filter(({ subject }) => subjects.includes(subject))
}
