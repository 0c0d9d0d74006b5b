/** The checks of the runs of a session, with their verdicts. */
import type { Verdict } from '../../../reports/bundle/record.ts'
import type { NamedRun } from '../named-runs.ts'
import { recordIn } from '../opened-runs.ts'

/** The newest verdict of each check. `runs`: in their order. */
export const newestVerdicts = (runs: readonly NamedRun[]): ReadonlyMap<string, Verdict> =>
  new Map(
    runs.flatMap((run) => recordIn(run).findings.map(({ check, verdict }) => [check, verdict] as const)),
  )

const failed: readonly Verdict[] = ['fail', 'error']

/** Ids of the checks whose newest verdict is a failure, waived or not. */
export const failedIn = (runs: readonly NamedRun[]): readonly string[] =>
  [...newestVerdicts(runs)].flatMap(([check, verdict]) => (failed.includes(verdict) ? [check] : []))
