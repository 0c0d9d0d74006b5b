/**
 * One part of a plan, for one of several jobs. Whole scenarios are dealt, by the plan alone: every job deals alike, and
 * what would interfere is in one part.
 */
import type { Shard } from '../../../reports/bundle/record.ts'
import { ConfigurationError } from '../../config/configuration-error.ts'
import { forcing } from '../../config/provided.ts'
import type { Target } from '../../config/target.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'
import { provisionOf } from '../states/state-providers.ts'
import { ceilingOf, scenarioCost } from './ceiling.ts'
import { planDigest, type Planned, type PlannedScenario } from './plan.ts'

export type ShardChoice = Pick<Shard, 'number' | 'of'>

/** The part of a plan, which records what is in the others. Throws a ConfigurationError if there are too many parts. */
export function shardOf(whole: Planned, { number, of }: ShardChoice, target: Target): Planned {
  const own = deal(whole.scenarios, of, target)[number - 1] ?? new Set()
  const scenarios = whole.scenarios.filter((one) => own.has(one))
  const kept = new Set(scenarios.map(({ id }) => id))
  const { checks: all, leftOut, digest } = whole.plan
  const [checks = [], others = []] = [true, false].map((isOwn) =>
    all.filter(({ scenario }) => kept.has(scenario) === isOwn),
  )
  const elsewhere = others.map(({ check }) => check)
  return {
    scenarios,
    plan: {
      checks,
      leftOut: elsewhere.length === 0 ? leftOut : [...leftOut, { by: 'shard', checks: elsewhere }],
      digest: planDigest(checks.map(({ check }) => check)),
      ceiling: ceilingOf(scenarios, target),
      shard: { number, of, plan: digest },
    },
  }
}

type Part = ReadonlySet<PlannedScenario>

/** The dearest first, each to the part with the least so far; equal ones in the order of the plan. */
function deal(scenarios: readonly PlannedScenario[], of: number, target: Target): readonly Part[] {
  const groups = [...Map.groupBy(scenarios, (one) => togetherAs(one.scenario, target) ?? one.id).values()]
    .map((list) => ({ list, weight: weightOf(list, target) }))
    .toSorted((a, b) => b.weight - a.weight)
  const most = groups.filter(({ weight }) => weight > 0).length
  if (of > most)
    throw new ConfigurationError(
      `--shard N/${of}: this plan can be dealt to at most ${most} ${most === 1 ? 'shard' : 'shards'}; use N/${most}`,
    )
  const parts = Array.from({ length: of }, () => ({ load: 0, taken: new Set<PlannedScenario>() }))
  for (const { list, weight } of groups) {
    const least = parts.reduce((one, other) => (other.load < one.load ? other : one))
    least.load += weight
    for (const scenario of list) least.taken.add(scenario)
  }
  return parts.map(({ taken }) => taken)
}

/** Each request takes a place of the paced rate, and a billable turn is answered slowly. Nothing for what cannot run. */
function weightOf(scenarios: readonly PlannedScenario[], target: Target): number {
  return scenarios
    .filter(({ outlook }) => outlook === null)
    .map(({ scenario }) => scenarioCost(scenario, target))
    .reduce((sum, { requests, turns }) => sum + requests + turns, 0)
}

/** What a scenario shares with others that must be in the same part; null if it shares nothing. */
function togetherAs({ needs = {} }: AnyScenario, target: Target): string | null {
  const { states = [], principal, others = {} } = needs
  const kinds = [principal, ...Object.values(others)].map((need) => need?.kind)
  if (kinds.includes('sacrificial') || needs.older === 'limited' || states.includes('rate.limited'))
    return 'the key that may be rate limited'
  if (needs.receiver || needs.event !== undefined || needs.alone) return 'the target and our receiver'
  if (states.some((state) => changesTarget(provisionOf(state, target).provide)))
    return 'the target and our receiver'
  return needs.exclusiveCredits ? 'the credits of the account' : null
}

const changesTarget = (provide: string): boolean =>
  provide === 'manual' || forcing.some((one) => one === provide)
