/** What is announced before a run: how much of the plan can run, and the most that it takes. */
import type { Budgets, Opening } from '../../reports/bundle/record.ts'
import { pacedCeiling } from '../../suites/runner/plan/ceiling.ts'
import type { PlannedScenario, Planned } from '../../suites/runner/plan/plan.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import { isPaced, isRunnable, spanWords } from '../check/course.ts'
import type { Target } from '../../suites/config/target.ts'
import { keysOf } from '../../suites/runner/requests/key-ring.ts'
import { ordinary } from '../../suites/runner/states/settings.ts'

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

export const keyWords = (keys: number): string => (keys === 1 ? 'with one key' : `with each of ${keys} keys`)

export type RunCeiling = ReturnType<typeof runCeiling>

/** At least one, so that a target without principals has an estimate. */
export function ordinaryKeys(target: Target): number {
  const principal = ordinary(target)
  return principal ? keysOf(principal).length : 1
}

export function runCeiling({ plan: { ceiling }, scenarios }: Planned, target: Target) {
  const { budgets, timing } = target
  const { requests, turns } = ceiling
  const keys = ordinaryKeys(target)
  const paced = Math.min(pacedCeiling(scenarios), budgets.requests)
  const windows = Math.max(0, Math.ceil(paced / (budgets.requestsPerMinute * keys)) - 1)
  const waiting = timing.clock === 'control' ? 0 : windows
  const minutes = Math.ceil(budgets.wallSeconds / 60)
  const limits = {
    requests: requests > budgets.requests,
    turns: turns > budgets.turns,
    minutes: waiting > minutes,
  }
  return {
    requests: Math.min(requests, budgets.requests),
    turns: Math.min(turns, budgets.turns),
    /** The limit of the run, because the cost of a turn is unknown; 0 if no turn is planned. */
    credits: turns === 0 ? 0 : budgets.credits,
    /** The limit of the run, because the duration of a turn is unknown. */
    minutes,
    /** The part of the requests that the rate of a key holds back; those of a session are not. */
    pacedRequests: paced,
    /** Keys of the ordinary principal, which share the load. */
    keys,
    /** The part of these that waits for the rate limit, if the ordinary principal sends everything. */
    waitingMinutes: Math.min(waiting, minutes),
    /** Limits below the planned maximum, which may end the run early. */
    cutBy: Object.entries(limits).flatMap(([limit, cuts]) => (cuts ? [limit] : [])),
  }
}
