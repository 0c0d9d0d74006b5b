/** Progress on stderr: the plan, each failure when it is found, and how far the run is. */
import { messageOf } from '../../reports/findings/card.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import { verdictWords } from '../../reports/verdicts/verdicts.ts'
import type { Progress } from '../../suites/runner/run-driver.ts'
import type { Io } from '../io.ts'
import { advanceCourse, initialCourse, isFailure, leftWords, type CourseState, planWords } from './course.ts'

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
/** Characters of a name that are worth showing. */
const leastName = 12

export function createReporter(io: Io, quiet: boolean, keys = 1): Reporter {
  if (quiet) return { on: () => {}, end: () => {} }
  const state = initialCourse(io.now(), keys)
  // A log that is not watched needs no lines of progress.
  const isWatched = !io.env['CI'] && !io.env['AI_AGENT']
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
      if (progress.is === 'planned' || state.of === 0 || !isWatched) return
      const longWait = !io.live && progress.is === 'spent' && (progress.waiting?.ms ?? 0) >= between.plain
      if (!longWait && state.now - shownAt < (io.live ? between.live : between.plain)) return
      shownAt = state.now
      dirty = io.live
      io.err(io.live ? `${clear}${progressLine(state, io.width - 1)}` : `${progressLine(state, 200)}\n`)
    },
    end,
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

/** The line with as much as fits: the wait first, and the least important parts left out first. */
function progressLine(state: CourseState, width: number): string {
  const { at, of, scenario, requests, failed, waiting } = state
  const limited = waiting?.principal === null ? 'requests without a key' : `key ${waiting?.principal}`
  const wait = waiting ? `waiting ${Math.ceil(waiting.ms / 1_000)} s: rate limit of ${limited}; ` : ''
  const start = `${wait}[${at}/${of}]`
  const parts = [`${requests} requests`, at > 0 ? `${failed} failed` : '', leftWords(state)].filter(
    (part) => part !== '',
  )
  const lines = [...parts.keys()].map((from) => `${start} ${parts.slice(from).join(', ')}`)
  const fitting = [...lines, start, `[${at}/${of}]`].find((line) => line.length <= width) ?? ''
  const room = width - fitting.length - 2
  if (fitting !== lines[0] || room < leastName) return fitting
  return `${fitting}: ${scenario.length <= room ? scenario : `${scenario.slice(0, room - 1)}…`}`
}
