/** Which checks are meant by the patterns that were given: over scenario, check, clause, gap and area. */
import { areaOf, type ClauseId } from '../../../spec/index.ts'
import { ConfigurationError } from '../../config/configuration-error.ts'
import { nearest } from '../../config/file/nearest.ts'
import { checkId, subjectsOf, type CheckSubject } from '../outcome/judge.ts'
import { matchesPattern } from '../../policy/expected.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'

/** The subjects of a scenario that are asked for; all of them where there are no patterns. */
export function selected(
  id: string,
  scenario: AnyScenario,
  only: readonly string[],
): readonly CheckSubject[] {
  const subjects = subjectsOf(scenario)
  if (only.length === 0) return subjects
  return subjects.filter((subject) =>
    only.some((pattern) => namesOf(id, subject).some((name) => matchesPattern(pattern, name))),
  )
}

function namesOf(id: string, subject: CheckSubject): readonly string[] {
  const area = subject in areaOf ? [areaOf[subject as ClauseId]] : []
  return [id, checkId(id, subject), subject, ...area]
}

/** Throws a ConfigurationError for patterns that match nothing: what they were to ask for would not be missed. */
export function mustMatch(scenarios: Readonly<Record<string, AnyScenario>>, only: readonly string[]): void {
  const names = Object.entries(scenarios).flatMap(([id, scenario]) =>
    subjectsOf(scenario).flatMap((subject) => namesOf(id, subject)),
  )
  const idle = only.filter((pattern) => !names.some((name) => matchesPattern(pattern, name)))
  if (idle.length > 0) throw new ConfigurationError(...idle.map((pattern) => unmatched(pattern, names)))
}

function unmatched(pattern: string, names: readonly string[]): string {
  const near = meant(pattern, [...new Set(names)])
  const advice =
    near === undefined
      ? 'give a scenario, a check, a clause or an area, with * for anything'
      : `did you mean ${near}?`
  return `no check matches ${pattern}; ${advice}`
}

/** The nearest name; for a pattern such as `idempotncy*`, the nearest beginning of a name with the rest of it. */
function meant(pattern: string, names: readonly string[]): string | undefined {
  const end = pattern.indexOf('*')
  if (end === -1) return nearest(pattern, names)
  const beginnings = names.flatMap((name) =>
    [...name.matchAll(/[^-/]+/g)].map(({ index, 0: { length } }) => name.slice(0, index + length)),
  )
  const near =
    end < 3 ? undefined : nearest(pattern.slice(0, end).replace(/[-/]$/, ''), [...new Set(beginnings)])
  if (near === undefined) return undefined
  const corrected = `${near}${/[-/]?\*.*$/s.exec(pattern)?.[0] ?? ''}`
  return names.some((name) => matchesPattern(corrected, name)) ? corrected : undefined
}
