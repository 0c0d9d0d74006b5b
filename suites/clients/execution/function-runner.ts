/** A client that is a function of this process: for tests, and for whoever has their client in TypeScript. */
import type { Clock } from '../../wire/clock.ts'
import type { Assignment, Performer } from './client-runner.ts'
import type { Performance, Told } from './report.ts'

/** Does the task, and gives what the application saw. What it throws is the end of the act. */
export type RunFunction = (assignment: Assignment, signal: AbortSignal) => Promise<readonly Told[]>

export interface FunctionOptions {
  clock: Clock
  /** Default 8. */
  atOnce?: number
  /** Default 20 ms. */
  lingerMs?: number
}

export function functionPerformer(
  run: RunFunction,
  { clock, atOnce = 8, lingerMs = 20 }: FunctionOptions,
): Performer {
  return {
    atOnce,
    lingerMs,
    perform: (assignment, signal) => perform(run, assignment, clock, signal),
    close: () => Promise.resolve(),
  }
}

async function perform(
  run: RunFunction,
  assignment: Assignment,
  clock: Clock,
  signal: AbortSignal,
): Promise<Performance> {
  const over = new AbortController()
  const late = clock.sleep(assignment.limitMs, AbortSignal.any([over.signal, signal])).then(() => null)
  const execution = run(assignment, over.signal).then(
    (told): Performance => performance('done', 0, told),
    (thrown: unknown): Performance => performance('done', 1, [], String(thrown)),
  )
  const first = await Promise.race([execution, late])
  over.abort()
  return first ?? performance('timeout', null, [])
}

function performance(
  ended: Performance['ended'],
  exitCode: number | null,
  told: readonly Told[],
  stderr = '',
): Performance {
  return { ended, exitCode, told, stdout: '', stderr }
}
