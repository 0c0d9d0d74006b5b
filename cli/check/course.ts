/** What a run may take at most, how far it is, and how long the rest of it takes. */
import type { Finding, Opening, Budgets } from '../../bundle/record.ts'
import { counted } from '../../reports/document/blocks.ts'
import type { PlannedScenario, Planned } from '../../suites/runner/plan/plan.ts'
import type { Progress } from '../../suites/runner/run-driver.ts'
import type { BudgetProgress } from '../../suites/wire/budget/governor.ts'
import { pacedCeiling } from '../../suites/runner/plan/selection.ts'
import type { Target } from '../../suites/config/target.ts'
import { keysOf } from '../../suites/runner/requests/key-ring.ts'
import { ordinary } from '../../suites/runner/states/settings.ts'

/** A moment of a run: milliseconds since it began, and the requests sent by then. */
interface Point {
  at: number
  sent: number
}

export interface RunCourse extends Point {
  /** The most requests of each scenario that has ended, and of each that has not. */
  ended: readonly number[]
  left: readonly number[]
  sentByEnded: number
  /** The most that the run may take: it ends there, whatever is left. */
  limits: Point
  /** When one key began to wait for its rate: the first time, and the last time; `ms`: for how long. */
  waits?: { first: Point; last: Point & { ms: number } }
}

/** Milliseconds that a run still takes; null as long as that cannot be estimated. */
export function timeLeft(course: RunCourse): number | null {
  const { at, sent, ended, left, sentByEnded, limits } = course
  const expectedEnded = sum(ended)
  const { rate, from } = paceOf(course)
  if (expectedEnded === 0 || sentByEnded === 0 || !(rate > 0)) return null
  const expected = (sum(left) * sentByEnded) / expectedEnded - (sent - sentByEnded)
  const rest = Math.max(0, Math.min(expected, limits.sent - sent))
  return Math.max(0, Math.min((sent + rest - from.sent) / rate - (at - from.at), limits.at - at))
}

/**
 * The requests that a scenario sends, from the most that it may: a large maximum is mostly for shrinking a
 * counterexample. The root fits the runs of all scenarios against a conforming server.
 */
const sum = (most: readonly number[]): number =>
  most.reduce((total, one) => total + Math.min(one, 2.5 * Math.sqrt(one)), 0)

/** In less, a key may send a whole minute's requests, or next to none. */
const leastMs = 60_000

/**
 * Requests per millisecond, and the moment from which that holds. A key sends a minute's requests in a burst, so a rate
 * is measured from one wait to one that is at least a minute later.
 */
function paceOf({ at, sent, waits }: RunCourse): { rate: number; from: Point } {
  const start = { at: 0, sent: 0 }
  if (waits === undefined) return { rate: sent / at, from: start }
  const { first, last } = waits
  if (last.sent > first.sent && last.at - first.at >= leastMs)
    return { rate: (last.sent - first.sent) / (last.at - first.at), from: last }
  return { rate: last.sent / (last.at + last.ms), from: start }
}

export type CourseState = ReturnType<typeof initialCourse>

export const initialCourse = (now: number, keys: number) => ({
  began: now,
  now,
  keys,
  /** Scenarios that have ended: those that run side by side begin in no order. */
  at: 0,
  of: 0,
  scenario: '',
  requests: 0,
  failed: 0,
  waiting: undefined as BudgetProgress['waiting'],
  /** The most requests that each scenario may send, until it has ended, and after that. */
  left: new Map<string, number>(),
  ended: [] as number[],
  sentByEnded: 0,
  limits: { at: Infinity, sent: Infinity },
  /** Milliseconds that the plan takes at most at the rate of its keys. */
  most: Infinity,
  /** Whether a wait takes real time. */
  paced: false,
  waits: undefined as undefined | (RunCourse['waits'] & { principal: string | null }),
})

