/** What will be run, in which order, and the most it can take. Pure: no request is made. */
import { createHash } from 'node:crypto'
import { areaOf, type Area, type ClauseId } from '../../../spec/index.ts'
import type { Plan, Shard, LeftOut } from '../../../bundle/record.ts'
import { ConfigurationError, type Profile, type Target } from '../../config/target.ts'
import type { Policy } from '../../policy/policy.ts'
import { unknownEntries } from '../../policy/baseline.ts'
import { endingOf, ScenarioEnded, type Ending } from '../../scenario/ending.ts'
import { ceilingOf, scenarioCost, isWithin, knownChecks, mustMatch, selected } from './selection.ts'
import { choosingFor } from './operation-choice.ts'
import { checkId, type CheckSubject, subjectsOf } from '../outcome/judge.ts'
import { barred, provisionOf, withWays } from '../states/state-providers.ts'
import type { Permits } from '../states/providers/provider.ts'
import { neededStates, type AnyScenario } from '../../scenario/scenario.ts'
import { envelopeUnknown, unknownEnvelope } from '../requests/execution-request.ts'
import { listingOf, uploadStep } from '../requests/operations-requests.ts'
import { settle } from '../states/settings.ts'
import { forcing } from '../../config/provided.ts'

/** Scenarios by id, `<file>/<scenario>`. */
export type Scenarios = Readonly<Record<string, AnyScenario>>

export interface PlannedScenario<S extends AnyScenario = AnyScenario> {
  id: string
  scenario: S
  /** The clauses and gaps of it that were asked for. */
  subjects: readonly CheckSubject[]
  /** Why it cannot be run on this target, or null. */
  outlook: Ending | null
}

export interface Planned<S extends AnyScenario = AnyScenario> {
  plan: Plan
  /** In the order they are run. */
  scenarios: readonly PlannedScenario<S>[]
}

/**
 * What of the target's profile was asked for. `only`: patterns over scenario, check, clause, gap and area, where
 * `*` matches anything; without any, everything. Throws a ConfigurationError when one of them matches nothing,
 * when nothing is left, and when the policy speaks of checks that there are not.
 */
export function planRun(
  scenarios: Scenarios,
  declared: Target,
  only: readonly string[] = [],
  permits: Permits = {},
): Planned {
  const target = withWays(declared, permits)
  mustMatch(scenarios, only)
  const wanted = Object.entries(scenarios)
    .map(([id, scenario]) => ({ id, scenario, subjects: selected(id, scenario, only) }))
    .filter(({ subjects }) => subjects.length > 0)
  const possible = inOrder([...wanted, ...feedersOf(wanted, scenarios)])
    .filter(({ scenario }) => isWithin(scenario, target.profile))
    .map((scenario) => ({ ...scenario, outlook: outlookOf(scenario, target, permits) }))
  const planned = possible.filter(
    (one) => !(one.scenario.needs?.extra && one.outlook) && isFed(one, possible),
  )
  const { profile, policy } = target
  if (planned.length === 0) {
    const outlook = possible[0]?.outlook
    throw new ConfigurationError(
      outlook
        ? `what matches ${only.join(', ')} cannot be run here: ${outlook.because}`
        : `what matches ${only.join(', ')} is beyond the profile ${profile}; choose a larger profile`,
    )
  }
  mustBeKnown(policy, scenarios, profile)
  const plan = planOf(checksOf(planned), scenarios, { profile, only }, ceilingOf(planned, target))
  return { plan, scenarios: planned }
}

/** The plan for a target without a target file: the standard profile in the order of the table. */
export interface StandardPlan<S extends AnyScenario> {
  policy: Policy
  only: readonly string[]
  /** Why a scenario cannot be run, or null. */
  outlookOf: (scenario: S) => Ending | null
  /** Requests before the first scenario. */
  requests?: number
}

/** Throws a ConfigurationError if the policy names checks that do not exist. */
export function planStandard<S extends AnyScenario>(
  all: Readonly<Record<string, S>>,
  { policy, only, outlookOf, requests = 0 }: StandardPlan<S>,
): Planned<S> {
  const scenarios = Object.entries(all)
    .map(([id, scenario]) => ({ id, scenario, subjects: selected(id, scenario, only) }))
    .filter(({ subjects }) => subjects.length > 0)
    .map((one) => ({ ...one, outlook: outlookOf(one.scenario) }))
  mustBeKnown(policy, all, 'standard')
  const runnable = scenarios.filter(({ outlook }) => outlook === null)
  const most = runnable.reduce((sum, { scenario }) => sum + scenario.cost.requests, requests)
  const chosen = { profile: 'standard', only } as const
  return { plan: planOf(checksOf(scenarios), all, chosen, { requests: most, turns: 0 }), scenarios }
}

export function mustBeKnown(policy: Policy, scenarios: Scenarios, profile: Profile): void {
  const unknown = unknownEntries({ policy, known: knownChecks(scenarios, profile) })
  if (unknown.length > 0) throw new ConfigurationError(...unknown)
}

function checksOf(planned: readonly PlannedScenario[]): Plan['checks'] {
  return planned.flatMap(({ id, subjects }) =>
    subjects.map((subject) => ({ check: checkId(id, subject), subject, scenario: id })),
  )
}

