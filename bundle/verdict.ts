/** The verdicts of checks, and the verdict of a clause that several checks judge. */
export const verdicts = [
  'pass',
  'fail',
  'warn',
  'observed',
  'inconclusive',
  'not-exercised',
  'not-applicable',
  'error',
] as const
/**
 * `fail`: a must is broken. `warn`: a should is broken. `observed`: the contract is silent, so it is recorded.
 * `inconclusive`: the situation did not arise. `not-exercised`: the environment did not allow it.
 * `not-applicable`: the contract itself makes it conditional. `error`: our own fault.
 */
export type Verdict = (typeof verdicts)[number]

/**
 * Why a check was not exercised, or with `target-unavailable` why it is inconclusive. Closed: a new reason is a new entry
 * here.
 */
export const notExercisedReasons = [
  'state-not-provided',
  'state-not-established',
  'state-mismatch',
  'principal-missing',
  'fixture-missing',
  'receiver-unreachable',
  'effects-unknown',
  'client-never-acted',
  'never-seen',
  'feature-unsupported',
  'opt-in-required',
  'budget-exhausted',
  'prerequisite-failed',
  'target-unavailable',
  'interrupted',
  'shard-missing',
  'attested',
] as const
export type NotExercisedReason = (typeof notExercisedReasons)[number]

interface Judged {
  verdict: Verdict
  reason?: NotExercisedReason
}

/** Of one clause: what a rule never saw, such as in another shard, takes nothing from what other checks judge. */
export function verdictsIn(findings: readonly Judged[]): readonly Verdict[] {
  const seen = findings.filter(({ reason }) => reason !== 'never-seen')
  return (seen.length > 0 ? seen : findings).map(({ verdict }) => verdict)
}

/** A clause is as good as the worst of its checks; a check that does not apply takes nothing from one that passed. */
const worstFirst: readonly Verdict[] = [
  'fail',
  'error',
  'inconclusive',
  'not-exercised',
  'warn',
  'pass',
  'not-applicable',
  'observed',
]

export function clauseVerdict(verdicts: readonly Verdict[]): Verdict | null {
  return worstFirst.find((verdict) => verdicts.includes(verdict)) ?? null
}

/**
 * Whether a clause was shown to hold: at least one check of it passes or only warns, and none fails, errs or stays
 * without an answer. A warning is about what the contract advises or leaves between two of its rows, so it takes no
 * conformance away. A clause of which the contract's own condition never applied has nothing to show.
 */
export function isShown(verdicts: readonly Verdict[]): boolean {
  const worst = clauseVerdict(verdicts)
  return worst === 'pass' || worst === 'warn' || worst === 'not-applicable'
}
