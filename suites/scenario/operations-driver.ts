/** What a scenario about operations can do beside chatting: discover, execute, upload, and read what comes of it. */
import type { Listing } from '../config/dialect.ts'
import type { OperationFixture } from '../config/target.ts'
import type { Exchange, Header, Json } from '../wire/exchange.ts'
import type { Many, One } from './exchange-names.ts'
import type { Timeouts } from '../wire/recorder.ts'

export interface ReadRequest {
  /** Role of the principal: `self`, or one of `needs.others`. `null` sends no credentials. Default `self`. */
  as?: string | null
  /** Beside the ordinary ones; a name given here replaces the ordinary one in any casing. */
  headers?: readonly Header[]
  withoutHeaders?: readonly string[]
  timeouts?: Timeouts
  replica?: number
}

export interface ExecuteRequest extends ReadRequest {
  /** Default: the input of the fixture, with what is declared `fresh` made anew. */
  input?: Json
  /** Where the target carries it. A write gets a fresh one unless `null`; a read gets none unless given. */
  key?: string | null
  /** Further members at the top of the body. */
  beside?: Readonly<Record<string, Json>>
  /** Body bytes instead of the JSON of input and key. */
  raw?: string | Uint8Array
}

export interface ListingRequest extends ReadRequest {
  limit?: number
}

export interface UploadRequest extends ReadRequest {
  kind: 'document' | 'spreadsheet'
  step: 'prepare' | 'finalize'
  key: string
  /** That of the other step, for a target whose requests carry both. */
  otherKey?: string
  fileName?: string
  contentType?: string
  bytes?: Uint8Array
  /** What the step before it answered, from which the id of the upload is read. */
  prepared?: Exchange
}

export interface OperationsDriver<N extends string = string> {
  /** The fixture of `needs.operation`. */
  readonly operation: OperationFixture
  readonly operations: readonly OperationFixture[]
  /** `GET /api/v1/operations`. */
  discover(name: One<N>, request?: ReadRequest): Promise<Exchange>
  /** `POST /api/v1/operation-executions/{id}`; a string is an id without a fixture. */
  execute(name: One<N>, operation: OperationFixture | string, request?: ExecuteRequest): Promise<Exchange>
  executeMore(
    name: Many<N>,
    operation: OperationFixture | string,
    request?: ExecuteRequest,
  ): Promise<Exchange>
  /** All at once, on warm connections, past one barrier. */
  executeTogether(
    name: Many<N>,
    operation: OperationFixture,
    requests: readonly ExecuteRequest[],
  ): Promise<readonly Exchange[]>
  /** A GET below the base address, such as `/api/v1/tasks/t_1`. */
  read(name: One<N>, path: string, request?: ReadRequest): Promise<Exchange>
  readMore(name: Many<N>, path: string, request?: ReadRequest): Promise<Exchange>
  /**
   * What the contract gives no route: read at the route that the target declares, or by the operation; `shownIn` reads
   * the answer of either. Ends the scenario where neither is declared.
   */
  show(name: One<N>, listing: Listing, request?: ListingRequest): Promise<Exchange>
  showMore(name: Many<N>, listing: Listing, request?: ListingRequest): Promise<Exchange>
  /** A step of an upload; ends the scenario where the target file declares no route for it. */
  upload(name: One<N>, request: UploadRequest): Promise<Exchange>
  uploadMore(name: Many<N>, request: UploadRequest): Promise<Exchange>
  /** The input of a fixture with what is declared `fresh` made anew: another run of it, not a retry. */
  inputOf(operation: OperationFixture): Json
  /** Ids that the receipt carries, where the target declares it or a search finds them; null where none is. */
  taskOf(receipt: Exchange): string | null
  approvalOf(receipt: Exchange): string | null
  /**
   * How often an operation was done, by the read that its fixture declares as its effect; null where none is declared.
   * Takes `dialect.uploads.document`, too. Ends the scenario where that read shows no number.
   */
  effectOf(name: Many<N>, operation: Pick<OperationFixture, 'effect'>): Promise<number | null>
  /** Ends the scenario: the `doneWithinSeconds` of a fixture is not so; `because` says what was seen instead. */
  notDoneWithin(operation: OperationFixture, because: string): never
}
