/** The run that shards are together: judged anew from all their exchanges, so that nothing rests on how it was dealt. */
import { createHash } from 'node:crypto'
import type {
  Budgets,
  Finding,
  Merged,
  Plan,
  Redaction,
  Run,
  RunOrigin,
  RunRecord,
} from '../../reports/bundle/record.ts'
import { usedTogether } from '../../reports/bundle/shards/used.ts'
import { notExercised } from '../../suites/scenario/ending.ts'
import { notRun } from '../../suites/runner/outcome/judge.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { lifecycleOf } from '../../suites/runner/outcome/run-record.ts'
import { inOrder } from '../../suites/runner/plan/order.ts'
import { planOf, type Scenarios } from '../../suites/runner/plan/plan.ts'
import { checkId, subjectsOf } from '../../suites/runner/outcome/judge.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import type { JudgeBasis } from '../rejudge/read-bundle.ts'
import { missingOf, type ReadShard } from './shards.ts'

/** `shards`: by number, as `readShards` returned them. `origin`: of whoever merges. */
export function mergedRun(
  shards: readonly [ReadShard, ...ReadShard[]],
  basis: JudgeBasis,
  origin: { origin?: RunOrigin },
): Run {
  const records = shards.map(({ run }) => run.record)
  const [
    {
      run: { record: first },
      shard: { of },
    },
  ] = shards
  const scenarios = scenariosFor(first)
  const plan = wholePlan(records, scenarios)
  const merged: Merged = { of, shards: shards.map(({ summary }) => summary) }
  const order = new Map(plan.checks.map(({ scenario }, at) => [scenario, at] as const))
  const { origin: _, ...run } = first.run
  const times = (name: 'startedAt' | 'endedAt'): readonly string[] =>
    records.map((one) => one.run[name]).sort()
  const record: RunRecord = {
    ...first,
    run: {
      ...run,
      ...origin,
      id: idOf(merged),
      startedAt: times('startedAt')[0] ?? run.startedAt,
      endedAt: times('endedAt').at(-1) ?? run.endedAt,
      lifecycle: 'finished',
    },
    budgets: budgetsOf(records),
    plan,
    findings: findingsOf(plan, records, scenarios, merged),
    scenarioRuns: records
      .flatMap(({ scenarioRuns }) => scenarioRuns)
      .toSorted((a, b) => (order.get(a.scenario) ?? 0) - (order.get(b.scenario) ?? 0)),
    used: usedTogether(records),
    merged,
    redaction: redactionOf(records),
  }
  const { signing: __, journal: ___, ...unsigned } = record
  const journal = shards.flatMap((one) => one.run.journal).toSorted((a, b) => a.id - b.id)
  const judged = rejudge({ record: unsigned, journal }, scenarios, basis)
  const lifecycle = lifecycleOf(judged.findings)
  return { record: { ...judged, run: { ...judged.run, lifecycle } }, journal }
}

/** As it was before it was dealt: every shard names the checks of the others. */
function wholePlan(records: readonly RunRecord[], scenarios: Scenarios): Plan {
  const known = new Set(
    records.flatMap(({ plan }) => [
      ...plan.checks.map(({ check }) => check),
      ...plan.leftOut.flatMap(({ by, checks }) => (by === 'shard' ? checks : [])),
    ]),
  )
  const checks = inOrder(Object.entries(scenarios).map(([id, scenario]) => ({ id, scenario }))).flatMap(
    ({ id, scenario }) =>
      subjectsOf(scenario)
        .map((subject) => ({ check: checkId(id, subject), subject, scenario: id }))
        .filter(({ check }) => known.has(check)),
  )
  const sum = (name: keyof Plan['ceiling']): number =>
    records.reduce((all, { plan }) => all + plan.ceiling[name], 0)
  const { profile, only } = records[0]?.run ?? { profile: 'standard', only: [] }
  return planOf(checks, scenarios, { profile, only }, { requests: sum('requests'), turns: sum('turns') })
}

/** In the order of the plan. */
function findingsOf(
  { checks }: Plan,
  records: readonly RunRecord[],
  scenarios: Scenarios,
  merged: Merged,
): readonly Finding[] {
  const found = new Map(records.flatMap(({ findings }) => findings.map((one) => [one.check, one] as const)))
  const numbers = missingOf(merged)
  const which =
    numbers.length === 1
      ? `shard ${numbers[0]} of ${merged.of} is`
      : `shards ${numbers.join(', ')} of ${merged.of} are`
  const { ending } = notExercised('shard-missing', `${which} missing`)
  return checks.flatMap(({ check, scenario: id }) => {
    const scenario = scenarios[id]
    const finding = found.get(check)
    if (finding || !scenario) return finding ?? []
    return notRun(id, scenario, ending).filter((one) => one.check === check)
  })
}

/** Each shard was held to its own. */
function budgetsOf(records: readonly RunRecord[]): Budgets {
  const [first] = records.map(({ budgets }) => budgets)
  if (first === undefined) throw new Error('there is no shard')
  const sum = (name: 'requests' | 'turns' | 'credits'): number =>
    records.reduce((all, { budgets }) => all + budgets[name], 0)
  return { ...first, requests: sum('requests'), turns: sum('turns'), credits: sum('credits') }
}

function redactionOf(records: readonly RunRecord[]): Redaction {
  const counts = new Map<string, number>()
  for (const { redaction } of records)
    for (const [name, number] of Object.entries(redaction?.counts ?? {}))
      counts.set(name, (counts.get(name) ?? 0) + number)
  return {
    counts: Object.fromEntries(counts),
    disclosed: records.some(({ redaction }) => redaction?.disclosed === true),
  }
}

/** The same shards are the same run. */
function idOf({ shards }: Merged): string {
  const digest = createHash('sha256')
    .update(shards.map(({ run }) => run).join('\n'))
    .digest('hex')
  return `merged-${digest.slice(0, 32)}`
}
