/** From findings to the two answers of a run: does the target conform, and does the run pass its policy. Pure. */
import type { ClauseId } from '../../spec/index.ts'
import type { Conformance, Finding, RunRecord } from '../record.ts'
import type { KnownFailure, Policy } from '../target/target.ts'
import type { NotExercisedReason, Verdict } from './judgement.ts'
import { matches } from './pattern.ts'

export interface Docket {
  findings: readonly Finding[]
  /** Ids that were planned; each must have a finding. */
  planned: readonly string[]
  /** Every check there is, whether asked for or not. */
  known: readonly string[]
  /** Musts that the suite can judge; all have to be exercised for a target to conform. */
  musts: readonly ClauseId[]
  /** States that could not be left, in words. */
  stuck: readonly string[]
  policy: Policy
  /** ISO date. */
  today: string
}

export type Answers = Pick<RunRecord, 'findings' | 'conformance' | 'gate' | 'exitCode'>

/** Verdicts from worst to best: a clause is as good as the worst of its checks. */
const worstFirst: readonly Verdict[] = [
  'fail',
  'error',
  'inconclusive',
  'not-exercised',
  'warn',
  'not-applicable',
  'pass',
  'observed',
]

export function worst(verdicts: readonly Verdict[]): Verdict | null {
  return worstFirst.find((verdict) => verdicts.includes(verdict)) ?? null
}

export function answersOf(docket: Docket): Answers {
  const findings = waive(docket)
  const policy = brokenPolicy({ ...docket, findings })
  const gate = gateOf({ ...docket, findings }, policy)
  return { findings, conformance: conformanceOf(findings, docket.musts), ...gate }
}

const open: readonly (Verdict | null)[] = [null, 'error', 'inconclusive', 'not-exercised']

/** A failed must is never forgiven here, waived or not; a run without one pass proves nothing. */
function conformanceOf(findings: readonly Finding[], musts: readonly ClauseId[]): Conformance {
  if (findings.some(({ verdict }) => verdict === 'fail')) return 'nonconformant'
  if (!findings.some(({ verdict }) => verdict === 'pass')) return 'partial'
  const bySubject = Map.groupBy(findings, ({ subject }) => subject)
  const clauseVerdict = (clause: ClauseId): Verdict | null =>
    worst((bySubject.get(clause) ?? []).map(({ verdict }) => verdict))
  return musts.some((clause) => open.includes(clauseVerdict(clause))) ? 'partial' : 'conformant'
}

/** An entry covers a failure while it has not expired and, where it names one, the failure is still the same. */
function covers(entry: KnownFailure, { check, fingerprint }: Finding): boolean {
  return entry.check === check && (entry.fingerprint === undefined || entry.fingerprint === fingerprint)
}

/** The entry of the policy that owns a failure today, if there is one. */
export function waiverOf(finding: Finding, { knownFailures }: Policy, today: string): KnownFailure | null {
  if (finding.verdict !== 'fail') return null
  return knownFailures.find((entry) => covers(entry, finding) && entry.expires >= today) ?? null
}

function waive({ findings, policy, today }: Docket): readonly Finding[] {
  return findings.map((finding) => {
    const entry = waiverOf(finding, policy, today)
    if (!entry) return finding
    const { owner, reason, expires } = entry
    return { ...finding, waived: { owner, reason, expires } }
  })
}

const healed: readonly Verdict[] = ['pass', 'warn', 'observed', 'not-applicable']

/** Entries of the policy that no longer say what is the case. */
function brokenPolicy({ findings, known, policy, today }: Docket): readonly string[] {
  return policy.knownFailures.flatMap((entry) => {
    const { check, owner, expires } = entry
    const finding = findings.find((candidate) => candidate.check === check)
    if (expires < today) return [`the known failure ${check} (${owner}) expired on ${expires}`]
    if (!known.includes(check)) return [`the known failure ${check} (${owner}) names no check`]
    if (finding && healed.includes(finding.verdict))
      return [`the known failure ${check} (${owner}) no longer fails: take it out`]
    return []
  })
}

/** Reasons that a policy cannot expect. */
const inexcusable: readonly (NotExercisedReason | undefined)[] = ['interrupted', 'state-not-established']

function isMissing({ level, verdict, reason }: Finding): boolean {
  const unanswered = verdict === 'not-exercised' || verdict === 'inconclusive'
  return unanswered && (level === 'must' || inexcusable.includes(reason))
}

function isExpected(finding: Finding, { expectedNotExercised }: Policy): boolean {
  if (inexcusable.includes(finding.reason)) return false
  const { check, subject, scenario, area, reason = 'inconclusive', states } = finding
  const names = [check, subject, scenario, area, reason, ...states.map(({ state }) => state)]
  return expectedNotExercised.some((pattern) => names.some((name) => matches(pattern, name)))
}

interface Case {
  is: boolean
  exitCode: number
  because: string
}

function gateOf(docket: Docket, stalePolicy: readonly string[]): Pick<RunRecord, 'gate' | 'exitCode'> {
  const { findings, planned, policy, stuck } = docket
  const judged = new Set(findings.map(({ check }) => check))
  const failed = findings.filter(({ verdict, waived }) => verdict === 'fail' && !waived)
  const expired = (finding: Finding): boolean => policy.knownFailures.some((entry) => covers(entry, finding))
  const fresh = failed.filter((finding) => !expired(finding))
  const defects = findings.filter(({ verdict }) => verdict === 'error')
  const lost = planned.filter((check) => !judged.has(check))
  const missing = findings.filter((finding) => isMissing(finding) && !isExpected(finding, policy))
  const untrue = missing.filter(({ reason }) => reason === 'state-not-established')
  const passed = findings.filter(({ verdict }) => verdict === 'pass')
  // In the order of the exit codes: what weighs most decides.
  const cases: readonly Case[] = [
    { is: fresh.length > 0, exitCode: 1, because: `${count(fresh.length, 'must')} failed: ${list(fresh)}` },
    { is: defects.length > 0, exitCode: 70, because: `the suite itself erred: ${list(defects)}` },
    { is: lost.length > 0, exitCode: 70, because: `planned and without a verdict: ${some(lost)}` },
    ...stalePolicy.map((because) => ({ is: true, exitCode: 5, because })),
    ...stuck.map((because) => ({ is: true, exitCode: 3, because })),
    { is: passed.length === 0, exitCode: 3, because: 'no check passed' },
    ...unique(untrue.map(({ detail = '' }) => detail)).map((because) => ({ is: true, exitCode: 3, because })),
    {
      is: missing.length > 0,
      exitCode: 3,
      because: `less was exercised than the policy allows: ${list(missing)}`,
    },
  ]
  const against = cases.filter(({ is }) => is)
  const because = against.map((one) => one.because)
  return { gate: { passed: against.length === 0, because, stalePolicy }, exitCode: against[0]?.exitCode ?? 0 }
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
