/** What one judge says of one clause, over the exchanges of one scenario. */
import type { Expectation } from '../../reports/bundle/expectation.ts'

export { notExercisedReasons, verdicts, type NotExercisedReason } from '../../reports/bundle/verdict.ts'

/** What a judge returns. It never throws for what a target did; a throw is our own error. */
export type Judgement =
  | { is: 'pass'; note?: string }
  /** `expect`: the expectation as data, for the response of `exchange`. */
  | { is: 'fail'; expected: string; got: string; exchange?: number; expect?: readonly Expectation[] }
  | { is: 'warn'; expected: string; got: string; exchange?: number; expect?: readonly Expectation[] }
  /** `alike`: the value without what is measured anew each time; the value itself where nothing is. */
  | { is: 'observed'; value: string; alike?: string }
  | { is: 'inconclusive'; because: string }
  | { is: 'not-applicable'; because: string }
