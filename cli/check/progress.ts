/** Progress on stderr: the plan, each failure when it is found, and how far the run is. */
import type { Finding } from '../../reports/bundle/record.ts'
import { messageOf } from '../../reports/findings/finding-words.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import { verdictWords } from '../../reports/verdicts/verdicts.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import type { PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Io } from '../io.ts'

export interface Reporter {
  on(progress: Progress): void
  /** Clears the overwritten line before anything else is printed. */
  end(): void
}

/** Milliseconds between two lines. */
const between = { live: 80, plain: 5_000 }
/** Return to the first column and erase the line. */
const clear = '\r\u001b[K'
/** Characters of a failure; the summary has it in full. */
const mostFailure = 240

interface State {
  began: number
  at: number
  of: number
  scenario: string
  requests: number
  failed: number
  waiting: string
  /** Requests that each scenario may send, until it has ended. */
  left: Map<string, number>
  total: number
}

/** Progress of one run. */
export function createReporter(io: Io, quiet: boolean): Reporter {
  if (quiet) return { on: () => {}, end: () => {} }
  const state: State = {
    began: io.now(),
    at: 0,
    of: 0,
    scenario: '',
    requests: 0,
    failed: 0,
    waiting: '',
    left: new Map(),
    total: 0,
  }
  let shownAt = Number.NEGATIVE_INFINITY
  let dirty = false
  const end = (): void => {
    if (dirty) io.err(clear)
    dirty = false
  }
  return {
    on(progress) {
      Object.assign(state, changes[progress.is](progress as never, state))
      const text = lasting(progress)
      if (text !== '') {
        end()
        io.err(`${text}\n`)
      }
      const now = io.now()
      if (state.of === 0 || now - shownAt < (io.live ? between.live : between.plain)) return
      shownAt = now
      dirty = io.live
      io.err(io.live ? `${clear}${line(state, now, io.width - 1)}` : `${line(state, now, 200)}\n`)
    },
    end,
  }
}

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
  planned: ({ planned: { scenarios } }) => {
    const left = new Map(scenarios.map((one) => [one.id, requestsOf(one)]))
    return { of: scenarios.length, left, total: sum(left) }
  },
  scenario: ({ scenario, at, of }) => ({ scenario, at, of, waiting: '' }),
  finding: ({ finding }, { failed, left }) => {
    left.delete(finding.scenario)
    return { failed: failed + (isFailure(finding) ? 1 : 0) }
  },
  spent: ({ used, waiting }) => ({
    requests: used.requests,
    waiting: waiting ? `, waiting ${Math.ceil(waiting.ms / 1000)} s: rate limit of ${waiting.principal}` : '',
  }),
  exchange: () => ({}),
  'scenario-run': () => ({}),
  log: () => ({}),
}

const isRunnable = ({ outlook }: PlannedScenario): boolean => outlook === null
const requestsOf = (one: PlannedScenario): number => (isRunnable(one) ? one.scenario.cost.requests : 0)
const sum = (numbers: ReadonlyMap<string, number>): number => [...numbers.values()].reduce((a, b) => a + b, 0)

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
  const paced = target.kind === 'staging' || target.kind === 'production'
  return [
    `${size}${paced && minutes > 1 ? rate : ''}`,
    ...(rest > 0
      ? [`${rest} more scenarios need what the target does not provide (touchstone plan lists them)`]
      : []),
  ].join('. ')
}

function line({ waiting, ...state }: State, now: number, width: number): string {
  const { at, of, scenario, requests, failed } = state
  const name = shorten(scenario || 'preparing', 40)
  const start = `[${at}/${of}] ${requests} requests, ${failed} failed${timeLeft(state, now)}${waiting}`
  return `${start}: ${name}`.slice(0, width)
}

/** From the requests that are left; said once a tenth of them, or 20 s, have passed. */
function timeLeft({ left, total, began }: Omit<State, 'waiting'>, now: number): string {
  const rest = sum(left)
  const [done, passed] = [total - rest, now - began]
  if (done === 0 || passed < 1_000 || (done < total / 10 && passed < 20_000)) return ''
  const seconds = Math.ceil(((passed / done) * rest) / 1_000)
  return `, about ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`
}
