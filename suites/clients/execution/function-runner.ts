/** A client that is a function in this process, for tests and for clients in TypeScript. */
import type { Clock } from '../../wire/clock.ts'
import type { Assignment, ClientRunner } from './task.ts'
import type { StepResult, ClientReport } from '../../../reports/bundle/client-report.ts'

/** Does the task and returns what the application reports. A throw ends the step with exit code 1. */
export type RunFunction = (assignment: Assignment, signal: AbortSignal) => Promise<readonly ClientReport[]>

export interface FunctionOptions {
  clock: Clock
  /** Default 8. */
  concurrency?: number
  /** Default 20 ms. */
  lingerMs?: number
}

export function functionRunner(
  run: RunFunction,
  { clock, concurrency = 8, lingerMs = 20 }: FunctionOptions,
): ClientRunner {
  return {
    concurrency,
    lingerMs,
    runStep: (assignment, signal) => runFunction(run, assignment, clock, signal),
    close: () => Promise.resolve(),
  }
}

async function runFunction(
  run: RunFunction,
  assignment: Assignment,
  clock: Clock,
  signal: AbortSignal,
): Promise<StepResult> {
  const over = new AbortController()
  const late = clock.sleep(assignment.limitMs, AbortSignal.any([over.signal, signal])).then(() => null)
  const execution = run(assignment, over.signal).then(
    (reported): StepResult => stepResult('done', 0, reported),
    (thrown: unknown): StepResult => stepResult('done', 1, [], String(thrown)),
  )
  const first = await Promise.race([execution, late])
  over.abort()
  return first ?? stepResult('timeout', null, [])
}

function stepResult(
  ended: StepResult['ended'],
  exitCode: number | null,
  reported: readonly ClientReport[],
  stderr = '',
): StepResult {
  return { ended, exitCode, reported, stdout: '', stderr }
}
