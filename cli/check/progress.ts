/** Progress on stderr: in a terminal one line that is overwritten, elsewhere a line every few seconds. */
import type { Finding } from '../../reports/bundle/record.ts'
import type { Progress } from '../../suites/runner/progress.ts'
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

interface State {
  began: number
  at: number
  of: number
  scenario: string
  requests: number
  credits: number
  broken: number
  waiting: string
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
    credits: 0,
    broken: 0,
    waiting: '',
  }
  let shownAt = Number.NEGATIVE_INFINITY
  let dirty = false
  return {
    on(progress) {
      Object.assign(state, changes[progress.is](progress as never, state))
      const now = io.now()
      if (state.of === 0 || now - shownAt < (io.live ? between.live : between.plain)) return
      shownAt = now
      dirty = io.live
      io.err(io.live ? `${clear}${line(state, now).slice(0, io.width - 1)}` : `${line(state, now)}\n`)
    },
    end() {
      if (dirty) io.err(clear)
      dirty = false
    },
  }
}

type Changes = {
  [K in Progress['is']]: (progress: Extract<Progress, { is: K }>, state: State) => Partial<State>
}

const changes: Changes = {
  planned: ({ planned }) => ({ of: planned.scenarios.length }),
  scenario: ({ scenario, at, of }) => ({ scenario, at, of, waiting: '' }),
  finding: ({ finding }, { broken }) => ({ broken: broken + (isBroken(finding) ? 1 : 0) }),
  spent: ({ used, waiting }) => ({
    requests: used.requests,
    credits: used.credits,
    waiting: waiting
      ? `, waiting ${Math.ceil(waiting.ms / 1000)} s for the rate limit of ${waiting.principal}`
      : '',
  }),
  exchange: () => ({}),
  'scenario-run': () => ({}),
  log: () => ({}),
}

function isBroken({ verdict }: Finding): boolean {
  return verdict === 'fail' || verdict === 'error'
}

function line({ at, of, scenario, requests, credits, broken, began, waiting }: State, now: number): string {
  const spent = `${requests} requests, ${credits} credits, ${broken} failed`
  return `[${at}/${of}] ${scenario || 'preparing'}: ${spent}${timeLeft(at - 1, of, now - began)}${waiting}`
}

/** An estimate from the average time per scenario, after the first five. */
function timeLeft(done: number, of: number, passed: number): string {
  if (done < 5 || passed < 1_000) return ''
  return `, about ${Math.ceil(((passed / done) * (of - done)) / 1_000)} s left`
}
