/** What one judge says of one clause, over the exchanges of one scenario. */

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

/** Why a check was not exercised. Closed: a new reason is a new entry here. */
export const notExercisedReasons = [
  'state-not-provided',
  'state-not-established',
  'state-mismatch',
  'principal-missing',
  'fixture-missing',
  'receiver-unreachable',
  'effects-unknown',
  'client-never-acted',
  'feature-unsupported',
  'opt-in-required',
  'budget-exhausted',
  'prerequisite-failed',
  'interrupted',
  'attested',
] as const
export type NotExercisedReason = (typeof notExercisedReasons)[number]

/** What a judge returns. It never throws for what a target did; a throw is our own error. */
export type Judgement =
  | { is: 'pass'; note?: string }
  | { is: 'broken'; expected: string; got: string; exchange?: number }
  | { is: 'weak'; expected: string; got: string; exchange?: number }
  /** `alike`: the value without what is measured anew each time; the value itself where nothing is. */
  | { is: 'observed'; value: string; alike?: string }
  | { is: 'inconclusive'; because: string }
  | { is: 'not-applicable'; because: string }
