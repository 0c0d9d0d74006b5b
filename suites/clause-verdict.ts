/** What several checks come to for the clause that they judge. Reports and the answers of a run share this order. */
import type { Verdict } from './scenario/judgement.ts'
import type { RunRecord } from './record.ts'

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

/** Null where there is no check. */
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

type Planned = Pick<RunRecord, 'plan'> & { run: Pick<RunRecord['run'], 'profile'> }

/** Why less was planned than the standard profile has, by the user's choice; null where it was not. */
export function narrowedBy({ plan, run }: Planned): 'selection' | 'profile' | null {
  if (plan.leftOut.some(({ by }) => by === 'selection')) return 'selection'
  return run.profile === 'smoke' ? 'profile' : null
}
