/** Whether what was planned before the first request is what was judged, and what it leaves out is recorded. */
import { isDeepStrictEqual } from 'node:util'
import { planProblem } from '../../reports/bundle/schema/problem.ts'
import { planDigest } from '../../suites/runner/plan/plan.ts'
import type { Plan, PlanFile, RunRecord } from '../../reports/bundle/record.ts'
import { basisFile } from '../../reports/bundle/names.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import { catalogued, isOfThisCatalogue } from './catalogued.ts'
import {
  notVerified,
  countOf,
  incomplete,
  judged,
  notChecked,
  type InspectionLine,
} from '../../reports/bundle/verify/line.ts'

export function inspectPlan({ json, digest: digestIn, record, cutOff }: OpenedBundle): InspectionLine {
  const reading = json('plan.json')
  if (!reading.ok || planProblem(reading.value) !== null) return notVerified('plan.json is no plan of a run')
  const planned = reading.value as unknown as PlanFile
  const { checks, digest } = planned.plan
  const ids = checks.map(({ check }) => check)
  const digests = [
    ...(planDigest(ids) === digest ? [] : ['its digest is not that of its checks']),
    ...catalogued(planned),
  ]
  if (cutOff && digests.length === 0)
    return incomplete(`${countOf(checks.length, 'check')} planned; what came of them was not written`)
  if (!cutOff && record === null) return notChecked('not checked: run.json is no record')
  const problems = [
    ...digests,
    ...(record === null ? [] : [...differences(planned, record), ...unbalanced(ids, record)]),
  ]
  const words = `${countOf(checks.length, 'check')} planned before the first request, each with one verdict; ${leftOutWords(planned.plan)}${againWords(record && judgedAgain(planned, record, digestIn(basisFile)?.sha256))}`
  if (problems.length === 0 && !isOfThisCatalogue(planned))
    return incomplete(`${words}; not compared with the catalogue: it is of version ${planned.tool.version}`)
  return judged(problems, words, 'the verdicts are not those that were planned')
}

/**
 * How a run was judged again after it had ended, such as `by version 1.3.0`: `touchstone rejudge` keeps plan and
 * journal, and says in the record who judges now, and by which clauses. Null if it was not. `judging`: SHA-256, hex, of
 * judging.json.
 */
export function judgedAgain(
  planned: PlanFile,
  { tool, contract, otherSets }: RunRecord,
  judging: string | undefined,
): string | null {
  const by = isDeepStrictEqual(planned.tool, tool) ? [] : [`by version ${tool.version}`]
  const was = planned.contract.revision === contract.revision ? 'as they were' : planned.contract.revision
  const against = isDeepStrictEqual(planned.contract, contract)
    ? []
    : [`against the clauses of ${contract.revision}, not ${was}`]
  const others = isDeepStrictEqual(planned.otherSets, otherSets) ? [] : ['with other further clause sets']
  const basis = [undefined, judging].includes(planned.judging) ? [] : ['with another policy or dialect']
  const how = [...by, ...against, ...others, ...basis].join(', ')
  return how === '' ? null : how
}

const againWords = (how: string | null): string => (how === null ? '' : `; judged again ${how}`)

function leftOutWords({ leftOut }: Plan): string {
  const left = leftOut.flatMap(({ checks }) => checks).length
  return left === 0 ? 'the catalogue has no others' : `${left} more of the catalogue recorded as left out`
}

const members = ['schemaVersion', 'target', 'budgets', 'plan'] as const

/** The record begins with what was known before the first request. */
function differences(planned: PlanFile, record: RunRecord): readonly string[] {
  const { endedAt: _, lifecycle: __, ...run } = record.run
  const others = members.filter((member) => !isDeepStrictEqual(planned[member], record[member]))
  return [...others, ...(isDeepStrictEqual(planned.run, run) ? [] : ['run'])].map(
    (member) => `run.json and plan.json differ in "${member}"`,
  )
}

function unbalanced(planned: readonly string[], { findings }: RunRecord): readonly string[] {
  const times = new Map<string, number>()
  for (const { check } of findings) times.set(check, (times.get(check) ?? 0) + 1)
  const known = new Set(planned)
  return [
    ...planned.filter((check) => !times.has(check)).map((check) => `${check}: planned and without a verdict`),
    ...[...times.keys()]
      .filter((check) => !known.has(check))
      .map((check) => `${check}: a verdict that was not planned`),
    ...[...times].filter(([, number]) => number > 1).map(([check, number]) => `${check}: ${number} verdicts`),
    ...(known.size === planned.length ? [] : ['a check is planned twice']),
  ]
}
