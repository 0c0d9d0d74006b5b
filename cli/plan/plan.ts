/** `touchstone plan`: the plan of a run with its state providers and its maximum cost, without sending requests. */
import type { LeftOut, PlannedCheck } from '../../bundle/record.ts'
import { counted } from '../../reports/document/blocks.ts'
import { wrap } from '../../reports/visible.ts'
import { areaOf, eventState, type ClauseId, type StateId } from '../../spec/index.ts'
import type { Provide } from '../../suites/config/provided.ts'
import type { Target } from '../../suites/config/target.ts'
import { chooseEvent, choosingFor } from '../../suites/runner/plan/operation-choice.ts'
import { costOf, isRepeatable } from '../../suites/runner/plan/selection.ts'
import { inBaseUrl } from '../../suites/runner/plan/preflight.ts'
import { planRun, shardOf, type Planned, type PlannedScenario } from '../../suites/runner/plan/plan.ts'
import { barred, provisionOf, withWays } from '../../suites/runner/states/state-providers.ts'
import type { Permits } from '../../suites/runner/states/providers/provider.ts'
import { neededStates } from '../../suites/scenario/scenario.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import { isRunnable, keyWords, runCeiling, type RunCeiling } from '../check/course.ts'
import { openTarget, personAt } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { PlanOptions } from '../commands/options.ts'
import type { Io } from '../io.ts'

export async function plan(named: string | undefined, options: PlanOptions, io: Io): Promise<CommandAnswer> {
  const place = await openTarget(named, options, io)
  try {
    const permits = { allowExec: options.allowExec, ask: personAt(io) }
    const target = withWays(place.target, permits)
    const whole = planRun(serverScenarios, target, options.only, permits)
    const planned = options.shard === undefined ? whole : shardOf(whole, options.shard, target)
    const checks = plannedProviders(planned, target, permits)
    const ceiling = runCeiling(planned, target)
    return {
      json: { ...planned.plan, checks, ceiling, caps: target.budgets },
      text: planText(planned, checks, {
        ceiling,
        target,
        width: io.width,
        verbose: options.verbose ?? false,
      }),
    }
  } finally {
    await place.close()
  }
}

/** From the easiest to the hardest; of several states, the hardest counts. */
const providers = ['wire', 'fixture', 'control', 'http', 'exec', 'manual', 'attest', 'none'] as const

export interface PlannedProvider extends PlannedCheck {
  provider: Provide
  states: Readonly<Partial<Record<StateId, Provide>>>
  notExercised: { reason: string; because: string } | null
}

/** What is not permitted is reported for the scenario as a whole. */
const everything: Permits = { allowExec: true, ask: () => Promise.resolve(false) }

/** Those of these checks of a scenario: one that needs a state of its own does without the event of the others. */
function stateProvidersOf(
  { id, scenario, subjects }: PlannedScenario,
  target: Target,
  checks: readonly string[] = subjects,
): PlannedProvider['states'] {
  const { needs = {} } = scenario
  const own = checks.map((subject) => needs.stateOf?.[subject as ClauseId])
  const event =
    own.includes(undefined) && needs.event && chooseEvent(needs, target, choosingFor(id, target, everything))
  const states = [
    ...neededStates(scenario),
    ...(typeof event === 'string' ? [eventState(event)] : []),
    ...own.filter((state) => state !== undefined),
  ]
  return Object.fromEntries(states.map((state) => [state, provisionOf(state, target).provide]))
}

const hardestOf = (states: PlannedProvider['states']): Provide =>
  providers.findLast((provider) => Object.values(states).includes(provider)) ?? 'wire'

function plannedProviders(
  { plan: { checks }, scenarios }: Planned,
  target: Target,
  permits: Permits,
): readonly PlannedProvider[] {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  return checks.flatMap((check) => {
    const scenario = byId.get(check.scenario)
    if (!scenario) return []
    const states = stateProvidersOf(scenario, target, [check.subject])
    const own = scenario.scenario.needs?.stateOf?.[check.subject as ClauseId]
    const outlook = scenario.outlook ?? (own && barred(own, target, permits)?.ending) ?? null
    const reason = outlook?.is === 'not-exercised' ? outlook.reason : outlook?.is
    const notExercised = outlook && { reason: reason ?? outlook.is, because: outlook.because }
    return [{ ...check, provider: hardestOf(states), states, notExercised }]
  })
}