export function advanceCourse(state: CourseState, progress: Progress, now: number): void {
  state.now = now
  if (progress.is === 'planned') {
    const { scenarios } = progress.planned
    const { budgets, target } = progress.opening
    state.of = scenarios.length
    state.left = new Map(scenarios.map((one) => [one.id, isRunnable(one) ? one.scenario.cost.requests : 0]))
    state.limits = { at: budgets.wallSeconds * 1_000, sent: budgets.requests }
    state.paced = isPaced(target)
    if (state.paced) state.most = pacedMinutes(pacedCeiling(scenarios), budgets, state.keys) * 60_000
  } else if (progress.is === 'scenario')
    Object.assign(state, { scenario: progress.scenario, waiting: undefined })
  else if (progress.is === 'finding') {
    const { finding } = progress
    const most = state.left.get(finding.scenario)
    state.left.delete(finding.scenario)
    if (isFailure(finding)) state.failed++
    if (most === undefined) return
    state.at++
    state.ended.push(most)
    state.sentByEnded = state.requests
  } else if (progress.is === 'spent') {
    const { used, waiting } = progress
    state.requests = used.requests
    state.waiting = waiting
    if (waiting && state.paced) addWait(state, waiting)
  }
}

type Wait = NonNullable<BudgetProgress['waiting']>

/** The waits of the key that waited first: one key suffices to measure the rate of the run. */
function addWait(state: CourseState, { principal, ms }: Wait): void {
  const { waits, began, now, requests } = state
  if (principal === null || (waits && waits.principal !== principal)) return
  const point = { at: now - began, sent: requests }
  state.waits = { principal, first: waits?.first ?? point, last: { ...point, ms } }
}

export const isRunnable = ({ outlook }: PlannedScenario): boolean => outlook === null
export const isPaced = ({ kind }: Opening['target']): boolean => kind === 'staging' || kind === 'production'

export const isFailure = ({ verdict, waived }: Finding): boolean =>
  (verdict === 'fail' && waived === undefined) || verdict === 'error'

/** Said once a tenth of the scenarios have ended, or 20 s have passed. */
export function leftWords(state: CourseState): string {
  const { began, now, requests, left, ended, sentByEnded, waits, limits } = state
  const passed = now - began
  if (passed < 1_000 || (ended.length < left.size / 9 && passed < 20_000)) return ''
  const course = { at: passed, sent: requests, ended, left: [...left.values()], sentByEnded, limits, waits }
  const estimate = timeLeft(course)
  const ms = Math.min(estimate ?? 0, state.most)
  return ms < 500 ? '' : `about ${spanWords(Math.round(ms / 1_000))} left`
}

export const spanWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`

export function planWords(
  { planned: { plan, scenarios }, opening: { budgets, target } }: Progress & { is: 'planned' },
  keys: number,
): string {
  const runnable = scenarios.filter(isRunnable)
  if (target.kind === 'traffic')
    return `${checksIn(runnable)} of ${checksIn(scenarios)} rules can be judged; nothing is sent`
  const size = `${partOf(checksIn(runnable), checksIn(scenarios), 'check')} in ${partOf(runnable.length, scenarios.length, 'scenario')}`
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
  service: 'The others need more setup (touchstone plan lists what)',
  receiver: 'The others need --effects, a URL that returns how often a delivery was processed',
  client: 'The others need actions that are not in --can',
}

const limitOfRun = ' (the limit of the run)'

const pacedMinutes = (paced: number, { requests, requestsPerMinute }: Budgets, keys: number): number =>
  Math.ceil(Math.min(paced, requests) / (requestsPerMinute * keys))

/** The time that the rate of the keys takes, or the limit of the run where that is shorter; empty below two minutes. */
function timeWords(paced: number, budgets: Budgets, keys: number): string {
  const { requestsPerMinute, wallSeconds } = budgets
  const minutes = pacedMinutes(paced, budgets, keys)
  if (minutes * 60 > wallSeconds) return `, at most ${spanWords(wallSeconds)}${limitOfRun}`
  const rate = `at ${requestsPerMinute} requests a minute ${keyWords(keys)}`
  return minutes > 1 ? `, at most about ${minutes} min ${rate}` : ''
}

const checksIn = (scenarios: readonly PlannedScenario[]): number =>
  scenarios.reduce((number, { subjects }) => number + subjects.length, 0)
const partOf = (part: number, all: number, what: string): string =>
  part === all ? counted(all, what) : `${part} of ${counted(all, what)}`

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
