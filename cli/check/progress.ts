/** Progress on stderr: the plan, each failure when it is found, and how far the run is. */
import type { Budgets } from '../../reports/bundle/record.ts'
import { messageOf } from '../../reports/findings/finding-words.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import { verdictWords } from '../../reports/verdicts/verdicts.ts'
import { pacedCeiling } from '../../suites/runner/plan/ceiling.ts'
import type { PlannedScenario } from '../../suites/runner/plan/plan.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import type { Io } from '../io.ts'
import { keyWords } from '../plan/ceiling.ts'
import {
  advanceCourse,
  initialCourse,
  isFailure,
  isPaced,
  isRunnable,
  leftWords,
  spanWords,
  waitWords,
  type CourseState,
} from './course.ts'

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

/** Progress of one run. `keys`: how many share its load. */
export function createReporter(io: Io, quiet: boolean, keys = 1): Reporter {
  if (quiet) return { on: () => {}, end: () => {} }
  const state = initialCourse(io.now())
  let shownAt = Number.NEGATIVE_INFINITY
  let dirty = false
  const end = (): void => {
    if (dirty) io.err(clear)
    dirty = false
  }
  return {
    on(progress) {
      advanceCourse(state, progress, io.now())
      const text = lasting(progress, keys)
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

/** The same with the findings redacted, before any secret in them could be printed. */
export function redacting(reporter: Reporter, { value }: { value: <T>(value: T) => T }): Reporter {
  return {
    ...reporter,
    on: (progress) => reporter.on(progress.is === 'finding' ? value(progress) : progress),
  }
}

export function withObserver(reporter: Reporter, observer: Pick<Reporter, 'on'>): Reporter {
  return {
    ...reporter,
    on(progress) {
      observer.on(progress)
      reporter.on(progress)
    },
  }
}

/** What is printed once and stays. */
function lasting(progress: Progress, keys: number): string {
  if (progress.is === 'planned') return planWords(progress, keys)
  if (progress.is !== 'finding' || !isFailure(progress.finding)) return ''
  const { verdict, check } = progress.finding
  const words = `${verdictWords[verdict].sign} ${check}: ${messageOf(progress.finding)}`
  return visibleLine(shorten(words, mostFailure))
}

function planWords(
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
    ...(runnable.length < scenarios.length
      ? ['The others need what the target does not provide (touchstone plan lists them)']
      : []),
  ].join('. ')
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

/** The line with as much as fits: the wait first, and the least important parts left out first. */
function progressLine(state: CourseState, width: number): string {
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
