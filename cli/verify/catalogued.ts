/** Whether a plan and what it says it leaves out are the catalogue of checks, so that none was dropped in silence. */
import { planDigest, leftOutOf } from '../../suites/runner/plan/plan.ts'
import { checkId, subjectsOf } from '../../suites/runner/outcome/judge.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import type { LeftOut, Opening, Plan } from '../../reports/bundle/record.ts'
import { scenariosFor } from '../../suites/scenarios.ts'

type Planned = Opening & { plan: Plan }

/** Whether it was planned from the checks that this version has. */
export function isOfThisCatalogue(planned: Planned): boolean {
  return toolOf(planned.tool.version, scenariosFor(planned)).suite === planned.tool.suite
}

/** Problems in words. Of a plan of another catalogue, only what its own digest shows. */
export function catalogued(planned: Planned): readonly string[] {
  const { checks, leftOut } = planned.plan
  const ids = checks.map(({ check }) => check)
  const all = [...ids, ...leftOut.flatMap((one) => one.checks)]
  if (isOfThisCatalogue(planned)) return differences(planned, ids, all)
  return planDigest(all) === planned.tool.suite
    ? []
    : ['what was planned and what was left out are not, together, the checks of the suite']
}

function differences(planned: Planned, ids: readonly string[], all: readonly string[]): readonly string[] {
  const scenarios = scenariosFor(planned)
  const known = Object.entries(scenarios).flatMap(([id, scenario]) =>
    subjectsOf(scenario).map((subject) => checkId(id, subject)),
  )
  const stated = new Set(all)
  const there = new Set(known)
  const reasons = reasonsIn(leftOutOf(scenarios, planned.run, ids))
  const optional = new Set(
    optionalChecks(scenarios, new Set(planned.plan.checks.map(({ scenario }) => scenario))),
  )
  return [
    ...known
      .filter((check) => !stated.has(check))
      .map((check) => `${check}: neither planned nor said to be left out`),
    ...all.filter((check) => !there.has(check)).map((check) => `${check}: is not in the catalogue`),
    ...(stated.size === all.length ? [] : ['a check is named twice, as planned or as left out']),
    ...[...reasonsIn(planned.plan.leftOut)]
      .filter(([check, by]) => there.has(check) && !isReason(by, reasons.get(check), optional.has(check)))
      .map(([check, by]) => `${check}: is said to be left out by \`${by}\`, which is not so`),
    ...dealt(planned.plan, ids),
  ]
}

/** What is left to other shards is what the whole plan has besides. */
function dealt({ shard, leftOut }: Plan, ids: readonly string[]): readonly string[] {
  const others = leftOut.flatMap(({ by, checks }) => (by === 'shard' ? checks : []))
  if (shard === undefined)
    return others.length === 0 ? [] : ['checks are said to be of other shards, and the plan is no shard']
  return planDigest([...ids, ...others]) === shard.plan
    ? []
    : ['its checks and those of the other shards are not, together, the whole plan']
}

/** What was asked for and is not planned is of another shard, or not declared. */
function isReason(by: LeftOut['by'], follows: LeftOut['by'] | undefined, isOptional: boolean): boolean {
  if (by === 'shard') return follows === 'not-declared'
  return by === follows && (by !== 'not-declared' || isOptional)
}

function reasonsIn(leftOut: readonly LeftOut[]): ReadonlyMap<string, LeftOut['by']> {
  return new Map(leftOut.flatMap(({ by, checks }) => checks.map((check) => [check, by] as const)))
}

/** Of scenarios that a plan may leave out for what the target does not declare, or for want of others: as a whole. */
function optionalChecks(
  scenarios: ReturnType<typeof scenariosFor>,
  planned: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(scenarios).flatMap(([id, scenario]) =>
    (scenario.needs?.extra || scenario.rule) && !planned.has(id)
      ? subjectsOf(scenario).map((subject) => checkId(id, subject))
      : [],
  )
}
