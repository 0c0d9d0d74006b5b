/** The client library: a thin wrapper of the HTTP API, for servers. It needs `fetch` and WebCrypto, and no package. */
export type { TaskRecord } from './task-record.ts'
import { embeddedCatalogue } from './catalogue/operations.ts'

export { ServiceClient } from './service-client.ts'
export type { ServiceClientOptions } from './options.ts'
export type { VendorOptions } from './vendor.ts'
export type { Identifiers } from '../spec/identifiers.ts'
export type { Fetch } from './transport.ts'

export type { ChatTurn } from './chat-turn.ts'
export type { Resend } from './resend.ts'
export type { ChatReply, CustomerMessage, Presentation } from './reply.ts'
export type {
  ActionCompleteEvent,
  ActionStartEvent,
  DoneEvent,
  GateTriggeredEvent,
  StreamEvent,
  TokenEvent,
} from './events.ts'

export type { CallOptions, DiscoveredOperation, ExecuteOptions } from './operations.ts'
export type {
  AcceptedReceipt,
  CompletedReceipt,
  FailedReceipt,
  PendingApprovalReceipt,
  Receipt,
} from './receipt.ts'
export type { ApprovalRecord, Decision, WaitOptions } from './tasks.ts'
export type { Upload } from './uploads.ts'
export type { BillingSubscription, BillingUsage, ListOptions } from './billing.ts'
export type { JsonObject } from './json.ts'

export {
  InvalidCall,
  NoAnswer,
  ServiceError,
  StreamIncomplete,
  TaskNotFinished,
  UnknownShape,
} from './errors.ts'
export { verifyWebhook, type RequestHeaders } from './webhook-signature.ts'

export { defaultDialect } from './dialect.ts'
export { checkDialect } from './dialect-check.ts'
export type { Dialect, Partly, UploadStep, UploadWay } from './dialect.ts'

export type { Catalogue, CatalogueOperation, InputSchema } from './catalogue/catalogue.ts'
export { embeddedCatalogue }
/** The contract that this package was built with, by the name of its set of clauses. */
export const contractVersion: string = embeddedCatalogue.contract
