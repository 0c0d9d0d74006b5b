/** The client library: a thin wrapper of the HTTP API, for servers. It needs `fetch` and WebCrypto, and no package. */
import { embeddedCatalogue } from './catalogue/operations.ts'

export { ServiceClient } from './service-client.ts'
export type { ServiceClientOptions, VendorOptions } from './options/options.ts'
export type { Identifiers } from '../spec/identifiers.ts'
export type { FetchFunction, Resend } from './http/transport.ts'

export type {
  ActionCompleteEvent,
  ActionStartEvent,
  ChatReply,
  ChatTurn,
  CustomerMessage,
  DoneEvent,
  GateTriggeredEvent,
  Presentation,
  StreamEvent,
  TokenEvent,
} from './chat/reply.ts'

export type { CallOptions, DiscoveredOperation, ExecuteOptions } from './operations/operations.ts'
export type {
  AcceptedReceipt,
  CompletedReceipt,
  FailedReceipt,
  PendingApprovalReceipt,
  Receipt,
} from './operations/receipt.ts'
export type { ApprovalRecord, Decision, WaitOptions } from './operations/tasks.ts'
export type { Upload } from './operations/uploads.ts'
export type { BillingSubscription, BillingUsage, ListOptions } from './operations/billing.ts'
export type { JsonObject } from './json.ts'

export {
  InvalidCall,
  NoAnswer,
  ServiceError,
  StreamIncomplete,
  TaskNotFinished,
  type TaskRecord,
  UnknownShape,
} from './errors.ts'
export { verifyWebhook, type RequestHeaders } from './webhook-signature.ts'

export {
  checkDialect,
  defaultDialect,
  type Dialect,
  type Partly,
  type UploadStep,
  type UploadWay,
} from './options/dialect.ts'
export type { Catalogue, CatalogueOperation, InputSchema } from './catalogue/catalogue.ts'
export { embeddedCatalogue }
/** The contract that this package was built with, by the name of its set of clauses. */
export const contractVersion: string = embeddedCatalogue.contract
