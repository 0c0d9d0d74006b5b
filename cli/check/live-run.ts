/** A run while it is in progress, for a page: where it is, what it waits for, what it has used, and each failure. */
import type { Finding } from '../../reports/bundle/record.ts'
import { messageOf } from '../../reports/findings/finding-words.ts'
import { verdictWords } from '../../reports/verdicts/verdicts.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import type { LiveFailure, LiveState, Usage } from '../../spec/types/show.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import { advanceCourse, initialCourse, isFailure, leftWords, waitWords } from './course.ts'

export interface RunObserver {
  on(progress: Progress): void
}

export interface ObservedRun extends RunObserver {
  /** Ids of the checks of the plan; empty before it is made. */
  readonly planned: ReadonlySet<string>
  state(): Omit<LiveState, 'type' | 'queued'>
}

/** The page shows them all; a run with more is broken in one way. */
const mostFailures = 500
const mostMessage = 600

/** `now`: milliseconds of a monotonic clock. */
export function observeRun(now: () => number, onFailure: (failure: LiveFailure) => void): ObservedRun {
  const course = initialCourse(now())
  const usage = new Map<string, Usage>()
  const checks = new Set<string>()
  let title = ''

  const notes: { [K in Progress['is']]?: (progress: Extract<Progress, { is: K }>) => void } = {
    planned({ planned: { plan }, opening: { budgets } }) {
      for (const { check } of plan.checks) checks.add(check)
      const { requests, turns, credits } = budgets
      for (const [what, limit] of Object.entries({ requests, turns, credits }))
        usage.set(what, { what, used: 0, limit })
    },
    scenario: (progress) => void (title = progress.title),
    spent({ used }) {
      for (const one of usage.values()) one.used = used[one.what as 'requests' | 'turns' | 'credits']
    },
    finding({ finding }) {
      if (isFailure(finding) && course.failed <= mostFailures) onFailure(failureOf(finding))
    },
  }

  return {
    planned: checks,
    on(progress) {
      advanceCourse(course, progress, now())
      notes[progress.is]?.(progress as never)
    },
    state() {
      const { at, of, scenario, waiting, failed, began } = course
      course.now = now()
      return {
        phase: of === 0 ? 'preparing' : course.left.size === 0 ? 'finishing' : 'running',
        at,
        of,
        scenario,
        title,
        waiting: waiting ? waitWords(waiting) : '',
        left: leftWords(course),
        seconds: (course.now - began) / 1_000,
        usage: [...usage.values()],
        failed,
      }
    },
  }
}

function failureOf(finding: Finding): LiveFailure {
  const { check, subject, verdict } = finding
  const { sign, word, tone, means } = verdictWords[verdict]
  return {
    type: 'failure',
    check,
    clause: subject,
    words: { sign, word, tone, means },
    message: visibleLine(shorten(messageOf(finding), mostMessage)),
  }
}
