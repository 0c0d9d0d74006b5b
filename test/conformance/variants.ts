/**
 * A server that behaves unusually, and conforms, passes every check. Variants that replace different things share a run;
 * a scenario in which the run got no verdict, or failed, is run again with halves of them, down to one.
 */
import { variants, type VariantId } from '../../simulator/index.ts'
import type { Variant } from '../../simulator/modification/modification.ts'
import type { ClauseId } from '../../spec/index.ts'
import { serverScenarios, type Finding } from '../../suites/index.ts'
import { recorded, verdictsIn } from '../golden-verdicts/verdicts.ts'
import { line, simulatedRun, violationsInTraffic } from '../simulated-run.ts'

const warnsOf = (id: VariantId): readonly ClauseId[] => {
  const { warns }: Variant = variants[id]
  return warns ?? []
}

const redVerdicts: readonly Finding['verdict'][] = ['fail', 'warn', 'error']
const clearVerdicts: readonly Finding['verdict'][] = ['pass', 'observed']

interface Result {
  /** Findings that no variant warns of, with the variants that were switched on. */
  readonly red: readonly string[]
  readonly warned: readonly ClauseId[]
  readonly findings: readonly Finding[]
  /** Checks that show nothing about a variant, for want of a verdict or because another may have caused it. */
  readonly unclear: readonly Finding[]
}

async function runWith(
  ids: readonly VariantId[],
  seed: number,
  scenarios = serverScenarios,
): Promise<Result> {
  const run = await simulatedRun({ variants: ids, legacy: true }, { scenarios, seed, runId: 'variants' })
  const expected = ids.flatMap(warnsOf)
  const isExpected = ({ verdict, subject }: Finding): boolean =>
    verdict === 'warn' && expected.some((clause) => clause === subject)
  const { findings } = run.record
  // The older variant depends on no race: by itself, no variant leaves a check of it without a verdict.
  const isRed = ({ verdict, check }: Finding): boolean =>
    redVerdicts.includes(verdict) ||
    (ids.length === 1 && verdict === 'inconclusive' && check.startsWith('older-variant/'))
  const red = findings.filter((one) => isRed(one) && !isExpected(one)).map(line)
  return {
    findings,
    red: [...red, ...violationsInTraffic(run)].map((words) => `${ids.join(', ')}: ${words}`),
    warned: expected.filter((clause) => findings.some((one) => isExpected(one) && one.subject === clause)),
    unclear: findings.filter((one) => !clearVerdicts.includes(one.verdict) && !isExpected(one)),
  }
}

/** Checks that the simulator leaves without a clear verdict when it has no variant. */
const usual = [...verdictsIn(recorded('verdicts')['simulator'] ?? {})].flatMap(([check, verdicts]) =>
  [...verdicts].every((one) => (clearVerdicts as readonly string[]).includes(one)) ? [] : [check],
)

/** What the variants show together, and halves of them in each scenario that this leaves unclear. */
async function resultsOf(
  ids: readonly VariantId[],
  seed: number,
  scenarios = serverScenarios,
): Promise<readonly Result[]> {
  const together = await runWith(ids, seed, scenarios)
  if (ids.length === 1) return [together]
  // The scenarios of a run that one of several variants may have failed, or hidden from the others. Rules only fail.
  const own = together.unclear.filter(({ check }) => !usual.includes(check) && !check.startsWith('rules/'))
  const unclear = Object.fromEntries(
    Object.entries(serverScenarios).filter(([id]) => own.some(({ check }) => check.startsWith(`${id}/`))),
  )
  if (Object.keys(unclear).length === 0) return [together]
  const half = Math.ceil(ids.length / 2)
  const results = [together]
  for (const some of [ids.slice(0, half), ids.slice(half)])
    results.push(...(await resultsOf(some, seed, unclear)))
  return results
}

/** The findings of variants together. Throws with each failed check, and each announced warning that there was not. */
export async function variantFindings(ids: readonly VariantId[], seed: number): Promise<readonly Finding[]> {
  const results = await resultsOf(ids, seed)
  const warned = new Set(results.flatMap((result) => result.warned))
  const silent = ids.flatMap(warnsOf).filter((clause) => !warned.has(clause))
  const problems = [...results.flatMap(({ red }) => red), ...silent.map((clause) => `${clause}: no warning`)]
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return results[0]?.findings ?? []
}
