/** The catalogue: every statement of the contract that somebody can keep or break, by area. */
import type { Clause } from '../clause.ts'
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../identifiers.ts'
import * as operations from './operations.ts'
import * as deliveries from './deliveries.ts'
import * as chat from './chat.ts'
import * as clients from './clients.ts'
import * as idempotency from './idempotency.ts'
import * as streaming from './streaming.ts'
import * as webhooks from './webhooks.ts'

/** Areas in the order of the contract. A text has `{replayHeader}` in place of the identifier of that name. */
export const areas = {
  'chat-request': chat.chatRequestClauses,
  'chat-response': chat.chatResponseClauses,
  conversation: chat.conversationClauses,
  streaming: streaming.streamingClauses,
  idempotency: idempotency.idempotencyClauses,
  pause: chat.pauseClauses,
  workflow: chat.workflowClauses,
  credits: chat.creditsClauses,
  'rate-limit': chat.rateLimitClauses,
  auth: chat.authClauses,
  'chat-errors': chat.chatErrorsClauses,
  discovery: operations.discoveryClauses,
  execution: operations.executionClauses,
  receipts: operations.receiptsClauses,
  tasks: operations.tasksClauses,
  approvals: operations.approvalsClauses,
  uploads: operations.uploadsClauses,
  billing: operations.billingClauses,
  scopes: operations.scopesClauses,
  plans: operations.plansClauses,
  'webhook-management': webhooks.webhookManagementClauses,
  'webhook-events': webhooks.webhookEventsClauses,
  delivery: deliveries.deliveryClauses,
  attempts: deliveries.attemptsClauses,
  signing: deliveries.signingClauses,
  'delivery-target': deliveries.deliveryTargetClauses,
  'webhook-logs': webhooks.webhookLogsClauses,
  receiver: deliveries.receiverClauses,
  'library-chat': clients.libraryChatClauses,
  'library-stream': clients.libraryStreamClauses,
  'library-operations': clients.libraryOperationsClauses,
  'command-line': clients.commandLineClauses,
  versioning: streaming.versioningClauses,
  'older-variant': streaming.olderVariantClauses,
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
