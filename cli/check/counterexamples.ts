/** The counterexamples of a run against a server, by path. */
import type { Run } from '../../reports/bundle/record.ts'
import { counterexampleFilesOf } from '../../suites/counterexample/files.ts'
import type { Target } from '../../suites/config/target.ts'
import { serverScenarios } from '../../suites/scenarios.ts'

/** `run` must be redacted. */
export function serverCounterexamples(run: Run, target: Target): ReadonlyMap<string, string> {
  return counterexampleFilesOf(run, { target, scenarios: serverScenarios })
}
