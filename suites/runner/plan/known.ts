/** Every check of some scenarios, as a policy can speak of it. */
import { areaOf, type ClauseId } from '../../../spec/index.ts'
import type { KnownCheck } from '../../policy/expected.ts'
import { checkId, subjectsOf } from '../outcome/judge.ts'
import { neededStates, type AnyScenario } from '../../scenario/scenario.ts'
import { profiles, type Profile } from '../../config/target.ts'

export function knownChecks(
  scenarios: Readonly<Record<string, AnyScenario>>,
  profile: Profile,
): readonly KnownCheck[] {
  return Object.entries(scenarios).flatMap(([id, scenario]) =>
    subjectsOf(scenario).map((subject) => {
      const check = checkId(id, subject)
      const area = subject in areaOf ? [areaOf[subject as ClauseId]] : []
      return {
        check,
        names: [check, subject, id, ...area, ...neededStates(scenario)],
        offered: isWithin(scenario, profile),
      }
    }),
  )
}

export function isWithin({ profile = 'standard' }: Pick<AnyScenario, 'profile'>, most: Profile): boolean {
  return profiles.indexOf(profile) <= profiles.indexOf(most)
}
