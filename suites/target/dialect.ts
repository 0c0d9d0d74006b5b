/** A JSON pointer, as RFC 6901 writes it; empty for the whole document. */
type Pointer = string

/**
 * What the contract does not show and a check needs all the same. Every member is optional: without it the
 * suite searches, and where a search finds nothing the verdict is inconclusive, never a failure.
 */
export interface Dialect {
  /** Names of the rate-limit headers. */
  rateHeaders?: readonly string[]
  /** The text of a chat error that carries its code, as a word; a code elsewhere then counts for nothing. */
  errorCode?: Pointer
  /** Within a presentation, its buttons; `*` stands for any index. */
  buttons?: readonly Pointer[]
  /** Where the body of an execution carries the input and the idempotency key. */
  execution?: { input?: Pointer; key?: Pointer }
  /** Where discovery carries the operations, and each of them its id and its input schema. */
  discovery?: { list?: Pointer; id?: Pointer; schema?: Pointer }
  /** Where a receipt carries the id of its task, and of its approval. */
  receipt?: { taskId?: Pointer; approvalId?: Pointer }
  task?: { state?: Pointer }
  approval?: { state?: Pointer }
  /**
   * Where the answer of the log route carries its entries, and each entry what it has to say; `success` may be a
   * truth value or a word, `retries` a number or a list.
   */
  log?: { [M in 'entries' | 'event' | 'timestamp' | 'status' | 'time' | 'success' | 'retries']?: Pointer }
  /** Paths below the base address. */
  routes?: Partial<Record<DialectRoute, string>>
}

type DialectRoute = 'subscription' | 'plans' | 'invoices' | 'uploadFile' | 'uploadSpreadsheet'
