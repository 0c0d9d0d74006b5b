/** In which order scenarios are run. Depends on the catalogue alone. */
import type { AnyScenario } from '../../scenario/scenario.ts'
import { subjectsOf } from '../outcome/judge.ts'

export function inOrder<T extends { scenario: AnyScenario }>(scenarios: readonly T[]): readonly T[] {
  return scenarios.toSorted((a, b) => orderOf(a.scenario) - orderOf(b.scenario))
}

/**
 * The smoke profile first, and in it what tests most clauses for its requests; then by price. Sorting is stable.
 */
function orderOf(scenario: AnyScenario): number {
  const { cost, profile } = scenario
  if (profile !== 'smoke' || price(scenario) > 1) return 1_000 + price(scenario)
  return cost.requests / subjectsOf(scenario).length
}

/** Free requests first, then billable ones, then slow ones, and the deliberate 429 last. */
function price({ needs = {}, cost }: AnyScenario): number {
  const people = [needs.principal, ...Object.values(needs.others ?? {})]
  const limited = needs.states?.includes('rate.limited') ?? false
  if (limited || needs.older === 'limited') return 3
  if (people.some((need) => need?.kind === 'sacrificial')) return 3
  if (needs.optIn?.includes('slow')) return 2
  return cost.turns > 0 ? 1 : 0
}
