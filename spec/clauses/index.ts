/** The catalogue: every statement of the contract that somebody can keep or break, by area. */
import type { Clause } from '../clause.ts'
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../identifiers.ts'
import { approvalsClauses } from './operations/approvals.ts'
import { attemptsClauses } from './webhooks/attempts.ts'
import { authClauses } from './chat/auth.ts'
import { billingClauses } from './operations/billing.ts'
import { chatErrorsClauses } from './chat/chat-errors.ts'
import { chatRequestClauses } from './chat/chat-request.ts'
import { chatResponseClauses } from './chat/chat-response.ts'
import { commandLineClauses } from './clients/command-line.ts'
import { conversationClauses } from './chat/conversation.ts'
import { creditsClauses } from './chat/credits.ts'
import { deliveryTargetClauses } from './webhooks/delivery-target.ts'
import { deliveryClauses } from './webhooks/delivery.ts'
import { discoveryClauses } from './operations/discovery.ts'
import { executionClauses } from './operations/execution.ts'
import { idempotencyClauses } from './chat/idempotency.ts'
import { libraryChatClauses } from './clients/library-chat.ts'
import { libraryOperationsClauses } from './clients/library-operations.ts'
import { libraryStreamClauses } from './clients/library-stream.ts'
import { olderVariantClauses } from './chat/older-variant.ts'
import { pauseClauses } from './chat/pause.ts'
import { plansClauses } from './operations/plans.ts'
import { rateLimitClauses } from './chat/rate-limit.ts'
import { receiptsClauses } from './operations/receipts.ts'
import { receiverClauses } from './webhooks/receiver.ts'
import { scopesClauses } from './operations/scopes.ts'
import { signingClauses } from './webhooks/signing.ts'
import { streamingClauses } from './chat/streaming.ts'
import { tasksClauses } from './operations/tasks.ts'
import { uploadsClauses } from './operations/uploads.ts'
import { versioningClauses } from './chat/versioning.ts'
import { webhookEventsClauses } from './webhooks/webhook-events.ts'
import { webhookLogsClauses } from './webhooks/webhook-logs.ts'
import { webhookManagementClauses } from './webhooks/webhook-management.ts'
import { workflowClauses } from './chat/workflow.ts'

/**
 * Areas in the order of the contract; the name of an area is the name of its file. A text has `{replayHeader}` in place
 * of the identifier of that name.
 */
export const areas = {
  'chat-request': chatRequestClauses,
  'chat-response': chatResponseClauses,
  conversation: conversationClauses,
  streaming: streamingClauses,
  idempotency: idempotencyClauses,
  pause: pauseClauses,
  workflow: workflowClauses,
  credits: creditsClauses,
  'rate-limit': rateLimitClauses,
  auth: authClauses,
  'chat-errors': chatErrorsClauses,
  discovery: discoveryClauses,
  execution: executionClauses,
  receipts: receiptsClauses,
  tasks: tasksClauses,
  approvals: approvalsClauses,
  uploads: uploadsClauses,
  billing: billingClauses,
  scopes: scopesClauses,
  plans: plansClauses,
  'webhook-management': webhookManagementClauses,
  'webhook-events': webhookEventsClauses,
  delivery: deliveryClauses,
  attempts: attemptsClauses,
  signing: signingClauses,
  'delivery-target': deliveryTargetClauses,
  'webhook-logs': webhookLogsClauses,
  receiver: receiverClauses,
  'library-chat': libraryChatClauses,
  'library-stream': libraryStreamClauses,
  'library-operations': libraryOperationsClauses,
  'command-line': commandLineClauses,
  versioning: versioningClauses,
  'older-variant': olderVariantClauses,
} as const satisfies Record<string, Record<string, Clause>>

export type Area = keyof typeof areas
type Union<T> = T extends unknown ? keyof T : never
/** Every clause id. A typo is a compile error. */
export type ClauseId = Union<(typeof areas)[Area]>

const rows = Object.assign({}, ...Object.values(areas)) as Readonly<Record<ClauseId, Clause>>

export function clauseText(id: ClauseId, identifiers: Identifiers): string {
  return withIdentifiers(rows[id].text, identifiers)
}

/** All clauses by id, with the identifiers as the contract writes them. */
export const clauses = Object.fromEntries(
  Object.entries(rows).map(([id, row]) => [
    id,
    { ...row, text: withIdentifiers(row.text, contractIdentifiers) },
  ]),
) as Readonly<Record<ClauseId, Clause>>
export const clauseIds = Object.keys(clauses) as ClauseId[]

export const areaOf = Object.fromEntries(
  Object.entries(areas).flatMap(([area, rows]) => Object.keys(rows).map((id) => [id, area])),
) as Readonly<Record<ClauseId, Area>>

/** Areas of which a suite exists. Later areas join here. */
export const chatAreas = [
  'chat-request',
  'chat-response',
  'conversation',
  'streaming',
  'idempotency',
  'pause',
  'workflow',
  'credits',
  'rate-limit',
  'auth',
  'chat-errors',
] as const satisfies readonly Area[]

export const webhookAreas = [
  'webhook-management',
  'webhook-events',
  'delivery',
  'attempts',
  'signing',
  'delivery-target',
  'webhook-logs',
] as const satisfies readonly Area[]

export const operationAreas = [
  'discovery',
  'execution',
  'receipts',
  'tasks',
  'approvals',
  'uploads',
  'billing',
  'scopes',
  'plans',
] as const satisfies readonly Area[]

/** What the endpoint has to keep that deliveries are posted to. */
export const receiverAreas = ['receiver'] as const satisfies readonly Area[]

/** What any client has to keep, the TypeScript library among them. */
export const clientAreas = [
  'library-chat',
  'library-stream',
  'library-operations',
] as const satisfies readonly Area[]

export const commandLineAreas = ['command-line'] as const satisfies readonly Area[]

/** Areas in which a server, its sender included, is judged. */
export const serverAreas = [...chatAreas, ...webhookAreas, ...operationAreas] as const

export const judgedAreas = [...serverAreas, ...receiverAreas, ...clientAreas, ...commandLineAreas] as const

/** Areas that are judged where a target declares them and never count: whether a service still has them is not shown. */
export const apartAreas = ['older-variant'] as const satisfies readonly Area[]
