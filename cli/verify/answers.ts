/** Whether the two answers of a run follow from its findings and the policy beside it. */
import { isDeepStrictEqual } from 'node:util'
import { clauseSetProblem } from '../../reports/bundle/clause-set.ts'
import { judgingProblem } from '../../reports/bundle/schema/problem.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import { answersFor } from '../../suites/runner/outcome/run-record.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import type { JudgeBasis } from '../rejudge/read-bundle.ts'
import type { OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import { incomplete, judged, notChecked, type InspectionLine } from '../../reports/bundle/verify/line.ts'

export function inspectAnswers({ record, json, cutOff }: OpenedBundle): InspectionLine {
  if (cutOff) return incomplete('no answers were written')
  const basis = json('judging.json')
  if (record === null || !basis.ok || judgingProblem(basis.value) !== null)
    return notChecked('not checked: there is no record, or no policy')
  if (!isOfThisSuite(record))
    return incomplete(
      `not checked: version ${record.tool.version} judged, by other checks than this one; verify with that version`,
    )
  const { policy } = basis.value as unknown as JudgeBasis
  const again = answersFor(record, scenariosFor(record), policy, record.run.endedAt)
  const { conformance, gate, exitCode, findings } = record
  return judged(
    problemsOf(record, again),
    `result recomputed from ${findings.length} findings: same (${conformance}, gate ${gate.passed ? 'passed' : 'failed'}, exit code ${exitCode})`,
    'the result does not follow from the findings',
  )
}

/** The same checks, and the same clauses that count. */
export function isOfThisSuite(record: RunRecord): boolean {
  const { suite } = toolOf(record.tool.version, scenariosFor(record))
  return record.tool.suite === suite
}

type Answers = ReturnType<typeof answersFor>

function problemsOf(stated: RunRecord, again: Answers): readonly string[] {
  const differing = (name: string, one: unknown, other: unknown): readonly string[] =>
    isDeepStrictEqual(one, other) ? [] : [`${name} is stated as ${quoted(one)}, and ${quoted(other)} follows`]
  return [
    ...differing('conformance', stated.conformance, again.conformance),
    ...differing('the gate', stated.gate.passed, again.gate.passed),
    ...differing('the exit code', stated.exitCode, again.exitCode),
    ...differing('what is stale in the policy', stated.gate.stalePolicy, again.gate.stalePolicy),
    ...(follows(stated.gate.because, again.gate.because)
      ? []
      : ['the reasons of the gate are not those that follow']),
    ...stated.findings
      .filter((finding, at) => !isDeepStrictEqual(finding, again.findings[at]))
      .map(({ check }) => `${check}: waived or counted otherwise than the policy says`),
    ...differing('what follows under other clause sets', stated.otherAnswers, again.otherAnswers),
    ...[stated.contract, ...(stated.otherSets ?? [])].flatMap((set) => clauseSetProblem(set) ?? []),
  ]
}

/** A warning from before the first scenario may stand before the reasons. */
function follows(stated: readonly string[], again: readonly string[]): boolean {
  return isDeepStrictEqual(stated, again) || (again.length > 0 && isDeepStrictEqual(stated.slice(1), again))
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
