/** What a run was not expected to exercise: which findings an expectation means, and whether it still holds. */
import { notExercisedReasons, type NotExercisedReason } from '../scenario/scenario.ts'
import type { Finding, Waiver } from '../../bundle/record.ts'
import type { ExpectedNotExercised, Day, KnownFailure, Policy, Promised } from './policy.ts'
import { chatAreas, operationAreas, webhookAreas, type ClauseLevels } from '../../spec/index.ts'
import { atLevel, isProvisional } from './clause-set-file.ts'

export interface KnownCheck {
  check: string
  /** Check, clause, scenario, area and the states it needs. */
  names: readonly string[]
  /** It is within the profile of the run; of the smoke profile, within the standard one, which it is a part of. */
  offered: boolean
}

export const inexcusable: readonly (NotExercisedReason | undefined)[] = [
  'interrupted',
  'budget-exhausted',
  'shard-missing',
  'state-not-established',
  'state-mismatch',
]

/** Words for why a check has no answer, which a pattern may name. */
const reasons: readonly string[] = ['inconclusive', ...notExercisedReasons]

function isUnanswered({ verdict }: Finding): boolean {
  return verdict === 'not-exercised' || verdict === 'inconclusive'
}

/** A must without an answer, or anything that no policy can excuse. What a rule never saw, other checks miss. */
export function isMissing(finding: Finding): boolean {
  return (
    isUnanswered(finding) &&
    finding.reason !== 'never-seen' &&
    (finding.level === 'must' || !canBeExpected(finding))
  )
}

export function canBeExpected({ reason }: Finding): boolean {
  return !inexcusable.includes(reason)
}

export type FindingNames = (finding: Finding) => readonly string[]

export function namesIn(known: readonly KnownCheck[]): FindingNames {
  const byCheck = new Map(known.map(({ check, names }) => [check, names]))
  return ({ check, subject, scenario, area, states, reason = 'inconclusive' }) => [
    ...(byCheck.get(check) ?? [check, subject, scenario, area]),
    ...states.map(({ state }) => state),
    reason,
  ]
}

/** What is inconclusive is expected only by an entry that names something, what the target lost only by its check. */
export function isExpected(
  finding: Finding,
  expectations: readonly ExpectedNotExercised[],
  names: FindingNames,
): boolean {
  if (!canBeExpected(finding)) return false
  if (finding.reason === 'target-unavailable')
    return expectations.some(({ pattern }) => pattern === finding.check)
  const some =
    finding.verdict === 'inconclusive' ? expectations.filter((one) => !meansEverything(one)) : expectations
  return some.some((entry) => isMeant(entry, finding, names))
}

/** A permission and no statement, so no run can contradict it. */
export function meansEverything({ pattern }: ExpectedNotExercised): boolean {
  return /^\*+$/.test(pattern)
}

export function isMeant({ pattern }: ExpectedNotExercised, finding: Finding, names: FindingNames): boolean {
  return isUnanswered(finding) && names(finding).some((name) => matchesPattern(pattern, name))
}

/** The checks of a profile that an expectation can speak of; for one that names a reason, all of them. */
export function checksMeant(
  { pattern }: ExpectedNotExercised,
  known: readonly KnownCheck[],
): readonly KnownCheck[] {
  const offered = known.filter((one) => one.offered)
  if (reasons.some((reason) => matchesPattern(pattern, reason))) return offered
  return offered.filter(({ names }) => names.some((name) => matchesPattern(pattern, name)))
}

export function isOfNothing({ pattern }: ExpectedNotExercised, known: readonly KnownCheck[]): boolean {
  return ![...reasons, ...known.flatMap(({ names }) => names)].some((name) => matchesPattern(pattern, name))
}

/** Whether a pattern matches a name: `*` matches any characters, and case does not count. */
export function matchesPattern(pattern: string, name: string): boolean {
  return expressionOf(pattern).test(name)
}

/** Of patterns that were asked about: each is held against thousands of names. */
const expressions = new Map<string, RegExp>()
const mostExpressions = 1_000

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern)
  if (known !== undefined) return known
  if (expressions.size >= mostExpressions) expressions.clear()
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  const expression = new RegExp(`^${parts.join('.*')}$`, 'i')
  expressions.set(pattern, expression)
  return expression
}

