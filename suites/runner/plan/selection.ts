/** Which checks are meant by the patterns that were given: over scenario, check, clause, gap and area. */
import { areaOf, type ClauseId } from '../../../spec/index.ts'
import { ConfigurationError, profiles, type Profile, type Target } from '../../config/target.ts'
import { nearest } from '../../../spec/nearest.ts'
import { checkId, subjectsOf, type CheckSubject } from '../outcome/judge.ts'
import { matchesPattern, type KnownCheck } from '../../policy/expected.ts'
import { type AnyScenario, neededStates, type Cost } from '../../scenario/scenario.ts'
import { searchMost } from '../requests/execution-request.ts'
import { floodMost } from '../requests/request.ts'
import { stateProbes } from '../states/probes-by-state.ts'
import { provisionOf } from '../states/state-providers.ts'
import type { Ending } from '../../scenario/ending.ts'

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
  const whole = pattern.includes('*') ? undefined : nearest(pattern, names)
  if (whole !== undefined) return whole
  const [, stem = '', rest = '*'] = /^(.*?)([-/]?\*.*)?$/s.exec(pattern) ?? []
  const beginnings = names.flatMap((name) =>
    [...name.matchAll(/[^-/]+/g)].map(({ index, 0: { length } }) => name.slice(0, index + length)),
  )
  const near = stem.length < 3 ? undefined : nearest(stem, [...new Set(beginnings)])
  if (near === undefined) return undefined
  const corrected = `${near}${rest}`
  return names.some((name) => matchesPattern(corrected, name)) ? corrected : undefined
}

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
        offered: isWithin(scenario, profile === 'smoke' ? 'standard' : profile),
      }
    }),
  )
}

export function isWithin({ profile = 'standard' }: Pick<AnyScenario, 'profile'>, most: Profile): boolean {
  return profiles.indexOf(profile) <= profiles.indexOf(most)
}

/** Whether the file can be right: a request, a turn where its answer speaks against that, and one of the session. */
const preflight: Cost = { requests: 3, turns: 1 }

interface Planned {
  scenario: AnyScenario
  outlook: Ending | null
}

export function ceilingOf(scenarios: readonly Planned[], target: Target): Cost {
  // What is not declared of how an input is wrapped is found out with a read.
  const searches = target.dialect.execution?.input === undefined && target.fixtures.operations.length > 0
  return sum([preflight, costOf(scenarios, target), { requests: searches ? searchMost : 0, turns: 0 }])
}

export function costOf(scenarios: readonly Planned[], target: Target): Cost {
  const runnable = scenarios.filter(({ outlook }) => outlook === null)
  return sum(runnable.map(({ scenario }) => scenarioCost(scenario, target)))
}

export function scenarioCost({ cost, needs }: AnyScenario, target: Target): Cost {
  const ofStates = (needs?.states ?? []).flatMap((state) => [
    ...(stateProbes[state].asksFirst ? [{ requests: 1, turns: 1 }] : []),
    ...(state === 'rate.limited' && provisionOf(state, target).provide === 'wire'
      ? [{ requests: floodMost, turns: 1 }]
      : []),
  ])
  return sum([cost, ...ofStates])
}

/** Whether it can be run once more: not what is costly by opt-in, needs a person, or uses up what there is one of. */
export function isRepeatable({ needs = {} }: AnyScenario, target: Target): boolean {
  const roles = [needs.principal, ...Object.values({ ...needs.others, ...needs.also })]
  return (
    (needs.optIn ?? []).length === 0 &&
    needs.older !== 'limited' &&
    !roles.some((role) => role?.kind === 'sacrificial') &&
    !neededStates({ needs }).some((state) => provisionOf(state, target).provide === 'manual')
  )
}

/** The most requests that the rate of a key holds back. With a session, few others have a key, to be refused. */
export const pacedRequests = ({ needs, cost }: AnyScenario): number =>
  cost.paced ?? (needs?.session ? cost.turns : cost.requests)

export const pacedCeiling = (scenarios: readonly Planned[]): number =>
  scenarios.reduce((all, { scenario, outlook }) => all + (outlook ? 0 : pacedRequests(scenario)), 0)

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (all, { requests, turns }) => ({ requests: all.requests + requests, turns: all.turns + turns }),
    { requests: 0, turns: 0 },
  )
}