/** The totals, then the areas, what will not be tested and why, and with `verbose` each scenario. */
function planText(
  { plan: { shard, ceiling: most, checks: all, leftOut, digest }, scenarios }: Planned,
  checks: readonly PlannedProvider[],
  {
    ceiling,
    target,
    width,
    verbose,
  }: { ceiling: RunCeiling; target: Target; width: number; verbose: boolean },
): string {
  const runnable = scenarios.filter(isRunnable)
  const tested = checks.filter(({ notExercised }) => notExercised === null)
  const lines = [
    ...(shard ? [`shard ${shard.number} of ${shard.of}`] : []),
    `${runnable.length} of ${scenarios.length} scenarios can run, with ${tested.length} of ${all.length} checks`,
    ceiling.turns === 0
      ? `at most ${most.requests} requests and ${most.turns} turns, no credits`
      : `at most ${most.requests} requests and ${most.turns} turns, and ${ceiling.credits} credits, the limit of the run (the cost of a turn is unknown)`,
    `beside that, what fails is run once more (check --retries), within the limits of the run: ${againWords(runnable, target)}`,
    durationWords(ceiling, target),
    ...ceiling.cutBy.map((limit) => `the limit of ${limit} is below the maximum: the run may end early`),
    ...[inBaseUrl(target) ?? []].flat(),
    ...(target.readOnly ? ['read-only: no write, no webhook and no destructive request is sent'] : []),
    '',
    ...paragraph('to run:', areaLines(runnable)),
    ...leftLines(checks, verbose),
    ...paragraph(
      'left out:',
      leftOut.map((one) => `  ${one.checks.length}: ${leftOutBy[one.by]}${unjudgedWords(one, all)}`),
    ),
    ...(verbose
      ? scenarios.flatMap((scenario) => scenarioLines(scenario, target))
      : ['Each scenario, and what to declare for the others: --verbose']),
    `digest ${digest}`,
    ...(shard ? [`digest of the whole plan ${shard.plan}`] : []),
  ]
  return `${lines.flatMap((line) => indented(line, width)).join('\n')}\n`
}

function againWords(runnable: readonly PlannedScenario[], target: Target): string {
  const again = runnable.filter(({ scenario }) => isRepeatable(scenario, target))
  const { requests, turns } = costOf(again, target)
  return `at most ${requests} requests and ${turns} turns`
}

const paragraph = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [heading, ...lines, '']

const areaLines = (runnable: readonly PlannedScenario[]): readonly string[] =>
  [...Map.groupBy(runnable, areaIn)].map(([area, list]) => {
    const checks = list.reduce((sum, { subjects }) => sum + subjects.length, 0)
    const requests = list.reduce((sum, { scenario }) => sum + scenario.cost.requests, 0)
    return `  ${area}: ${counted(list.length, 'scenario')}, ${checks} checks, ${requests} requests`
  })

const areaIn = ({ id, subjects }: PlannedScenario): string =>
  subjects.map((subject) => areaOf[subject as ClauseId]).find((area) => area !== undefined) ??
  id.replace(/\/.*/, '')

function scenarioLines(planned: PlannedScenario, target: Target): readonly string[] {
  const { id, scenario, subjects, outlook } = planned
  const { requests, turns } = scenario.cost
  const states = stateProvidersOf(planned, target)
  const by = Object.entries(states).map(([state, provider]) => `${state} by ${provider}`)
  return [
    `${outlook ? '–' : ' '} ${id}: ${scenario.title}`,
    `    ${by.join(', ') || hardestOf(states)}; ${requests} requests, ${turns} turns: ${subjects.join(' ')}`,
    // What to declare for it is printed once, with the reasons.
    ...(outlook ? [`    ${firstLine(outlook.because)}`] : []),
  ]
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.replace(/(?:; declare one)?:$/, '') ?? ''

/** The reasons by the number of checks, so that the first names what to provide next. */
function leftLines(checks: readonly PlannedProvider[], verbose: boolean): readonly string[] {
  const left = checks.flatMap(({ notExercised }) => notExercised?.because ?? [])
  const reasons = [...Map.groupBy(left, (because) => because)].toSorted(([, a], [, b]) => b.length - a.length)
  return paragraph(
    `not tested: ${left.length} checks`,
    reasons.map(
      ([because, { length }]) =>
        `  ${length}: ${verbose ? because.replaceAll('\n', '\n      ') : firstLine(because)}`,
    ),
  )
}

const leftOutBy = {
  selection: 'not selected: conformance is partial at most',
  profile: 'in a larger profile',
  'not-declared': 'the target declares too little for them',
  shard: 'in the other shards',
} as const satisfies Record<LeftOut['by'], string>

/** What a target declares too little for may be one more look at a clause, or the only one. */
function unjudgedWords({ by, checks }: LeftOut, planned: Planned['plan']['checks']): string {
  const judged = new Set<string>(planned.map(({ subject }) => subject))
  const clauses = new Set(checks.map((check) => check.slice(check.lastIndexOf('/') + 1)))
  const unjudged = [...clauses].filter((one) => one in areaOf && !judged.has(one))
  if (by !== 'not-declared') return ''
  return unjudged.length === 0
    ? '; other checks judge the same clauses'
    : `; nothing else in this plan judges ${counted(unjudged.length, 'clause')} of theirs`
}

function durationWords(
  { pacedRequests, minutes, keys, waitingMinutes }: RunCeiling,
  { budgets: { requestsPerMinute: rate }, timing }: Target,
): string {
  if (timing.clock === 'control')
    return `at most ${minutes} minutes, the limit of the run; the clock of the target is advanced, so nothing waits for the rate limit`
  const needed = Math.min(minutes, Math.max(1, Math.ceil(pacedRequests / (rate * keys))))
  return `at most about ${counted(needed, 'minute')} at ${rate} requests a minute ${keyWords(keys)}, ${waitingMinutes || 'none'} of them waiting for that rate (limit: ${minutes})`
}

/** Each line within the width; what continues it is indented further. */
const indented = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const indent = /^[ –]*/.exec(line)?.[0].length ?? 0
    const [first = '', ...rest] = wrap(line.slice(indent), Math.max(30, width - indent - 2))
    return [line.slice(0, indent) + first, ...rest.map((more) => ' '.repeat(indent + 2) + more)]
  })
