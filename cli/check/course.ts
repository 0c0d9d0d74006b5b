/** How far a run is: what its progress adds up to. */
import type { Finding, Opening } from '../../reports/bundle/record.ts'
import type { PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Progress } from '../../suites/runner/run-loop.ts'
import type { BudgetProgress } from '../../suites/wire/budget/governor.ts'
import { timeLeft, type RunCourse } from './time-left.ts'

export interface CourseState {
  began: number
  now: number
  /** Scenarios that have ended: those that run side by side begin in no order. */
  at: number
  of: number
  /** The one that began last. */
  scenario: string
  requests: number
  failed: number
  waiting: BudgetProgress['waiting']
  /** The most requests that each scenario may send, until it has ended, and after that. */
  left: Map<string, number>
  ended: number[]
  sentByEnded: number
  limits: RunCourse['limits']
  /** Whether a wait takes real time. */
  paced: boolean
  waits?: RunCourse['waits'] & { principal: string | null }
}

export const initialCourse = (now: number): CourseState => ({
  began: now,
  now,
  at: 0,
  of: 0,
  scenario: '',
  requests: 0,
  failed: 0,
  waiting: undefined,
  left: new Map(),
  ended: [],
  sentByEnded: 0,
  limits: { at: Infinity, sent: Infinity },
  paced: false,
})

export function advanceCourse(state: CourseState, progress: Progress, now: number): void {
  state.now = now
  Object.assign(state, changes[progress.is](progress as never, state))
}

type Changes = {
  [K in Progress['is']]: (progress: Extract<Progress, { is: K }>, state: CourseState) => Partial<CourseState>
}

const changes: Changes = {
  planned: ({ planned: { scenarios }, opening: { target, budgets } }) => ({
    of: scenarios.length,
    left: new Map(scenarios.map((one) => [one.id, isRunnable(one) ? one.scenario.cost.requests : 0])),
    limits: { at: budgets.wallSeconds * 1_000, sent: budgets.requests },
    paced: isPaced(target),
  }),
  scenario: ({ scenario }) => ({ scenario, waiting: undefined }),
  finding: ({ finding }, { at, failed, left, ended, requests }) => {
    const most = left.get(finding.scenario)
    left.delete(finding.scenario)
    return {
      failed: failed + (isFailure(finding) ? 1 : 0),
      ...(most === undefined ? {} : { at: at + 1, ended: [...ended, most], sentByEnded: requests }),
    }
  },
  spent: ({ used: { requests }, waiting }, state) => ({
    requests,
    waiting,
    ...(waiting && state.paced ? waitsAfter(waiting, { ...state, requests }) : {}),
  }),
  exchange: () => ({}),
  'scenario-run': () => ({}),
  log: () => ({}),
}

type Wait = NonNullable<BudgetProgress['waiting']>

/** The waits of the key that waited first: one key suffices to measure the rate of the run. */
function waitsAfter(
  { principal, ms }: Wait,
  { waits, began, now, requests }: CourseState,
): Pick<CourseState, 'waits'> {
  if (principal === null || (waits && waits.principal !== principal)) return {}
  const point = { at: now - began, sent: requests }
  return { waits: { principal, first: waits?.first ?? point, last: { ...point, ms } } }
}

export const isRunnable = ({ outlook }: PlannedScenario): boolean => outlook === null
export const isPaced = ({ kind }: Opening['target']): boolean => kind === 'staging' || kind === 'production'

export function isFailure({ verdict, waived }: Finding): boolean {
  return (verdict === 'fail' && waived === undefined) || verdict === 'error'
}

export function waitWords({ principal, ms }: Wait): string {
  const limited = principal === null ? 'requests without a key' : `key ${principal}`
  return `waiting ${Math.ceil(ms / 1_000)} s: rate limit of ${limited}`
}

/** Said once a tenth of the scenarios have ended, or 20 s have passed. */
export function leftWords(state: CourseState): string {
  const { began, now, requests, left, ended, sentByEnded, waits, limits } = state
  const passed = now - began
  if (passed < 1_000 || (ended.length < left.size / 9 && passed < 20_000)) return ''
  const course = { at: passed, sent: requests, ended, left: [...left.values()], sentByEnded, limits }
  const ms = timeLeft(waits ? { ...course, waits } : course)
  if (ms === null || ms < 500) return ''
  return `about ${spanWords(Math.round(ms / 1_000))} left`
}

export const spanWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
