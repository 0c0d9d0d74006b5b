/** Progress on stderr: the plan, each failure when it is found, and how far the run is. */
import type { Finding, Opening } from '../../reports/bundle/record.ts'
import { messageOf } from '../../reports/findings/finding-words.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import { verdictWords } from '../../reports/verdicts/verdicts.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import type { PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { BudgetProgress } from '../../suites/wire/budget/governor.ts'
import type { Io } from '../io.ts'
import { timeLeft, type RunCourse } from './time-left.ts'

export interface Reporter {
  on(progress: Progress): void
  /** Clears the overwritten line before anything else is printed. */
  end(): void
}

/** Milliseconds between two lines; where they stay, a wait of as long has its own. */
const between = { live: 80, plain: 30_000 }
/** Return to the first column and erase the line. */
const clear = '\r\u001b[K'
/** Characters of a failure; the summary has it in full. */
const mostFailure = 240

interface State {
  began: number
  now: number
  at: number
  of: number
  scenario: string
  requests: number
  failed: number
  waiting: BudgetProgress['waiting']
  /** The most requests that each scenario may send, until it has ended, and after that. */
  left: Map<string, number>
  ended: number[]
  sentByEnded: number
  /** Whether a wait takes real time. */
  paced: boolean
  waits?: RunCourse['waits'] & { principal: string | null }
}

/** Progress of one run. */
export function createReporter(io: Io, quiet: boolean): Reporter {
  if (quiet) return { on: () => {}, end: () => {} }
  const state = initialState(io.now())
  let shownAt = Number.NEGATIVE_INFINITY
  let dirty = false
  const end = (): void => {
    if (dirty) io.err(clear)
    dirty = false
  }
  return {
    on(progress) {
      state.now = io.now()
      Object.assign(state, changes[progress.is](progress as never, state))
      const text = lasting(progress)
      if (text !== '') {
        end()
        io.err(`${text}\n`)
      }
      // What belongs to the plan is printed directly below it.
      if (progress.is === 'planned' && !io.live) shownAt = state.now
      if (progress.is === 'planned' || state.of === 0) return
      const longWait = !io.live && progress.is === 'spent' && (progress.waiting?.ms ?? 0) >= between.plain
      if (!longWait && state.now - shownAt < (io.live ? between.live : between.plain)) return
      shownAt = state.now
      dirty = io.live
      io.err(io.live ? `${clear}${progressLine(state, io.width - 1)}` : `${progressLine(state, 200)}\n`)
    },
    end,
  }
}

const initialState = (now: number): State => ({
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
  paced: false,
})

/** The same with the findings redacted, before any secret in them could be printed. */
export function redacting(reporter: Reporter, { value }: { value: <T>(value: T) => T }): Reporter {
  return {
    ...reporter,
    on: (progress) => reporter.on(progress.is === 'finding' ? value(progress) : progress),
  }
}

type Changes = {
  [K in Progress['is']]: (progress: Extract<Progress, { is: K }>, state: State) => Partial<State>
}

const changes: Changes = {
  planned: ({ planned: { scenarios }, opening: { target } }) => ({
    of: scenarios.length,
    left: new Map(scenarios.map((one) => [one.id, requestsOf(one)])),
    paced: isPaced(target),
  }),
  scenario: ({ scenario, at, of }) => ({ scenario, at, of, waiting: undefined }),
  finding: ({ finding }, { failed, left, ended, requests }) => {
    const most = left.get(finding.scenario)
    left.delete(finding.scenario)
    return {
      failed: failed + (isFailure(finding) ? 1 : 0),
      ...(most === undefined ? {} : { ended: [...ended, most], sentByEnded: requests }),
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
function waitsAfter({ principal, ms }: Wait, { waits, began, now, requests }: State): Pick<State, 'waits'> {
  if (principal === null || (waits && waits.principal !== principal)) return {}
  const point = { at: now - began, sent: requests }
  return { waits: { principal, first: waits?.first ?? point, last: { ...point, ms } } }
}

const isRunnable = ({ outlook }: PlannedScenario): boolean => outlook === null
const requestsOf = (one: PlannedScenario): number => (isRunnable(one) ? one.scenario.cost.requests : 0)
const isPaced = ({ kind }: Opening['target']): boolean => kind === 'staging' || kind === 'production'

function isFailure({ verdict, waived }: Finding): boolean {
  return (verdict === 'fail' && waived === undefined) || verdict === 'error'
}

/** What is printed once and stays. */
function lasting(progress: Progress): string {
  if (progress.is === 'planned') return planWords(progress)
  if (progress.is !== 'finding' || !isFailure(progress.finding)) return ''
  const { verdict, check } = progress.finding
  const words = `${verdictWords[verdict].sign} ${check}: ${messageOf(progress.finding)}`
  return visibleLine(shorten(words, mostFailure))
}

function planWords({
  planned: { plan, scenarios },
  opening: { budgets, target },
}: Progress & { is: 'planned' }): string {
  const runnable = scenarios.filter(isRunnable)
  const checks = runnable.reduce((number, { subjects }) => number + subjects.length, 0)
  const { requests } = plan.ceiling
  const rest = scenarios.length - runnable.length
  const size = `Plan: ${checks} checks in ${runnable.length} scenarios, at most ${requests} requests`
  const minutes = Math.ceil(requests / budgets.requestsPerMinute)
  const rate = `; about ${minutes} min at ${budgets.requestsPerMinute} requests a minute with one key`
  return [
    `${size}${isPaced(target) && minutes > 1 ? rate : ''}`,
    ...(rest > 0
      ? [`${rest} more scenarios need what the target does not provide (touchstone plan lists them)`]
      : []),
  ].join('. ')
}

/** The line with as much as fits: the wait first, and the least important parts left out first. */
function progressLine(state: State, width: number): string {
  const { at, of, scenario, requests, failed, waiting } = state
  const start = `${waiting ? `${waitWords(waiting)}; ` : ''}[${at}/${of}]`
  const parts = [`${requests} requests`, `${failed} failed`, leftWords(state)].filter((part) => part !== '')
  const lines = [...parts.keys()].map((from) => `${start} ${parts.slice(from).join(', ')}`)
  const fitting = [...lines, start, `[${at}/${of}]`].find((line) => line.length <= width) ?? ''
  const room = width - fitting.length - 2
  return fitting !== lines[0] || room < leastName ? fitting : `${fitting}: ${cut(scenario, room)}`
}

/** Characters of a name that are worth showing. */
const leastName = 12
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`

function waitWords({ principal, ms }: Wait): string {
  const limited = principal === null ? 'requests without a key' : `key ${principal}`
  return `waiting ${Math.ceil(ms / 1_000)} s: rate limit of ${limited}`
}

/** Said once a tenth of the scenarios have ended, or 20 s have passed. */
function leftWords({ began, now, requests, left, ended, sentByEnded, waits }: State): string {
  const passed = now - began
  if (passed < 1_000 || (ended.length < left.size / 9 && passed < 20_000)) return ''
  const course = { at: passed, sent: requests, ended, left: [...left.values()], sentByEnded }
  const ms = timeLeft(waits ? { ...course, waits } : course)
  if (ms === null || ms < 500) return ''
  const seconds = Math.round(ms / 1_000)
  return `about ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`
}
