/** The contract as data and types. Imports nothing of the project. */
export * from './clause-set.ts'
export * from './clause-sets/index.ts'
export * from './clause.ts'
export * from './clauses/index.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './gap.ts'
export * from './gaps.ts'
export * from './identifiers.ts'
export * from './limits.ts'
export * from './not-shown.ts'
export type * from './operations.ts'
export * from './states.ts'
export type {
  ActionCompleteEvent,
  ActionStartEvent,
  Delivery,
  DeliveryHeaders,
  DoneEvent,
  ErrorEvent,
  GateTriggeredEvent,
  LeadsSubmitDelivery,
  OlderDelivery,
  OlderStreamEvent,
  OpenDelivery,
  StreamEvent,
  TokenEvent,
} from './types/asyncapi.ts'
export type * as control from './types/control.ts'
export type {
  Approval,
  BillingUsage,
  ChatErrorBody,
  ChatReply,
  ChatRequest,
  CreateWebhookRequest,
  CreatedWebhook,
  CustomerMessage,
  FailedReceipt,
  InsufficientCreditsBody,
  Interaction,
  OlderChatReply,
  OlderChatRequest,
  OlderConversation,
  OlderErrorBody,
  OlderSource,
  OperationErrorBody,
  OperationReceipt,
  Presentation,
  RateLimitBody,
  Task,
  TaskState,
  UnfinishedReceipt,
  UpdateWebhookRequest,
  Webhook,
  WebhookErrorBody,
  WebhookList,
} from './types/openapi.ts'
