/**
 * What the contract does not show and a check needs all the same. Every member is optional: without it the
 * suite searches, and where a search finds nothing the verdict is inconclusive, never a failure.
 */
export interface Dialect {
  /** Names of the rate-limit headers. */
  rateHeaders?: readonly string[]
  /** JSON pointer to the member of a chat error that carries its code. */
  errorCode?: string
  /** JSON pointers, within a presentation, to its buttons; `*` stands for any index. */
  buttons?: readonly string[]
}
