/** Whether what was planned before the first request is what was judged, and what it leaves out is recorded. */
import { isDeepStrictEqual } from 'node:util'
import { basisFile } from '../../bundle/names.ts'
import type { LeftOut, Opening, Plan, PlanFile, RunRecord } from '../../bundle/record.ts'
import { isNewer, planProblem } from '../../bundle/schema/problem.ts'
import * as line from '../../bundle/verify/schema.ts'
import type { OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import { checkId, subjectsOf } from '../../suites/runner/outcome/judge.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import { leftOutOf, planDigest } from '../../suites/runner/plan/plan.ts'
import { scenariosFor } from '../../suites/scenarios.ts'

export function inspectPlan({
  has,
  json,
  digest: digestIn,
  record,
  cutOff,
}: OpenedBundle): line.InspectionLine {
  const reading = json('plan.json')
  const problem = reading.ok ? planProblem(reading.value) : reading.why
  if (problem !== null && isNewer(problem)) return line.incomplete(line.ofNewer)
  if (!reading.ok || problem !== null) return line.notVerified('plan.json is no plan of a run')
  const planned = reading.value as unknown as PlanFile
  const { checks, digest, leftOut } = planned.plan
  const ids = checks.map(({ check }) => check)
  // Whether it was planned from the checks that this version has.
  const ofThis = toolOf(planned.tool.version, scenariosFor(planned)).suite === planned.tool.suite
  const digests = [
    ...(planDigest(ids) === digest ? [] : ['its digest is not that of its checks']),
    ...catalogued(planned, ids, ofThis),
  ]
  if (cutOff && digests.length === 0)
    return line.incomplete(
      `${line.countOf(checks.length, 'check')} planned; what came of them was not written`,
    )
  if (!cutOff && record === null)
    return line.notChecked(`not checked: run.json is ${has('run.json') ? 'not valid' : 'missing'}`)
  const problems = [...digests, ...(record === null ? [] : otherwise(planned, ids, record))]
  const left = leftOut.flatMap((one) => one.checks).length
  const others =
    left === 0 ? 'the catalogue has no others' : `${left} more of the catalogue recorded as left out`
  const how = record && judgedAgain(planned, record, digestIn(basisFile)?.sha256)
  const words = `${line.countOf(checks.length, 'check')} planned before the first request, each with one verdict; ${others}${how === null ? '' : `; judged again ${how}`}`
  if (problems.length === 0 && !ofThis)
    return line.incomplete(
      `${words}; not compared with the catalogue: it is of version ${planned.tool.version}`,
    )
  return line.judged(problems, words, 'the verdicts are not those that were planned')
}

/**
 * How a run was judged again after it had ended, such as `by version 1.3.0`: `touchstone verify --rejudge` keeps plan and
 * journal, and says in the record who judges now, and by which clauses. Null if it was not. `judging`: SHA-256, hex, of
 * judging.json.
 */
export function judgedAgain(
  planned: PlanFile,
  { tool, contract }: RunRecord,
  judging: string | undefined,
): string | null {
  const was = planned.contract.revision === contract.revision ? 'as they were' : planned.contract.revision
  const how = [
    isDeepStrictEqual(planned.tool, tool) ? '' : `by version ${tool.version}`,
    isDeepStrictEqual(planned.contract, contract)
      ? ''
      : `against the clauses of ${contract.revision}, not ${was}`,
    [undefined, judging].includes(planned.judging) ? '' : 'with another policy or dialect',
  ]
  return how.filter((words) => words !== '').join(', ') || null
}

const members = ['schemaVersion', 'target', 'budgets', 'plan'] as const

/** The record begins with what was known before the first request, and has one verdict for each check. */
function otherwise(planned: PlanFile, ids: readonly string[], record: RunRecord): readonly string[] {
  const { endedAt: _, lifecycle: __, ...run } = record.run
  const differing: readonly string[] = members.filter(
    (member) => !isDeepStrictEqual(planned[member], record[member]),
  )
  const times = Map.groupBy(record.findings, ({ check }) => check)
  const known = new Set(ids)
  return [
    ...[...differing, ...(isDeepStrictEqual(planned.run, run) ? [] : ['run'])].map(
      (member) => `run.json and plan.json differ in "${member}"`,
    ),
    ...ids.filter((check) => !times.has(check)).map((check) => `${check}: planned and without a verdict`),
    ...[...times.keys()]
      .filter((check) => !known.has(check))
      .map((check) => `${check}: a verdict that was not planned`),
    ...[...times].flatMap(([check, { length }]) => (length > 1 ? [`${check}: ${length} verdicts`] : [])),
    ...(known.size === ids.length ? [] : ['a check is planned twice']),
  ]
}

type Planned = Opening & { plan: Plan }

/**
 * Whether a plan and what it says it leaves out are the catalogue of checks, so that none was dropped in silence. Of a
 * plan of another catalogue, only what its own digest shows.
 */
function catalogued(planned: Planned, ids: readonly string[], ofThis: boolean): readonly string[] {
  const { leftOut, shard, checks } = planned.plan
  const all = [...ids, ...leftOut.flatMap((one) => one.checks)]
  if (!ofThis)
    return planDigest(all) === planned.tool.suite
      ? []
      : ['what was planned and what was left out are not, together, the checks of the suite']
  const scenarios = scenariosFor(planned)
  const checksOf = Object.entries(scenarios).map(([id, scenario]) => {
    const own = subjectsOf(scenario).map((subject) => checkId(id, subject))
    // A plan may leave those out as a whole for what the target does not declare, or for want of others.
    const mayGo = (scenario.needs?.extra || scenario.rule) && !checks.some((one) => one.scenario === id)
    return { own, optional: mayGo ? own : [] }
  })
  const known = new Set(checksOf.flatMap(({ own }) => own))
  const optional = new Set(checksOf.flatMap((one) => one.optional))
  const stated = new Set(all)
  const reasons = new Map(reasonsIn(leftOutOf(scenarios, planned.run, ids)))
  const isReason = (by: LeftOut['by'], check: string): boolean => {
    const follows = reasons.get(check)
    // A whole plan also has what a selection needs, such as the last look: then that, too, may be of another shard.
    if (by === 'shard') return follows === 'not-declared' || follows === 'selection'
    return by === follows && (by !== 'not-declared' || optional.has(check))
  }
  const others = leftOut.flatMap((one) => (one.by === 'shard' ? one.checks : []))
  return [
    ...[...known]
      .filter((check) => !stated.has(check))
      .map((check) => `${check}: neither planned nor said to be left out`),
    ...all.filter((check) => !known.has(check)).map((check) => `${check}: is not in the catalogue`),
    ...(stated.size === all.length ? [] : ['a check is named twice, as planned or as left out']),
    ...new Map(reasonsIn(leftOut))
      .entries()
      .filter(([check, by]) => known.has(check) && !isReason(by, check))
      .map(([check, by]) => `${check}: is said to be left out by \`${by}\`, which is not so`),
    ...(!shard && others.length > 0
      ? ['checks are said to be of other shards, and the plan is no shard']
      : []),
    // What is left to other shards is what the whole plan has besides.
    ...(shard && planDigest([...ids, ...others]) !== shard.plan
      ? ['its checks and those of the other shards are not, together, the whole plan']
      : []),
  ]
}

const reasonsIn = (leftOut: readonly LeftOut[]): readonly (readonly [check: string, by: LeftOut['by']])[] =>
  leftOut.flatMap(({ by, checks }) => checks.map((check) => [check, by] as const))
