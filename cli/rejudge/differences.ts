/** What came out otherwise when a run was judged again, and why: a sentence for each. */
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import { identifiersIn } from '../../suites/wire/exchange.ts'
import type { Basis } from '../../reports/bundle/judging.ts'

export interface JudgedRun {
  record: RunRecord
  basis: Basis
}

/** Empty where every verdict and both answers of the run are what they were. */
export function differences(before: JudgedRun, after: JudgedRun): readonly string[] {
  const known = new Map(before.record.findings.map((finding) => [finding.check, finding]))
  const causes = causesOf(before, after)
  const changed = after.record.findings.flatMap((finding) => {
    const was = known.get(finding.check)
    if (was?.verdict === finding.verdict) return []
    const because = worded([...levelOf(was, finding, after.record), ...causes])
    return [
      `${finding.check}: ${was?.verdict ?? 'no verdict'} → ${finding.verdict}, because ${because}; ${said(finding)}.`,
    ]
  })
  return [...changed, ...answers(before, after)]
}

function levelOf(was: Finding | undefined, { level }: Finding, { contract }: RunRecord): readonly string[] {
  if (was === undefined || was.level === level) return []
  return [`clause set ${contract.revision} has its clause as a ${level.toUpperCase()}`]
}

/** What judges now, and is not what judged then. */
function causesOf(before: JudgedRun, after: JudgedRun): readonly string[] {
  const [was, is] = [before.record.tool, after.record.tool]
  return [
    ...(was.version === is.version ? [] : [`version ${was.version} judged it then and ${is.version} now`]),
    ...(was.suite === is.suite ? [] : ['the suite has other checks than it had then']),
    ...(same(before.basis.dialect, after.basis.dialect) ? [] : ['the dialect of the target is another']),
    ...(same(identifiersIn(before.basis), identifiersIn(after.basis))
      ? []
      : ['the vendor of the target is another']),
  ]
}

function worded(causes: readonly string[]): string {
  return causes.length > 0
    ? causes.join(', and ')
    : 'the judges of this version say otherwise although it has the same number, or the record was changed since'
}

function said({ verdict, expected, got, reason, detail }: Finding): string {
  const words = [reason, detail].filter((part) => part !== undefined && part !== '').join(': ')
  const why = expected === undefined ? words : `expected ${expected}, got ${got ?? 'nothing'}`
  return `the judge says now: ${verdict}${why === '' ? '' : ` (${why.replaceAll(/\s+/g, ' ').slice(0, 300)})`}`
}

function answers(before: JudgedRun, after: JudgedRun): readonly string[] {
  const [was, is] = [before.record, after.record]
  const policy = same(before.basis.policy, after.basis.policy)
  const why = [
    ...(policy ? [] : ['the policy is another']),
    ...(was.contract.digest === is.contract.digest ? [] : ['the clause set is another']),
  ]
  const because = why.length > 0 ? why.join(', and ') : 'of what is said above'
  return [
    ...(was.conformance === is.conformance
      ? []
      : [`conformance: ${was.conformance} → ${is.conformance}, because ${because}.`]),
    ...(was.exitCode === is.exitCode
      ? []
      : [`gate: exit code ${was.exitCode} → ${is.exitCode}, because ${because}: ${gateOf(is)}.`]),
  ]
}

function gateOf({ gate }: RunRecord): string {
  return gate.passed ? 'the gate passes now' : (gate.because[0] ?? 'the gate fails now')
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
