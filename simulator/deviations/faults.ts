/** Everything that the simulator can get wrong on purpose; the files are named after the areas they break. */
import type { Fault } from './deviation.ts'
import { approvalFaults } from './faults/approvals.ts'
import { attemptFaults } from './faults/attempts.ts'
import { authFaults } from './faults/auth.ts'
import { billingAccountFaults } from './faults/billing-accounts.ts'
import { billingFaults } from './faults/billing.ts'
import { cacheFaults } from './faults/caches.ts'
import { chatErrorFaults } from './faults/chat-errors.ts'
import { chatAtOnceFaults } from './faults/chat-at-once.ts'
import { chatContextFaults } from './faults/chat-context.ts'
import { chatCrossedFaults } from './faults/chat-crossed.ts'
import { chatRequestFaults } from './faults/chat-request.ts'
import { chatResponseFaults } from './faults/chat-response.ts'
import { conversationFaults } from './faults/conversation.ts'
import { countingFaults } from './faults/counting.ts'
import { creditsFaults } from './faults/credits.ts'
import { deliveryHeaderFaults } from './faults/delivery-headers.ts'
import { deliveryTargetFaults } from './faults/delivery-target.ts'
import { discoveryFaults } from './faults/discovery.ts'
import { endpointPauseFaults } from './faults/endpoint-pause.ts'
import { envelopeFaults } from './faults/envelope.ts'
import { executionFaults } from './faults/execution.ts'
import { idempotencyConflictFaults } from './faults/idempotency-conflict.ts'
import { idempotencyKeyFaults } from './faults/idempotency-key.ts'
import { idempotencyRaceFaults } from './faults/idempotency-race.ts'
import { idempotencyReplayFaults } from './faults/idempotency-replay.ts'
import { laterFaults } from './faults/later.ts'
import { operationRepeatFaults } from './faults/operation-repeats.ts'
import { operationModelFaults } from './faults/model-operations.ts'
import { webhookModelFaults } from './faults/model-webhooks.ts'
import { movingNameFaults } from './faults/moving-names.ts'
import { olderTurnFaults } from './faults/older-turns.ts'
import { olderVariantFaults } from './faults/older-variant.ts'
import { pauseFaults } from './faults/pause.ts'
import { raceFaults } from './faults/races.ts'
import { rateLimitFaults } from './faults/rate-limit.ts'
import { receiptFaults } from './faults/receipts.ts'
import { replicaFaults } from './faults/replicas.ts'
import { scopeCrossedFaults } from './faults/scopes-crossed.ts'
import { scopeFaults } from './faults/scopes.ts'
import { sequenceFaults } from './faults/sequences.ts'
import { signingFaults } from './faults/signing.ts'
import { streamEventFaults } from './faults/stream-events.ts'
import { streamingFaults } from './faults/streaming.ts'
import { taskFaults } from './faults/tasks.ts'
import { turnEventFaults } from './faults/turn-events.ts'
import { uploadFaults } from './faults/uploads.ts'
import { webhookEventFaults } from './faults/webhook-events.ts'
import { webhookListingFaults } from './faults/webhook-listing.ts'
import { webhookLogFaults } from './faults/webhook-logs.ts'
import { webhookCreationFaults } from './faults/webhook-management-creation.ts'
import { webhookRemovalFaults } from './faults/webhook-management-removal.ts'
import { webhookManagementFaults } from './faults/webhook-management.ts'
import { webhookUpdateFaults } from './faults/webhook-updates.ts'
import { workflowFaults } from './faults/workflow.ts'

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
  ...olderVariantFaults,
  ...olderTurnFaults,
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
  ...movingNameFaults,
  ...operationModelFaults,
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
