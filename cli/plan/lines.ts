/** A plan as text: the scenarios, the checks that are left out and why, and the maximum cost. */
import type { Planned, PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { LeftOut } from '../../reports/bundle/record.ts'
import type { Target } from '../../suites/config/target.ts'
import type { RunCeiling } from './ceiling.ts'
import { providerOf, stateProvidersOf, type PlannedProvider } from './providers.ts'

export function lines(
  planned: Planned,
  checks: readonly PlannedProvider[],
  ceiling: RunCeiling,
  target: Target,
): string {
  const { plan, scenarios } = planned
  const { requests, turns } = plan.ceiling
  const total = `${scenarios.length} scenarios with ${plan.checks.length} checks; at most ${requests} requests and ${turns} turns`
  return [
    ...scenarios.map((scenario) => scenarioLine(scenario, target)),
    '',
    ...leftLines(checks),
    ...leftOutLines(plan.leftOut),
    ...(target.readOnly ? ['read-only: no write, no webhook and no destructive request is sent'] : []),
    `${total}${creditWords(ceiling)}`,
    `at most ${ceiling.minutes} minutes, the limit of the run; ${waitWords(ceiling, target)}`,
    ...ceiling.cutBy.map((limit) => `the limit of ${limit} is below the maximum: the run may end early`),
    `digest ${plan.digest}`,
    '',
  ].join('\n')
}

function scenarioLine(planned: PlannedScenario, target: Target): string {
  const { id, scenario, subjects, outlook } = planned
  const { requests, turns } = scenario.cost
  const states = Object.entries(stateProvidersOf(planned, target)).map(([state, by]) => `${state} by ${by}`)
  const how = states.length === 0 ? providerOf(planned, target) : states.join(', ')
  const why = outlook ? `\n    ${outlook.because}` : ''
  return `${outlook ? '–' : ' '} ${id}: ${scenario.title}\n    ${how}; ${requests} requests, ${turns} turns: ${subjects.join(' ')}${why}`
}

/** The reasons by the number of checks, so that the first names what to provide next. */
function leftLines(checks: readonly PlannedProvider[]): readonly string[] {
  const left = checks.filter(({ notExercised }) => notExercised !== null)
  if (left.length === 0) return []
  const reasons = [...Map.groupBy(left, ({ notExercised }) => notExercised?.because ?? '')]
  return [
    `not tested (marked –): ${left.length} checks`,
    ...reasons
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([because, { length }]) => `  ${length}: ${because}`),
    '',
  ]
}

const leftOutBy = {
  selection: 'not selected: conformance is partial at most',
  profile: 'in a larger profile',
  'not-declared':
    'further checks of clauses that other checks judge; the target declares too little for them',
} as const satisfies Record<LeftOut['by'], string>

function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return []
  return ['left out:', ...leftOut.map(({ by, checks }) => `  ${checks.length}: ${leftOutBy[by]}`), '']
}

function creditWords({ turns, credits }: RunCeiling): string {
  return turns === 0
    ? ' and no credits'
    : `, and ${credits} credits, the limit of the run (the cost of a turn is unknown)`
}

function waitWords({ waitingMinutes }: RunCeiling, { budgets, timing }: Target): string {
  if (timing.clock === 'control')
    return 'the clock of the target is advanced, so nothing waits for the rate limit'
  return `${waitingMinutes} of them waiting, if one key sends everything at ${budgets.requestsPerMinute} requests a minute`
}
