/** What is announced before a run: how much of the plan can run, and the most that it takes. */
import type { Budgets, Opening } from '../../reports/bundle/record.ts'
import { pacedCeiling } from '../../suites/runner/plan/ceiling.ts'
import type { PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import { keyWords } from './ceiling.ts'
import { isPaced, isRunnable, spanWords } from '../check/course.ts'

export function planWords(
  { planned: { plan, scenarios }, opening: { budgets, target } }: Progress & { is: 'planned' },
  keys: number,
): string {
  const runnable = scenarios.filter(isRunnable)
  const size = `${partOf(checksIn(runnable), checksIn(scenarios))} checks in ${partOf(runnable.length, scenarios.length)} scenarios`
  const { requests } = plan.ceiling
  const most =
    requests > budgets.requests ? `${budgets.requests} requests${limitOfRun}` : `${requests} requests`
  const time = isPaced(target) ? timeWords(pacedCeiling(scenarios), budgets, keys) : ''
  return [
    `To run: ${size}, at most ${most}${time}`,
    ...(runnable.length < scenarios.length ? [othersNeed[target.kind] ?? othersNeed.service] : []),
  ].join('. ')
}

/** What would let the scenarios run that cannot, by kind of target. Only those of a service are listed by `plan`. */
const othersNeed: { service: string } & { readonly [K in Opening['target']['kind']]?: string } = {
  service: 'The others need what the target does not provide (touchstone plan lists them)',
  receiver: 'The others need --effects',
  client: 'The others need what --can does not name',
}

const limitOfRun = ' (the limit of the run)'

/** The time that the rate of the keys takes, or the limit of the run where that is shorter; empty below two minutes. */
function timeWords(
  paced: number,
  { requests, requestsPerMinute, wallSeconds }: Budgets,
  keys: number,
): string {
  const minutes = Math.ceil(Math.min(paced, requests) / (requestsPerMinute * keys))
  if (minutes * 60 > wallSeconds) return `, at most ${spanWords(wallSeconds)}${limitOfRun}`
  const rate = `at ${requestsPerMinute} requests a minute ${keyWords(keys)}`
  return minutes > 1 ? `, at most about ${minutes} min ${rate}` : ''
}

const checksIn = (scenarios: readonly PlannedScenario[]): number =>
  scenarios.reduce((number, { subjects }) => number + subjects.length, 0)
const partOf = (part: number, all: number): string => (part === all ? `${all}` : `${part} of ${all}`)
