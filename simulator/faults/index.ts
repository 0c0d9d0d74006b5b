/** Everything that the simulator can get wrong on purpose; the files are named after the areas they break. */
import type { Fault } from '../modification/modification.ts'
import { approvalFaults } from './operations/approvals.ts'
import { attemptFaults, endpointPauseFaults } from './webhooks/attempts.ts'
import { authFaults } from './chat/auth.ts'
import { billingAccountFaults, billingFaults } from './operations/billing.ts'
import { cacheFaults } from './chat/caches.ts'
import { chatErrorFaults } from './chat/chat-errors.ts'
import { chatAtOnceFaults, replicaFaults } from './chat/chat-at-once.ts'
import { chatContextFaults } from './chat/chat-context.ts'
import { chatCrossedFaults } from './chat/chat-crossed.ts'
import { chatRequestFaults } from './chat/chat-request.ts'
import { chatResponseFaults } from './chat/chat-response.ts'
import { conversationFaults } from './chat/conversation.ts'
import { countingFaults } from './operations/counting.ts'
import { creditsFaults } from './chat/credits.ts'
import { deliveryHeaderFaults } from './webhooks/delivery-headers.ts'
import { deliveryTargetFaults } from './webhooks/delivery-target.ts'
import { discoveryFaults } from './operations/discovery.ts'
import { envelopeFaults } from './webhooks/envelope.ts'
import { executionFaults } from './operations/execution.ts'
import { idempotencyConflictFaults } from './chat/idempotency-conflict.ts'
import { idempotencyKeyFaults } from './chat/idempotency-key.ts'
import { idempotencyRaceFaults } from './chat/idempotency-race.ts'
import { idempotencyReplayFaults } from './chat/idempotency-replay.ts'
import { laterFaults } from './webhooks/later.ts'
import { operationRepeatFaults } from './operations/operation-repeats.ts'
import { taskFaults } from './operations/tasks.ts'
import { webhookModelFaults } from './webhooks/model-webhooks.ts'
import { olderFaults } from './older.ts'
import { pauseFaults } from './chat/pause.ts'
import { raceFaults } from './chat/races.ts'
import { rateLimitFaults } from './chat/rate-limit.ts'
import { receiptFaults } from './operations/receipts.ts'
import { scopeCrossedFaults, scopeFaults } from './operations/scopes.ts'
import { sequenceFaults } from './chat/sequences.ts'
import { signingFaults } from './webhooks/signing.ts'
import { streamEventFaults } from './chat/stream-events.ts'
import { streamingFaults } from './chat/streaming.ts'
import { turnEventFaults, webhookEventFaults } from './webhooks/webhook-events.ts'
import { uploadFaults } from './operations/uploads.ts'
import { webhookListingFaults } from './webhooks/webhook-listing.ts'
import { webhookLogFaults } from './webhooks/webhook-logs.ts'
import { webhookCreationFaults, webhookManagementFaults } from './webhooks/webhook-management.ts'
import { webhookRemovalFaults } from './webhooks/webhook-management-removal.ts'
import { webhookUpdateFaults } from './webhooks/webhook-updates.ts'
import { workflowFaults } from './chat/workflow.ts'

export const faults = {
  ...chatRequestFaults,
  ...chatAtOnceFaults,
  ...chatContextFaults,
  ...chatCrossedFaults,
  ...chatResponseFaults,
  ...conversationFaults,
  ...streamingFaults,
  ...streamEventFaults,
  ...idempotencyKeyFaults,
  ...idempotencyReplayFaults,
  ...idempotencyConflictFaults,
  ...idempotencyRaceFaults,
  ...raceFaults,
  ...sequenceFaults,
  ...replicaFaults,
  ...pauseFaults,
  ...workflowFaults,
  ...creditsFaults,
  ...rateLimitFaults,
  ...authFaults,
  ...chatErrorFaults,
  ...olderFaults,
  ...webhookManagementFaults,
  ...webhookCreationFaults,
  ...webhookListingFaults,
  ...webhookUpdateFaults,
  ...webhookRemovalFaults,
  ...deliveryTargetFaults,
  ...webhookLogFaults,
  ...webhookEventFaults,
  ...turnEventFaults,
  ...deliveryHeaderFaults,
  ...envelopeFaults,
  ...attemptFaults,
  ...endpointPauseFaults,
  ...signingFaults,
  ...webhookModelFaults,
  ...discoveryFaults,
  ...executionFaults,
  ...receiptFaults,
  ...billingFaults,
  ...billingAccountFaults,
  ...operationRepeatFaults,
  ...scopeFaults,
  ...scopeCrossedFaults,
  ...taskFaults,
  ...approvalFaults,
  ...uploadFaults,
  ...countingFaults,
  ...cacheFaults,
  ...laterFaults,
} as const satisfies Record<string, Fault>
