/** A plan in words: scenario by scenario, then what is left out and why, then what it can take. */
import type { Planned, PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { LeftOut } from '../../suites/record.ts'
import type { Target } from '../../suites/config/target.ts'
import type { Ceiling } from './ceiling.ts'
import { providerOf, statesOf, type PlannedProvider } from './providers.ts'

export function lines(
  planned: Planned,
  checks: readonly PlannedProvider[],
  ceiling: Ceiling,
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
    `at most ${ceiling.minutes} minutes, the cap of the run; ${waitWords(ceiling, target)}`,
    ...ceiling.cutBy.map((cap) => `the cap on ${cap} is less than all of it may take: the run may end early`),
    `digest ${plan.digest}`,
    '',
  ].join('\n')
}

function scenarioLine(planned: PlannedScenario, target: Target): string {
  const { id, scenario, subjects, outlook } = planned
  const { requests, turns } = scenario.cost
  const states = Object.entries(statesOf(planned, target)).map(([state, by]) => `${state} by ${by}`)
  const how = states.length === 0 ? providerOf(planned, target) : states.join(', ')
  const why = outlook ? `\n    ${outlook.because}` : ''
  return `${outlook ? '–' : ' '} ${id}: ${scenario.title}\n    ${how}; ${requests} requests, ${turns} turns: ${subjects.join(' ')}${why}`
}

/** What keeps most checks from being exercised comes first: that is what to provide next. */
function leftLines(checks: readonly PlannedProvider[]): readonly string[] {
  const left = checks.filter(({ notExercised }) => notExercised !== null)
  if (left.length === 0) return []
  const reasons = [...Map.groupBy(left, ({ notExercised }) => notExercised?.because ?? '')]
  return [
    `not exercised here (marked –): ${left.length} checks`,
    ...reasons
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([because, { length }]) => `  ${length}: ${because}`),
    '',
  ]
}

const leftOutBy = {
  selection: 'not asked for: conformance is partial at most',
  profile: 'of a larger profile',
  'not-declared': 'further checks of what others judge, for which the target declares too little',
} as const satisfies Record<LeftOut['by'], string>

function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return []
  return [
    'left out of the catalogue:',
    ...leftOut.map(({ by, checks }) => `  ${checks.length}: ${leftOutBy[by]}`),
    '',
  ]
}

function creditWords({ turns, credits }: Ceiling): string {
  return turns === 0
    ? ' and no credits'
    : `, and ${credits} credits, the cap of the run (what a turn costs is not known before)`
}

function waitWords({ waitingMinutes }: Ceiling, { budgets, timing }: Target): string {
  if (timing.clock === 'control') return 'the clock of the target is advanced, so nothing waits for the rate'
  return `of these ${waitingMinutes} of waiting if one key sends everything at ${budgets.requestsPerMinute} requests a minute`
}
