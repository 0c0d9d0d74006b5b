/** From findings to the two answers of a run: does the target conform, and does the run pass its policy. Pure. */
import {
  canBeExpected,
  isExcused,
  isExpected,
  isMissing,
  namesIn,
  type KnownCheck,
  isPromised,
  marked,
  type Terms,
  withCauses,
} from '../../policy/expected.ts'
import { staleEntries } from '../../policy/baseline.ts'
import type { NotExercisedReason } from '../../scenario/scenario.ts'
import { isShown, verdictsIn } from '../../../bundle/verdict.ts'
import { isFlaky, type Conformance, type Finding, type RunRecord } from '../../../bundle/record.ts'

export interface GateInput extends Terms {
  findings: readonly Finding[]
  /** Ids that were planned; each must have a finding. */
  planned: readonly string[]
  /** Every check there is, whether asked for or not. */
  known: readonly KnownCheck[]
  /** MUST clauses that count, and have to be exercised for a target to conform. */
  mustClauses: readonly string[]
  /** Less was planned than the standard profile has: a selection, or a smaller profile. */
  narrowed: boolean
  /** One of several shards: another may be the one that passes something. */
  isShard: boolean
  /** States that could not be left, in words. */
  stuck: readonly string[]
}

export type Answers = Pick<RunRecord, 'findings' | 'conformance' | 'gate' | 'exitCode'>

/** What is provisional has a finding and no say in either answer. */
export function answersOf(gateInput: GateInput): Answers {
  const findings = withCauses(gateInput.findings.map((finding) => marked(finding, gateInput)))
  const counting = findings.filter(({ provisional }) => !provisional)
  const stalePolicy = staleEntries({ ...gateInput, findings })
  const { known, policy } = gateInput
  const names = namesIn(known)
  const missing = counting.filter(
    (finding) =>
      isMissing(finding) &&
      !finding.waived &&
      !isExcused(finding, counting) &&
      !isExpected(finding, policy.expectedNotExercised, names),
  )
  const cases = [
    ...judgedCases(gateInput, { findings, counting, missing }),
    ...stalePolicy.map((because) => ({ is: true, exitCode: 5, because })),
  ]
  // Equal weights keep the order of the list.
  const against = cases.filter(({ is }) => is).toSorted((a, b) => weightOf(a) - weightOf(b))
  const because = against.map((one) => one.because)
  // What the target lost is no property of it: to run again comes first.
  const acceptable = missing.filter((one) => canBeExpected(one) && !isLossy(one)).map(({ check }) => check)
  return {
    findings,
    conformance: conformanceOf(counting, gateInput.mustClauses, gateInput.narrowed),
    gate: {
      passed: against.length === 0,
      because,
      stalePolicy,
      ...(acceptable.length > 0 ? { missing: acceptable } : {}),
    },
    exitCode: against[0]?.exitCode ?? 0,
  }
}

/** A failed must is never forgiven here, waived or not; a run that left checks out never shows conformance. */
function conformanceOf(
  findings: readonly Finding[],
  mustClauses: readonly string[],
  narrowed: boolean,
): Conformance {
  if (findings.some(({ verdict }) => verdict === 'fail')) return 'nonconformant'
  if (narrowed || findings.some(({ reason }) => reason === 'shard-missing')) return 'partial'
  if (!findings.some(({ verdict }) => verdict === 'pass')) return 'partial'
  const bySubject = Map.groupBy<string, Finding>(findings, ({ subject }) => subject)
  return mustClauses.every((clause) => isShown(verdictsIn(bySubject.get(clause) ?? [])))
    ? 'conformant'
    : 'partial'
}

interface Case {
  is: boolean
  exitCode: number
  because: string
}

/** States that contradict the target file; each is reported with its own detail. */
const statedReasons: readonly NotExercisedReason[] = ['state-not-established', 'state-mismatch']

/** Exit codes by what weighs most: it decides. */
const weights: readonly number[] = [1, 70, 4, 5, 3]
const weightOf = ({ exitCode }: Case): number => weights.indexOf(exitCode)

interface Judged {
  findings: readonly Finding[]
  counting: readonly Finding[]
  missing: readonly Finding[]
}

function judgedCases(
  { planned, policy, stuck, isShard }: GateInput,
  { findings, counting, missing }: Judged,
): readonly Case[] {
  const judged = new Set(findings.map(({ check }) => check))
  // An expired waiver is reported as such.
  const fresh = counting.filter(
    (finding) => finding.verdict === 'fail' && !finding.waived && !isPromised(finding, policy),
  )
  const defects = counting.filter(({ verdict }) => verdict === 'error')
  const lost = planned.filter((check) => !judged.has(check))
  const abandoned = findings.filter(wasAbandoned)
  const cutOff = missing.filter(({ reason }) => reason === 'interrupted')
  const lossy = missing.filter(isLossy)
  const others = missing.filter((one) => !isLossy(one) && !cutOff.includes(one))
  const causes = unique(lossy.map(({ detail = '' }) => detail))
  const untrue = missing.filter(({ reason }) => reason !== undefined && statedReasons.includes(reason))
  return [
    { is: fresh.length > 0, exitCode: 1, because: `${failureWords(fresh)}: ${list(fresh)}` },
    { is: defects.length > 0, exitCode: 70, because: `errors of Touchstone: ${list(defects)}` },
    { is: lost.length > 0, exitCode: 70, because: `planned checks without a verdict: ${some(lost)}` },
    {
      is: abandoned.length > 0,
      exitCode: 4,
      because: `the target stopped responding: ${abandoned[0]?.detail}; ${count(abandoned.length, 'check')} not tested for that`,
    },
    ...unique(cutOff.map(({ detail = '' }) => detail)).map((because) => ({
      is: true,
      exitCode: 3,
      because: `the run was interrupted: ${because}; ${count(cutOff.length, 'check')} not tested for that`,
    })),
    {
      is: lossy.length > 0,
      exitCode: 3,
      because: `${count(lossy.length, 'required check')} without a result, because requests were lost (${causes.slice(0, 2).join('; ')}): ${list(lossy)}; run again when the target answers`,
    },
    ...stuck.map((because) => ({ is: true, exitCode: 3, because })),
    {
      is: !isShard && !counting.some(({ verdict }) => verdict === 'pass'),
      exitCode: 3,
      because: 'no check passed',
    },
    ...unique(untrue.map(({ detail = '' }) => detail)).map((because) => ({ is: true, exitCode: 3, because })),
    {
      is: others.length > 0,
      exitCode: 3,
      because: `required checks without a result: ${list(others)}`,
    },
  ]
}

function failureWords(failures: readonly Finding[]): string {
  const { length } = failures.filter(isFlaky)
  return count(failures.length, 'failure') + (length > 0 ? `, ${length} of them flaky` : '')
}

const unavailable: NotExercisedReason = 'target-unavailable'

export function wasAbandoned({ verdict, reason }: Finding): boolean {
  return verdict === 'not-exercised' && reason === unavailable
}

function isLossy({ verdict, reason }: Finding): boolean {
  return verdict === 'inconclusive' && reason === unavailable
}

function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

const list = (findings: readonly Finding[]): string => some(findings.map(({ check }) => check))

function some(checks: readonly string[]): string {
  const rest = checks.length - 5
  return checks.slice(0, 5).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
