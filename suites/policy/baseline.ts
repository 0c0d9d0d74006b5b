/** A policy with which the gate lets a run through: what is broken and missing today, and nothing beyond. Pure. */
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import { isExpected, isMeant, isMissing, namesIn, type KnownCheck } from './expected.ts'
import { isFlakyAs, isKnownAs } from './marks.ts'
import {
  dayAfter,
  type Day,
  type ExpectedNotExercised,
  type FlakyCheck,
  type KnownFailure,
  type Policy,
} from './policy.ts'

export interface Signature {
  owner: string
  reason: string
  /** ISO date: when the entries are written. */
  today: Day
  /** How long they count. */
  days: number
}

/**
 * Entries of `before` that still hold stay as they are, so that owners and reasons outlive the next baseline; an
 * expectation of everything is spelled out. What was inconclusive is flaky: next time it may well be answered.
 */
export function baselineOf(
  { findings }: Pick<RunRecord, 'findings'>,
  before: Policy,
  known: readonly KnownCheck[],
  signature: Signature,
): Policy {
  const counting = findings.filter(({ provisional }) => !provisional)
  const { today } = signature
  const names = namesIn(known)
  const flakyBefore = before.flaky.filter(({ expires }) => expires >= today)
  const isFlaky = (finding: Finding): boolean => flakyBefore.some((entry) => isFlakyAs(entry, finding))
  const expectedBefore = before.expectedNotExercised.filter(
    (entry) => entry.pattern !== '*' && counting.some((finding) => isMeant(entry, finding, names)),
  )
  const missing = counting.filter(
    (finding) => isMissing(finding) && !isFlaky(finding) && !isExpected(finding, expectedBefore, names),
  )
  const failed = counting.filter((finding) => finding.verdict === 'fail' && !isFlaky(finding))
  return {
    knownFailures: failed.flatMap((finding) => knownFailure(finding, before, signature)),
    flaky: [
      ...flakyBefore,
      ...missing.filter(({ verdict }) => verdict === 'inconclusive').map((one) => unsteady(one, signature)),
    ],
    expectedNotExercised: [
      ...expectedBefore,
      ...expectations(missing.filter(({ verdict }) => verdict === 'not-exercised')),
    ],
  }
}

function knownFailure(
  finding: Finding,
  { knownFailures }: Policy,
  { owner, reason, today, days }: Signature,
): readonly KnownFailure[] {
  const before = knownFailures.find((entry) => isKnownAs(entry, finding) && entry.expires >= today)
  if (before) return [before]
  const { check, fingerprint } = finding
  if (fingerprint === undefined) return []
  return [{ check, fingerprint, owner, reason, created: today, expires: dayAfter(today, days) }]
}

function unsteady({ check, detail }: Finding, { owner, today, days }: Signature): FlakyCheck {
  return {
    check,
    owner,
    reason: `inconclusive: ${detail ?? 'no reason recorded'}`,
    expires: dayAfter(today, days),
  }
}

/** One for each scenario: its checks are missing for the same reason. */
function expectations(missing: readonly Finding[]): readonly ExpectedNotExercised[] {
  const scenarios = Map.groupBy(missing, ({ scenario }) => scenario)
  return [...scenarios].map(([pattern, [first]]) => ({
    pattern,
    reason: [first?.reason, first?.detail].filter(Boolean).join(': '),
  }))
}
