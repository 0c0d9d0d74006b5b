/** How far a run is, and how long the rest of it takes: what its progress adds up to. */
import type { Finding, Opening } from '../../reports/bundle/record.ts'
import type { PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import type { BudgetProgress } from '../../suites/wire/budget/governor.ts'

/** A moment of a run: milliseconds since it began, and the requests sent by then. */
interface Point {
  at: number
  sent: number
}

export interface RunCourse extends Point {
  /** The most requests of each scenario that has ended, and of each that has not. */
  ended: readonly number[]
  left: readonly number[]
  /** Requests sent when the last scenario ended. */
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

export const initialCourse = (now: number) => ({
  began: now,
  now,
  /** Scenarios that have ended: those that run side by side begin in no order. */
  at: 0,
  of: 0,
  /** The one that began last. */
  scenario: '',
  requests: 0,
  failed: 0,
  waiting: undefined as BudgetProgress['waiting'],
  /** The most requests that each scenario may send, until it has ended, and after that. */
  left: new Map<string, number>(),
  ended: [] as number[],
  sentByEnded: 0,
  limits: { at: Infinity, sent: Infinity },
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
  const ms = timeLeft(course)
  return ms === null || ms < 500 ? '' : `about ${spanWords(Math.round(ms / 1_000))} left`
}

export const spanWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
