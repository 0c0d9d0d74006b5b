/**
 * A server that behaves unusually, and conforms, passes every check. Variants that replace different things share a run;
 * a scenario in which the run got no verdict is run again with each of them alone.
 */
import { expect, test } from 'vitest'
import { rulesOf } from '../../simulator/base-rules.ts'
import { variants, type VariantId } from '../../simulator/index.ts'
import type { Variant } from '../../simulator/modification/modification.ts'
import type { TenantState } from '../../simulator/tenant/tenant-state.ts'
import { answerVariants } from '../../simulator/variants/answer.ts'
import { askingVariants } from '../../simulator/variants/asking.ts'
import { billingAndUploadVariants } from '../../simulator/variants/billing-and-uploads.ts'
import { chatVariants } from '../../simulator/variants/chat.ts'
import { effectVariants } from '../../simulator/variants/effects.ts'
import { followUpVariants } from '../../simulator/variants/follow-up.ts'
import { olderVariants } from '../../simulator/variants/older.ts'
import { operationVariants } from '../../simulator/variants/operations.ts'
import { streamVariants } from '../../simulator/variants/stream.ts'
import { workflowVariants } from '../../simulator/variants/workflow.ts'
import { defaultInterpretations, type ClauseId } from '../../spec/index.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { serverScenarios, type Finding } from '../../suites/index.ts'
import { line, simulatedRun } from '../simulated-run.ts'

const ofChat = [answerVariants, chatVariants, streamVariants, workflowVariants, olderVariants]
const ofOperations = [
  askingVariants,
  billingAndUploadVariants,
  effectVariants,
  followUpVariants,
  operationVariants,
]

/** Hooks of different parts change different replies. */
function partOf(id: VariantId): string {
  const isIn = (tables: readonly object[]): boolean => tables.some((table) => Object.hasOwn(table, id))
  return isIn(ofChat) ? 'chat' : isIn(ofOperations) ? 'operations' : 'webhooks'
}

const hookNames = ['reply', 'events', 'delivery', 'bytes'] as const
const noState = {} as TenantState
const plainRules = rulesOf(defaultInterpretations, contractIdentifiers)

/** The rules, interpretations, settings and hooks that a variant replaces. */
function replacedBy(id: VariantId): readonly string[] {
  const variant: Variant = variants[id]
  // Which hooks a variant with a memory has is only known of a tenant.
  const hooks = hookNames.filter((hook) => hook in variant || 'remember' in variant)
  return [
    ...Object.keys(variant.rules?.({ ...plainRules }, noState) ?? {}),
    ...Object.keys(variant.interpretations ?? {}),
    ...Object.keys(variant.wire ?? {}),
    ...hooks.map((hook) => `${partOf(id)} ${hook}`),
  ]
}

/** Leaves most checks without a verdict, so it would hide them from any other. */
const disruptive: VariantId = 'connections-lost'

/**
 * Groups of variants that share one run, as few and as even as it takes. Two that replace the same thing do not: one
 * could hide the other.
 */
function groups(): readonly (readonly VariantId[])[] {
  const ids = (Object.keys(variants) as VariantId[]).filter((id) => id !== disruptive)
  const replacing = Object.groupBy(ids.flatMap(replacedBy), (name) => name)
  const rivals = (id: VariantId): number =>
    Math.max(0, ...replacedBy(id).map((name) => replacing[name]?.length ?? 0))
  const all: { ids: VariantId[]; replaced: Set<string> }[] = []
  for (const id of ids.toSorted((one, other) => rivals(other) - rivals(one))) {
    const replaced = new Set(replacedBy(id))
    const fitting = all.filter((one) => one.replaced.isDisjointFrom(replaced))
    const group = fitting.toSorted((one, other) => one.ids.length - other.ids.length)[0]
    if (!group) all.push({ ids: [id], replaced })
    else {
      group.ids.push(id)
      for (const name of replaced) group.replaced.add(name)
    }
  }
  return [[disruptive], ...all.map(({ ids }) => ids)]
}

const warnsOf = (id: VariantId): readonly ClauseId[] => {
  const { warns }: Variant = variants[id]
  return warns ?? []
}

const redVerdicts: readonly Finding['verdict'][] = ['fail', 'warn', 'error']
const clearVerdicts: readonly Finding['verdict'][] = ['pass', 'observed']

interface Result {
  /** Findings that no variant warns of. */
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
    red: red.map(line),
    warned: expected.filter((clause) => findings.some((one) => isExpected(one) && one.subject === clause)),
    unclear: findings.filter((one) => !clearVerdicts.includes(one.verdict) && !isExpected(one)),
  }
}

/** Without any variant. */
let plain: Promise<Result> | undefined

/** The scenarios that one of several variants may have hidden from the others. */
async function hiddenIn({ unclear }: Result): Promise<typeof serverScenarios> {
  const usual = (await (plain ??= runWith([]))).unclear.map(({ check }) => check)
  const hidden = unclear.filter(({ check }) => !usual.includes(check))
  return Object.fromEntries(
    Object.entries(serverScenarios).filter(([id]) => hidden.some(({ check }) => check.startsWith(`${id}/`))),
  )
}

/** What each of the variants shows by itself in these scenarios. */
async function alone(
  ids: readonly VariantId[],
  scenarios: typeof serverScenarios,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const id of ids) {
    const result = await runWith([id], scenarios)
    results.push({ ...result, red: result.red.map((words) => `${id}: ${words}`) })
  }
  return results
}

test.concurrent.for(groups().map((ids) => [ids.join(', '), ids] as const))('%s', async ([, ids]) => {
  const together = await runWith(ids)
  const hidden = ids.length === 1 ? {} : await hiddenIn(together)
  const results = [together, ...(Object.keys(hidden).length === 0 ? [] : await alone(ids, hidden))]
  const warned = new Set(results.flatMap((result) => result.warned))
  expect(results.flatMap(({ red }) => red)).toEqual([])
  expect(ids.flatMap(warnsOf).filter((clause) => !warned.has(clause))).toEqual([])
})
