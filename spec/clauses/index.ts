/** The catalogue: every statement of the contract that somebody can keep or break, by area. */
import type { Clause } from '../clause.ts'
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../identifiers.ts'
import { approvals } from './operations/approvals.ts'
import { attempts } from './webhooks/attempts.ts'
import { auth } from './chat/auth.ts'
import { billing } from './operations/billing.ts'
import { chatErrors } from './chat/chat-errors.ts'
import { chatRequest } from './chat/chat-request.ts'
import { chatResponse } from './chat/chat-response.ts'
import { commandLine } from './clients/command-line.ts'
import { conversation } from './chat/conversation.ts'
import { credits } from './chat/credits.ts'
import { deliveryTarget } from './webhooks/delivery-target.ts'
import { delivery } from './webhooks/delivery.ts'
import { discovery } from './operations/discovery.ts'
import { execution } from './operations/execution.ts'
import { idempotency } from './chat/idempotency.ts'
import { libraryChat } from './clients/library-chat.ts'
import { libraryOperations } from './clients/library-operations.ts'
import { libraryStream } from './clients/library-stream.ts'
import { olderVariant } from './chat/older-variant.ts'
import { pause } from './chat/pause.ts'
import { plans } from './operations/plans.ts'
import { rateLimit } from './chat/rate-limit.ts'
import { receipts } from './operations/receipts.ts'
import { receiver } from './webhooks/receiver.ts'
import { scopes } from './operations/scopes.ts'
import { signing } from './webhooks/signing.ts'
import { streaming } from './chat/streaming.ts'
import { tasks } from './operations/tasks.ts'
import { uploads } from './operations/uploads.ts'
import { versioning } from './chat/versioning.ts'
import { webhookEvents } from './webhooks/webhook-events.ts'
import { webhookLogs } from './webhooks/webhook-logs.ts'
import { webhookManagement } from './webhooks/webhook-management.ts'
import { workflow } from './chat/workflow.ts'

/**
 * Areas in the order of the contract; the name of an area is the name of its file. A text has `{replayHeader}` in place
 * of the identifier of that name.
 */
export const areas = {
  'chat-request': chatRequest,
  'chat-response': chatResponse,
  conversation,
  streaming,
  idempotency,
  pause,
  workflow,
  credits,
  'rate-limit': rateLimit,
  auth,
  'chat-errors': chatErrors,
  discovery,
  execution,
  receipts,
  tasks,
  approvals,
  uploads,
  billing,
  scopes,
  plans,
  'webhook-management': webhookManagement,
  'webhook-events': webhookEvents,
  delivery,
  attempts,
  signing,
  'delivery-target': deliveryTarget,
  'webhook-logs': webhookLogs,
  receiver,
  'library-chat': libraryChat,
  'library-stream': libraryStream,
  'library-operations': libraryOperations,
  'command-line': commandLine,
  versioning,
  'older-variant': olderVariant,
} as const satisfies Record<string, Record<string, Clause>>

export type Area = keyof typeof areas
type Union<T> = T extends unknown ? keyof T : never
/** Every clause id. A typo is a compile error. */
export type ClauseId = Union<(typeof areas)[Area]>

const rows = Object.assign({}, ...Object.values(areas)) as Readonly<Record<ClauseId, Clause>>

/** The text of a clause for a service that writes the identifiers so. */
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

/** The area a clause stands in. */
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

/** Areas of webhooks, from their management to their log. */
export const webhookAreas = [
  'webhook-management',
  'webhook-events',
  'delivery',
  'attempts',
  'signing',
  'delivery-target',
  'webhook-logs',
] as const satisfies readonly Area[]

/** Areas of the operations catalog, and of the plans that open it. */
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

/** What the command line has to keep. */
export const commandLineAreas = ['command-line'] as const satisfies readonly Area[]

/** Areas in which a server, its sender included, is judged. */
export const serverAreas = [...chatAreas, ...webhookAreas, ...operationAreas] as const

/** Areas whose clauses count. */
export const judgedAreas = [...serverAreas, ...receiverAreas, ...clientAreas, ...commandLineAreas] as const

/** Areas that are judged where a target declares them and never count: whether a service still has them is not shown. */
export const apartAreas = ['older-variant'] as const satisfies readonly Area[]
