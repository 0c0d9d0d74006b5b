/** What of the catalogue a plan leaves out, and by whose choice. Plan and omissions together are the whole catalogue. */
import type { LeftOut } from '../../../reports/bundle/record.ts'
import { checkId, subjectsOf, type CheckSubject } from '../outcome/judge.ts'
import { isWithin } from './known.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { selected } from './selection.ts'

export interface Chosen {
  profile: Profile
  /** Patterns; see `planRun`. */
  only: readonly string[]
}

/**
 * Every check of `scenarios` that is not `planned`, grouped by reason, in the order of the catalogue. Depends on
 * nothing but its arguments, so that a recorded plan can be compared with it.
 */
export function leftOutOf(
  scenarios: Readonly<Record<string, AnyScenario>>,
  { profile, only }: Chosen,
  planned: readonly string[],
): readonly LeftOut[] {
  const taken = new Set(planned)
  const left = Object.entries(scenarios).flatMap(([id, scenario]) => {
    const asked = selected(id, scenario, only)
    const reasonFor = (subject: CheckSubject): LeftOut['by'] => {
      if (!isWithin(scenario, profile)) return 'profile'
      return asked.includes(subject) ? 'not-declared' : 'selection'
    }
    return subjectsOf(scenario)
      .map((subject) => ({ by: reasonFor(subject), check: checkId(id, subject) }))
      .filter(({ check }) => !taken.has(check))
  })
  return [...Map.groupBy(left, ({ by }) => by)].map(([by, some]) => ({
    by,
    checks: some.map(({ check }) => check),
  }))
}
