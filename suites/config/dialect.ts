/** A JSON pointer, as RFC 6901 writes it; empty for the whole document. */
export type Pointer = string

/**
 * What the contract does not show and a check needs all the same. Every member is optional: without it the
 * suite searches, and where a search finds nothing the verdict is inconclusive, never a failure.
 */
export interface Dialect {
  /** Beside those of the contract. */
  scopes?: readonly string[]
  rateHeaders?: readonly string[]
  /** The text of a chat error that carries its code, as a word; a code elsewhere then counts for nothing. */
  errorCode?: Pointer
  /** Within a presentation, its buttons; `*` stands for any index. */
  buttons?: readonly Pointer[]
  presentation?: { version?: Pointer }
  /** Where an execution carries the input and the idempotency key: in the body, or the key in a header. */
  execution?: { input?: Pointer; key?: Pointer; keyHeader?: string }
  discovery?: { list?: Pointer; id?: Pointer; schema?: Pointer }
  receipt?: { taskId?: Pointer; approvalId?: Pointer }
  task?: { state?: Pointer }
  /** Where an approval says what was decided, and the words for it, in any casing. */
  approval?: { state?: Pointer } & { [D in Decision]?: readonly string[] }
  /**
   * Where the answer of the log route carries its entries, and each entry what it has to say; `success` may be a
   * truth value or a word, `retries` a number or a list.
   */
  log?: { [M in 'entries' | 'event' | 'timestamp' | 'status' | 'time' | 'success' | 'retries']?: Pointer }
  /** Paths below the base address; or, where there is none, the fixture of the operation that does it, by its name. */
  routes?: { [L in Listing]?: string }
  /**
   * The object of the usage that contains `credits`, and the seconds by which the usage may lag behind paid turns.
   * Default: the root, and 60.
   */
  usage?: { container?: Pointer; lagSeconds?: number }
  subscription?: { status?: Pointer; planName?: Pointer }
  lists?: { [L in Exclude<Listing, 'subscription'>]?: Pointer }
  /** Which operation, by the name of its fixture, drafts a design, and where an inspection shows the one that is live. */
  design?: { draft?: string; live?: Pointer }
  uploads?: { [K in UploadKind]?: UploadWay }
}

export type Decision = 'pending' | 'approved' | 'rejected'

export type Listing = 'subscription' | 'plans' | 'invoices' | 'agents'

export type UploadKind = 'document' | 'spreadsheet'
export type UploadStepName = 'prepare' | 'finalize'

/**
 * `finalize` alone is an upload in one step. `effect`: what shows how many files are stored, as for an operation.
 * `needsApproval`: the owner has to approve every upload. `lapsesAfterSeconds`: so long after it was prepared an
 * upload has lapsed.
 */
export type UploadWay = { [S in UploadStepName]?: UploadStep } & {
  effect?: EffectCount
  needsApproval?: boolean
  lapsesAfterSeconds?: number
}

/**
 * Where to read how often an operation was executed: a read that the target file declares, by its name, or a path below
 * the base address, and in its answer a number (or a list) that grows by `step` with each execution, as a JSON pointer.
 */
export interface EffectCount {
  operation: string
  count: string
  /** Default 1. */
  step?: number
}

/** One request of an upload. A body with any member of its own is JSON; else it is the bytes, or nothing. */
export interface UploadStep {
  /** Below the base address; `{uploadId}` stands for the id that the other step answered. */
  path: string
  /** Default `POST`. */
  method?: 'POST' | 'PUT'
  /** Fixed members of the body; of the query where the body is the bytes. */
  members?: Readonly<Record<string, unknown>>
  /** Where the body carries the key of the step. Default: the header does. */
  key?: Pointer
  /** Which header carries it. Default `Idempotency-Key`. */
  keyHeader?: string
  /** The key of the other step, too, where one request carries both: in the body, or in a header. */
  otherKey?: Pointer
  otherKeyHeader?: string
  fileName?: Pointer
  contentType?: Pointer
  size?: Pointer
  /** The body is a form: the places are names of fields, and `bytes` (default `/file`) that of the file. */
  multipart?: boolean
  /** The bytes in base64; the empty pointer makes them the body. Absent: this step carries none. */
  bytes?: Pointer
  uploadId?: Pointer
  /** Where the answer of this step carries it. Default: a search. */
  id?: Pointer
}
