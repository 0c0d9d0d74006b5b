/** Two runs compared, with what this version knows of the suite that made the later one. */
import { compare } from '../../reports/diff/compare.ts'
import type { Comparison } from '../../reports/diff/compare.ts'
import { knownChecks } from '../../suites/runner/plan/known.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import type { Run, RunRecord } from '../../reports/bundle/record.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { version } from '../version.ts'
import type { Earlier } from './earlier.ts'

export function comparisonOf(before: Earlier, after: Earlier): Comparison {
  const suite = suiteOf(after.run.record)
  return compare(before.run, after.run, {
    ends: { before: before.ends, after: after.ends },
    files: after.files,
    ...(suite === null ? {} : { suite }),
  })
}

/** All checks of the suite of a run; null where it was another suite than this version has. */
function suiteOf(record: RunRecord): ReadonlySet<string> | null {
  const scenarios = scenariosFor(record)
  if (toolOf(version(), scenarios).suite !== record.tool.suite) return null
  return new Set(knownChecks(scenarios, 'exhaustive').map(({ check }) => check))
}

/** What compares a new run with the earlier one; null without one. */
export function changesSince(since: Earlier | null) {
  if (since === null) return null
  return (run: Run, files: ReadonlySet<string>, ends: string | null): Comparison =>
    comparisonOf(since, { run, ends, files })
}
