/** A plan as text: the totals, then the areas, what will not be tested and why, and with `verbose` each scenario. */
import { areaOf, type ClauseId } from '../../spec/index.ts'
import { wrap } from '../../reports/document/text.ts'
import type { Planned, PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { LeftOut } from '../../reports/bundle/record.ts'
import type { Target } from '../../suites/config/target.ts'
import { keyWords, type RunCeiling } from './ceiling.ts'
import { providerOf, stateProvidersOf, type PlannedProvider } from './providers.ts'

interface PlanTextOptions {
  /** Columns. */
  width: number
  verbose: boolean
}

export function lines(
  planned: Planned,
  checks: readonly PlannedProvider[],
  ceiling: RunCeiling,
  target: Target,
  { width, verbose }: PlanTextOptions,
): string {
  const text = [
    ...totalLines(planned, checks, ceiling, target),
    '',
    ...areaLines(planned.scenarios),
    ...leftLines(checks, verbose),
    ...leftOutLines(planned.plan.leftOut),
    ...(verbose
      ? planned.scenarios.flatMap((scenario) => scenarioLines(scenario, target))
      : ['Each scenario, and what to declare for the others: --verbose']),
    `digest ${planned.plan.digest}`,
    ...(planned.plan.shard ? [`digest of the whole plan ${planned.plan.shard.plan}`] : []),
  ]
  return `${text.flatMap((line) => indented(line, width)).join('\n')}\n`
}

function totalLines(
  { plan, scenarios }: Planned,
  checks: readonly PlannedProvider[],
  ceiling: RunCeiling,
  target: Target,
): readonly string[] {
  const { requests, turns } = plan.ceiling
  const runnable = scenarios.filter(({ outlook }) => outlook === null)
  const tested = checks.filter(({ notExercised }) => notExercised === null)
  return [
    ...(plan.shard ? [`shard ${plan.shard.number} of ${plan.shard.of}`] : []),
    `${runnable.length} of ${scenarios.length} scenarios can run, with ${tested.length} of ${plan.checks.length} checks`,
    `at most ${requests} requests and ${turns} turns${creditWords(ceiling)}`,
    durationWords(ceiling, target),
    ...ceiling.cutBy.map((limit) => `the limit of ${limit} is below the maximum: the run may end early`),
    ...(target.readOnly ? ['read-only: no write, no webhook and no destructive request is sent'] : []),
  ]
}

function areaLines(scenarios: readonly PlannedScenario[]): readonly string[] {
  const runnable = scenarios.filter(({ outlook }) => outlook === null)
  const areas = Map.groupBy(runnable, areaIn)
  const counted = [...areas].map(([area, list]) => {
    const checks = list.reduce((sum, { subjects }) => sum + subjects.length, 0)
    const requests = list.reduce((sum, { scenario }) => sum + scenario.cost.requests, 0)
    return `  ${area}: ${list.length} ${list.length === 1 ? 'scenario' : 'scenarios'}, ${checks} checks, ${requests} requests`
  })
  return counted.length === 0 ? [] : ['to run:', ...counted, '']
}

const areaIn = ({ id, subjects }: PlannedScenario): string =>
  subjects.map((subject) => areaOf[subject as ClauseId]).find((area) => area !== undefined) ??
  id.replace(/\/.*/, '')

function scenarioLines(planned: PlannedScenario, target: Target): readonly string[] {
  const { id, scenario, subjects, outlook } = planned
  const { requests, turns } = scenario.cost
  const states = Object.entries(stateProvidersOf(planned, target)).map(([state, by]) => `${state} by ${by}`)
  const how = states.length === 0 ? providerOf(planned, target) : states.join(', ')
  return [
    `${outlook ? '–' : ' '} ${id}: ${scenario.title}`,
    `    ${how}; ${requests} requests, ${turns} turns: ${subjects.join(' ')}`,
    // What to declare for it is printed once, with the reasons.
    ...(outlook ? [`    ${firstLine(outlook.because)}`] : []),
  ]
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.replace(/(?:; declare one)?:$/, '') ?? ''

/** The reasons by the number of checks, so that the first names what to provide next. */
function leftLines(checks: readonly PlannedProvider[], verbose: boolean): readonly string[] {
  const left = checks.filter(({ notExercised }) => notExercised !== null)
  if (left.length === 0) return []
  const reasons = [...Map.groupBy(left, ({ notExercised }) => notExercised?.because ?? '')]
  return [
    `not tested: ${left.length} checks`,
    ...reasons
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(
        ([because, { length }]) =>
          `  ${length}: ${verbose ? because.replaceAll('\n', '\n      ') : firstLine(because)}`,
      ),
    '',
  ]
}

const leftOutBy = {
  selection: 'not selected: conformance is partial at most',
  profile: 'in a larger profile',
  'not-declared':
    'further checks of clauses that other checks judge; the target declares too little for them',
  shard: 'in the other shards',
} as const satisfies Record<LeftOut['by'], string>

function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return []
  return ['left out:', ...leftOut.map(({ by, checks }) => `  ${checks.length}: ${leftOutBy[by]}`), '']
}

function creditWords({ turns, credits }: RunCeiling): string {
  return turns === 0
    ? ', no credits'
    : `, and ${credits} credits, the limit of the run (the cost of a turn is unknown)`
}

function durationWords(
  { pacedRequests, minutes, keys, waitingMinutes }: RunCeiling,
  { budgets, timing }: Target,
): string {
  const { requestsPerMinute: rate } = budgets
  if (timing.clock === 'control')
    return `at most ${minutes} minutes, the limit of the run; the clock of the target is advanced, so nothing waits for the rate limit`
  const needed = Math.min(minutes, Math.max(1, Math.ceil(pacedRequests / (rate * keys))))
  return `at most about ${needed} ${needed === 1 ? 'minute' : 'minutes'} at ${rate} requests a minute ${keyWords(keys)}, up to ${waitingMinutes} of them waiting for that rate (limit: ${minutes})`
}

/** Each line within the width; what continues it is indented further. */
function indented(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const indent = /^[ –]*/.exec(line)?.[0].length ?? 0
    const [first = '', ...rest] = wrap(line.slice(indent), Math.max(30, width - indent - 2))
    return [line.slice(0, indent) + first, ...rest.map((more) => ' '.repeat(indent + 2) + more)]
  })
}
