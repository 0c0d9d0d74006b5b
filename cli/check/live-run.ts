/** A run while it is in progress, for a page that asks every moment: where it is, what it waits for, what it has used. */
import type { Finding } from '../../reports/bundle/record.ts'
import { messageOf } from '../../reports/findings/finding-words.ts'
import { verdictWords } from '../../reports/verdicts/verdicts.ts'
import { shorten, visibleLine } from '../../reports/visible.ts'
import type { LiveFailure, LiveRun, Usage } from '../../spec/types/show.ts'
import type { Progress } from '../../suites/runner/progress.ts'
import { advanceCourse, initialCourse, isFailure, leftWords, waitWords } from './course.ts'

export interface ObservedRun {
  on(progress: Progress): void
  /** The reports are written. */
  end(): void
  state(): LiveRun
}

/** The page shows them all; a run with more is broken in one way. */
const mostFailures = 500
const mostMessage = 600

/** `now`: milliseconds of a monotonic clock. */
export function observeRun(now: () => number): ObservedRun {
  const course = initialCourse(now())
  const failures: LiveFailure[] = []
  const usage = new Map<string, Usage>()
  let title = ''
  let ended = false

  const notes: { [K in Progress['is']]?: (progress: Extract<Progress, { is: K }>) => void } = {
    planned({ opening: { budgets } }) {
      const { requests, turns, credits } = budgets
      for (const [what, limit] of Object.entries({ requests, turns, credits }))
        usage.set(what, { what, used: 0, limit })
    },
    scenario: (progress) => void (title = progress.title),
    spent({ used }) {
      for (const one of usage.values()) one.used = used[one.what as 'requests' | 'turns' | 'credits']
    },
    finding({ finding }) {
      if (isFailure(finding) && failures.length < mostFailures) failures.push(failureOf(finding))
    },
  }

  return {
    on(progress) {
      advanceCourse(course, progress, now())
      notes[progress.is]?.(progress as never)
    },
    end: () => void (ended = true),
    state() {
      const { at, of, scenario, waiting, failed, began } = course
      course.now = now()
      return {
        phase: ended ? 'ended' : of === 0 ? 'preparing' : course.left.size === 0 ? 'finishing' : 'running',
        at,
        of,
        scenario,
        title,
        waiting: waiting ? waitWords(waiting) : '',
        left: leftWords(course),
        seconds: (course.now - began) / 1_000,
        usage: [...usage.values()],
        failed,
        failures,
      }
    },
  }
}

function failureOf(finding: Finding): LiveFailure {
  const { check, subject, verdict } = finding
  const { sign, word, tone, means } = verdictWords[verdict]
  return {
    check,
    clause: subject,
    words: { sign, word, tone, means },
    message: visibleLine(shorten(messageOf(finding), mostMessage)),
  }
}