export function planOf(
  checks: Plan['checks'],
  scenarios: Scenarios,
  chosen: Chosen,
  ceiling: Plan['ceiling'],
): Plan {
  const ids = checks.map(({ check }) => check)
  return { checks, leftOut: leftOutOf(scenarios, chosen, ids), digest: planDigest(ids), ceiling }
}

/** The last look, and where no scenario of the area of a rule's check was asked for, what is quick of it, or all. */
function feedersOf(wanted: readonly Pick<PlannedScenario, 'scenario' | 'subjects'>[], scenarios: Scenarios) {
  const asked = wanted.flatMap(({ scenario, subjects }) => (scenario.rule ? subjects : []))
  const there = new Set(wanted.flatMap(({ scenario }) => (scenario.rule ? [] : areasOf(scenario))))
  const missing = new Set(asked.map((subject) => areaOf[subject as ClauseId])).difference(there)
  const senders = Object.entries(scenarios).filter(([, one]) => !one.rule)
  const isQuick = ({ profile, cost }: AnyScenario): boolean =>
    profile === 'smoke' || (cost.turns === 0 && cost.requests <= 30)
  const slow = missing.difference(new Set(senders.flatMap(([, one]) => (isQuick(one) ? areasOf(one) : []))))
  return senders
    .filter(
      ([, one]) =>
        (one.last && asked.length > 0 && !wanted.some(({ scenario }) => scenario === one)) ||
        areasOf(one).some((area) => (isQuick(one) ? missing : slow).has(area)),
    )
    .map(([id, scenario]) => ({ id, scenario, subjects: subjectsOf(scenario) }))
}

/** A rule is about areas in which a scenario of the plan can send something; any turn may be refused. */
function isFed({ scenario }: PlannedScenario, all: readonly PlannedScenario[]): boolean {
  if (!scenario.rule) return true
  const areas = new Set(areasOf(scenario))
  return all.some(
    ({ scenario: one, outlook }) =>
      !one.rule &&
      outlook === null &&
      (areasOf(one).some((area) => areas.has(area)) || (one.cost.turns > 0 && areas.has('chat-errors'))),
  )
}

const areasOf = ({ judge }: AnyScenario): readonly Area[] =>
  Object.keys(judge).map((clause) => areaOf[clause as ClauseId])

function outlookOf(
  { id, scenario }: Pick<PlannedScenario, 'id' | 'scenario'>,
  target: Target,
  permits: Permits,
): Ending | null {
  if (scenario.rule && !scenario.needs) return null
  const setting = settle(scenario, target, '', choosingFor(id, target, permits))
  if (setting instanceof ScenarioEnded) return setting.ending
  const { shows = [], uploads, operation, executes = operation !== undefined } = scenario.needs ?? {}
  for (const state of neededStates(scenario)) {
    const bar = barred(state, target, permits)
    if (bar) return bar.ending
  }
  try {
    const isByOperation = shows.map((listing) => 'operation' in listingOf(listing, target)).includes(true)
    if ((executes || isByOperation) && envelopeUnknown(target)) return unknownEnvelope.ending
    if (uploads)
      uploadStep(uploads, target.dialect.uploads?.[uploads]?.prepare ? 'prepare' : 'finalize', target)
    return null
  } catch (thrown) {
    return endingOf(thrown)
  }
}

/** SHA-256, hex, over the sorted ids. */
export function planDigest(checks: readonly string[]): string {
  return createHash('sha256')
    .update([...checks].sort().join('\n'))
    .digest('hex')
}

export type ShardChoice = Pick<Shard, 'number' | 'of'>

/**
 * Whole scenarios are dealt, by the plan alone: every job deals alike, and what would interfere is in one part. The part
 * records what is in the others. Throws a ConfigurationError if there are too many parts.
 */
export function shardOf(whole: Planned, { number, of }: ShardChoice, target: Target): Planned {
  // The dearest first, each to the part with the least so far; equal ones in the order of the plan.
  const groups = [
    ...Map.groupBy(whole.scenarios, (one) => togetherAs(one.scenario, target) ?? one.id).values(),
  ]
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
  const own = parts.map(({ taken }) => taken)[number - 1] ?? new Set()
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

/** The order depends on the catalogue alone. */
export function inOrder<T extends { scenario: AnyScenario }>(scenarios: readonly T[]): readonly T[] {
  return scenarios.toSorted((a, b) => orderOf(a.scenario) - orderOf(b.scenario))
}

/** The smoke profile first; then by price, and in the smoke profile by the clauses for a request. Sorting is stable. */
function orderOf(scenario: AnyScenario): number {
  if (scenario.rule) return Infinity
  if (scenario.last) return Number.MAX_VALUE
  const { cost, profile } = scenario
  if (profile !== 'smoke') return 1_000 + price(scenario)
  return 100 * price(scenario) + cost.requests / subjectsOf(scenario).length
}

/** Free requests first, then billable ones, then slow ones, and the deliberate 429 last; rules send nothing, and see all. */
function price({ needs = {}, cost }: AnyScenario): number {
  const people = [needs.principal, ...Object.values(needs.others ?? {})]
  const limited = needs.states?.includes('rate.limited') ?? false
  if (limited || needs.older === 'limited') return 3
  if (people.some((need) => need?.kind === 'sacrificial')) return 3
  if (needs.optIn?.includes('slow')) return 2
  return cost.turns > 0 ? 1 : 0
}
