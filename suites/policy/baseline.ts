/** What a run says about a policy: which entries no longer say what is the case, and the policy that lets it through. */
import { isFlaky, type Finding, type Verdict, type RunRecord } from '../../bundle/record.ts'
import { nearest } from '../../spec/nearest.ts'
import {
  checksMeant,
  isMeant,
  isOfNothing,
  meansEverything,
  namesIn,
  type KnownCheck,
  isExpected,
  isMissing,
  isKnownAs,
  isPromised,
  withCauses,
} from './expected.ts'
import {
  type Day,
  type Promised,
  type KnownFailure,
  type ExpectedNotExercised,
  type Policy,
  dayAfter,
  entryName,
  expectationName,
} from './policy.ts'

interface Held {
  policy: Policy
  /** Every check there is, whether asked for or not. */
  known: readonly KnownCheck[]
}

interface Judged extends Held {
  findings: readonly Finding[]
  today: Day
}

export function unknownEntries({ policy, known }: Held): readonly string[] {
  const checks = known.map(({ check }) => check)
  const words = [...new Set(known.flatMap(({ names }) => names))]
  const strange = (entries: readonly Promised[], kind: string): readonly string[] =>
    entries
      .filter(({ check }) => !checks.includes(check))
      .map((entry) => `${entryName(kind, entry)} names no check; ${instead(entry.check, checks)}`)
  return [
    ...strange(policy.knownFailures, 'known failure'),
    ...strange(policy.flaky, 'flaky check'),
    ...policy.expectedNotExercised
      .filter((entry) => isOfNothing(entry, known))
      .map(
        (entry) => `${expectationName(entry)} means nothing that there is; ${instead(entry.pattern, words)}`,
      ),
  ]
}

function instead(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return near === undefined
    ? 'remove it, or use an id that `touchstone plan --json` lists'
    : `did you mean ${near}?`
}

export function staleEntries(judged: Judged): readonly string[] {
  const { policy, findings, today } = judged
  const findingOf = new Map(findings.map((finding) => [finding.check, finding]))
  return [
    ...unknownEntries(judged),
    ...policy.knownFailures.flatMap((entry) => [
      ...expired(entry, 'known failure', today),
      ...changed(entry, findingOf.get(entry.check)),
    ]),
    ...policy.flaky.flatMap((entry) => expired(entry, 'flaky check', today)),
    ...policy.expectedNotExercised.flatMap((entry) => unused(entry, judged)),
  ]
}

function expired(entry: Promised, kind: string, today: Day): readonly string[] {
  if (entry.expires >= today) return []
  return [
    `${entryName(kind, entry)} expired on ${entry.expires}; fix the service and remove the entry, or agree on a later date with ${entry.owner}`,
  ]
}

const healed: readonly Verdict[] = ['pass', 'warn', 'observed', 'not-applicable']

function changed(entry: KnownFailure, finding: Finding | undefined): readonly string[] {
  if (!finding) return []
  const { verdict, fingerprint } = finding
  const name = entryName('known failure', entry)
  if (verdict === 'pass') return [`${name} passes now; remove the entry`]
  if (healed.includes(verdict)) return [`${name} no longer fails, it is ${verdict} now; remove the entry`]
  if (verdict !== 'fail' || isKnownAs(entry, finding)) return []
  return [
    `${name} fails in another way now; look at it, and if the reason still holds write fingerprint: "${fingerprint}"`,
  ]
}

/** A run that was asked for a part only says nothing of what it left out. */
function unused(entry: ExpectedNotExercised, { findings, known }: Judged): readonly string[] {
  const names = namesIn(known)
  if (meansEverything(entry) || findings.some((finding) => isMeant(entry, finding, names))) return []
  const judged = new Set(findings.map(({ check }) => check))
  const meant = checksMeant(entry, known)
  if (meant.length === 0 || !meant.every(({ check }) => judged.has(check))) return []
  const checks = meant.length === 1 ? 'its check was' : `all its ${meant.length} checks were`
  return [`${expectationName(entry)} is no longer true, ${checks} exercised; remove the entry`]
}

/** Owner and reason of an entry for which none was given. */
export const unsaid = { owner: 'nobody yet', reason: 'not looked into yet' }

export interface Signature {
  owner: string
  /** For every new entry; absent, what is not tested has its own. */
  reason?: string | undefined
  /** ISO date: when the entries are written. */
  today: Day
  days: number
}

/**
 * Entries of `before` for checks that there are, not expired and not contradicted by the run, stay as they are, so that owners and
 * reasons outlive the next baseline; an expectation of everything is spelled out. What is inconclusive and follows from a failure is accepted with it; anything
 * else by its whole id, until it has a result.
 */
export function baselineOf(
  record: Pick<RunRecord, 'findings'>,
  before: Policy,
  known: readonly KnownCheck[],
  signature: Signature,
): Policy {
  const counting = withCauses(record.findings).filter(({ provisional }) => !provisional)
  const { today, owner, reason = unsaid.reason } = signature
  const expires = dayAfter(today, signature.days)
  const names = namesIn(known)
  const checks = new Set(known.map(({ check }) => check))
  const isLive = ({ check, expires }: Promised): boolean => expires >= today && checks.has(check)
  const flakyBefore = before.flaky.filter(isLive)
  const judged = { policy: before, known, findings: record.findings, today }
  const expectedBefore = before.expectedNotExercised.filter(
    (entry) => entry.pattern !== '*' && !isOfNothing(entry, known) && unused(entry, judged).length === 0,
  )
  const findingOf = new Map(record.findings.map((finding) => [finding.check, finding]))
  const knownBefore = before.knownFailures.filter(
    (entry) => isLive(entry) && changed(entry, findingOf.get(entry.check)).length === 0,
  )
  const kept = { ...before, knownFailures: knownBefore, flaky: flakyBefore }
  const isListed = (finding: Finding): boolean => isPromised(finding, kept)
  const missing = counting.filter(
    (finding) =>
      isMissing(finding) &&
      finding.follows === undefined &&
      !isListed(finding) &&
      !isExpected(finding, expectedBefore, names),
  )
  const failed = counting.filter((finding) => finding.verdict === 'fail' && !isListed(finding))
  return {
    knownFailures: [
      ...knownBefore,
      ...failed.flatMap((finding) => (isFlaky(finding) ? [] : knownFailure(finding, signature))),
    ],
    flaky: [
      ...flakyBefore,
      ...failed.filter(isFlaky).map(({ check }) => ({ check, owner, reason, expires })),
    ],
    expectedNotExercised: [...expectedBefore, ...expectations(missing, signature)],
  }
}

function knownFailure(
  { check, fingerprint }: Finding,
  { owner, reason = unsaid.reason, today, days }: Signature,
): readonly KnownFailure[] {
  if (fingerprint === undefined) return []
  return [{ check, fingerprint, owner, reason, created: today, expires: dayAfter(today, days) }]
}

/** A scenario that was not tested has one entry. */
function expectations(missing: readonly Finding[], { reason }: Signature): readonly ExpectedNotExercised[] {
  const patterns = Map.groupBy(missing, ({ verdict, check, scenario }) =>
    verdict === 'inconclusive' ? check : scenario,
  )
  return [...patterns].map(([pattern, [first]]) => ({ pattern, reason: reason ?? whyMissing(first) }))
}

/** What stands behind a semicolon says what to do. */
function whyMissing(finding: Finding | undefined): string {
  const [detail] = (finding?.detail ?? '').split(/[;\n]/, 1)
  return [finding?.reason ?? finding?.verdict, detail].filter(Boolean).join(': ')
}
