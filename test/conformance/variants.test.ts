/**
 * A server that behaves unusually, and conforms, passes every check. Variants that replace different things share a run;
 * a scenario in which the run got no verdict, or failed, is run again with halves of them, down to one.
 */
import { expect, test } from 'vitest'
import { variants, type VariantId } from '../../simulator/index.ts'
import type { Variant } from '../../simulator/modification/modification.ts'
import type { ClauseId } from '../../spec/index.ts'
import { serverScenarios, type Finding } from '../../suites/index.ts'
import { line, simulatedRun } from '../simulated-run.ts'
import { variantGroups } from './variant-groups.ts'

const warnsOf = (id: VariantId): readonly ClauseId[] => {
  const { warns }: Variant = variants[id]
  return warns ?? []
}

const redVerdicts: readonly Finding['verdict'][] = ['fail', 'warn', 'error']
const clearVerdicts: readonly Finding['verdict'][] = ['pass', 'observed']

interface Result {
  /** Findings that no variant warns of, with the variants that were switched on. */
  red: readonly string[]
  warned: readonly ClauseId[]
  /** Checks that show nothing about a variant, for want of a verdict or because another may have caused it. */
  unclear: readonly Finding[]
}

async function runWith(ids: readonly VariantId[], scenarios = serverScenarios): Promise<Result> {
  const run = await simulatedRun({ variants: ids, legacy: true }, { scenarios })
  const expected = ids.flatMap(warnsOf)
  const isExpected = ({ verdict, subject }: Finding): boolean =>
    verdict === 'warn' && expected.some((clause) => clause === subject)
  const { findings } = run.record
  // The older variant depends on no race: by itself, no variant leaves a check of it without a verdict.
  const isRed = ({ verdict, check }: Finding): boolean =>
    redVerdicts.includes(verdict) ||
    (ids.length === 1 && verdict === 'inconclusive' && check.startsWith('older-variant/'))
  const red = findings.filter((one) => isRed(one) && !isExpected(one))
  return {
    red: red.map((finding) => `${ids.join(', ')}: ${line(finding)}`),
    warned: expected.filter((clause) => findings.some((one) => isExpected(one) && one.subject === clause)),
    unclear: findings.filter((one) => !clearVerdicts.includes(one.verdict) && !isExpected(one)),
  }
}

/** Without any variant. */
let plain: Promise<Result> | undefined

/** The scenarios of a run that one of several variants may have failed, or hidden from the others. */
async function unclearIn({ unclear }: Result): Promise<typeof serverScenarios> {
  const usual = (await (plain ??= runWith([]))).unclear.map(({ check }) => check)
  const own = unclear.filter(({ check }) => !usual.includes(check))
  return Object.fromEntries(
    Object.entries(serverScenarios).filter(([id]) => own.some(({ check }) => check.startsWith(`${id}/`))),
  )
}

/** What the variants show together, and halves of them in each scenario that this leaves unclear. */
async function resultsOf(ids: readonly VariantId[], scenarios = serverScenarios): Promise<readonly Result[]> {
  const together = await runWith(ids, scenarios)
  if (ids.length === 1) return [together]
  const unclear = await unclearIn(together)
  if (Object.keys(unclear).length === 0) return [together]
  const half = Math.ceil(ids.length / 2)
  const results = [together]
  for (const some of [ids.slice(0, half), ids.slice(half)]) results.push(...(await resultsOf(some, unclear)))
  return results
}

test.concurrent.for(variantGroups().map((ids) => [ids.join(', '), ids] as const))('%s', async ([, ids]) => {
  const results = await resultsOf(ids)
  const warned = new Set(results.flatMap((result) => result.warned))
  expect(results.flatMap(({ red }) => red)).toEqual([])
  expect(ids.flatMap(warnsOf).filter((clause) => !warned.has(clause))).toEqual([])
})
