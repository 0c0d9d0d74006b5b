/** What one judge says of one clause, over the exchanges of one scenario. */
import type { Expectation } from '../../reports/bundle/expectation.ts'
import type { Citation } from '../../reports/bundle/record.ts'

export { notExercisedReasons, verdicts, type NotExercisedReason } from '../../reports/bundle/verdict.ts'

/** What a judge returns. It never throws for what a target did; a throw is our own error. */
export type Judgement =
  | { is: 'pass'; note?: string }
  | ({ is: 'fail' } & Difference)
  | ({ is: 'warn' } & Difference)
  /** `alike`: the value without what is measured anew each time; the value itself where nothing is. */
  | { is: 'observed'; value: string; alike?: string }
  | { is: 'inconclusive'; because: string }
  | { is: 'not-applicable'; because: string }

export interface Difference {
  expected: string
  got: string
  /** Id of the exchange that shows it. */
  exchange?: number
  /** The expectation as data, for the response of `exchange`. */
  expect?: readonly Expectation[]
  /** The exchanges that a reader needs to understand it, with the role of each. */
  cited?: readonly Citation[]
}