/** What a policy and a clause set say of one finding: who owns its failure, and whether and how its clause counts. */
export interface Terms {
  policy: Policy
  counted: ClauseLevels
  today: Day
}

/** Of inconclusive ones, with the failure that is why. */
export function withCauses(findings: readonly Finding[]): readonly Finding[] {
  const failures = findings.filter(({ verdict }) => verdict === 'fail')
  return findings.map((finding) => {
    if (finding.verdict !== 'inconclusive') return finding
    const follows = causeOf(finding, failures)
    return follows === undefined ? finding : { ...finding, follows }
  })
}

/** Judged over the whole run, so two of them need have nothing in common. */
const isOverAll = ({ scenario }: Finding): boolean => /^(rules|traffic)\//.test(scenario)

const parts: readonly (readonly string[])[] = [chatAreas, webhookAreas, operationAreas]
const partOf = ({ area }: Finding): number => parts.findIndex((areas) => areas.includes(area))

/**
 * The failure that leaves a check without a result: of an exchange that both rest on, of the same scenario if it stopped
 * before the check had any exchange, or of the very condition that the check lacks, in the same part of the service.
 */
function causeOf(finding: Finding, failures: readonly Finding[]): string | undefined {
  const isShared = ({ evidence }: Finding): boolean => evidence.some((id) => finding.evidence.includes(id))
  const own = isOverAll(finding) ? [] : failures.filter(({ scenario }) => scenario === finding.scenario)
  const isUnmet = (one: Finding): boolean =>
    one.fingerprint !== undefined &&
    one.fingerprint === finding.fingerprint &&
    partOf(one) === partOf(finding)
  const near = finding.evidence.length === 0 ? own[0] : (own.find(isShared) ?? failures.find(isShared))
  // What the target lost follows from nothing that it did, unless that loss is itself a failure.
  return ((finding.reason === undefined ? near : undefined) ?? failures.find(isUnmet))?.check
}

/** It follows from a failure that is waived. */
export function isExcused({ follows }: Finding, findings: readonly Finding[]): boolean {
  return findings.some(({ check, waived }) => check === follows && waived !== undefined)
}

/** The finding as these terms see it, whatever was said of it before. */
export function marked(finding: Finding, { policy, counted, today }: Terms): Finding {
  const { waived: _, follows: __, provisional: ___, ...unmarked } = finding
  const plain = atLevel(unmarked, counted)
  const waived = waiverOf(plain, policy, today)
  return {
    ...plain,
    ...(isProvisional(plain.subject, counted) ? { provisional: true as const } : {}),
    ...(waived ? { waived } : {}),
  }
}

function waiverOf(finding: Finding, { knownFailures, flaky }: Policy, today: Day): Waiver | null {
  const known = knownFailures.find((entry) => isKnownAs(entry, finding) && entry.expires >= today)
  if (known) return waiver('known-failure', known)
  const unsteady = flaky.find((entry) => isFlakyAs(entry, finding) && entry.expires >= today)
  return unsteady ? waiver('flaky', unsteady) : null
}

function waiver(as: Waiver['as'], { owner, reason, expires, issue }: Promised): Waiver {
  return { as, owner, reason, expires, ...(issue === undefined ? {} : { issue }) }
}

/** Whether it is this failure that is known: the same check fails in the same way. */
export function isKnownAs(entry: KnownFailure, { check, verdict, fingerprint }: Finding): boolean {
  return verdict === 'fail' && entry.check === check && entry.fingerprint === fingerprint
}

export function isFlakyAs(entry: Promised, { check, verdict }: Finding): boolean {
  return entry.check === check && (verdict === 'fail' || verdict === 'inconclusive')
}

export function isPromised(finding: Finding, { knownFailures, flaky }: Policy): boolean {
  return (
    knownFailures.some((entry) => isKnownAs(entry, finding)) ||
    flaky.some((entry) => isFlakyAs(entry, finding))
  )
}
