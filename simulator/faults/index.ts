/** Everything that the simulator can get wrong on purpose; the files are named after the areas they break. */
import type { Fault } from '../modification/modification.ts'
import { approvalFaults } from './approvals.ts'
import { attemptFaults } from './attempts.ts'
import { authFaults } from './auth.ts'
import { billingAccountFaults } from './billing-accounts.ts'
import { billingFaults } from './billing.ts'
import { cacheFaults } from './caches.ts'
import { chatErrorFaults } from './chat-errors.ts'
import { chatAtOnceFaults } from './chat-at-once.ts'
import { chatContextFaults } from './chat-context.ts'
import { chatCrossedFaults } from './chat-crossed.ts'
import { chatRequestFaults } from './chat-request.ts'
import { chatResponseFaults } from './chat-response.ts'
import { conversationFaults } from './conversation.ts'
import { countingFaults } from './counting.ts'
import { creditsFaults } from './credits.ts'
import { deliveryHeaderFaults } from './delivery-headers.ts'
import { deliveryTargetFaults } from './delivery-target.ts'
import { discoveryFaults } from './discovery.ts'
import { endpointPauseFaults } from './endpoint-pause.ts'
import { envelopeFaults } from './envelope.ts'
import { executionFaults } from './execution.ts'
import { idempotencyConflictFaults } from './idempotency-conflict.ts'
import { idempotencyKeyFaults } from './idempotency-key.ts'
import { idempotencyRaceFaults } from './idempotency-race.ts'
import { idempotencyReplayFaults } from './idempotency-replay.ts'
import { laterFaults } from './later.ts'
import { operationRepeatFaults } from './operation-repeats.ts'
import { operationModelFaults } from './model-operations.ts'
import { webhookModelFaults } from './model-webhooks.ts'
import { movingNameFaults } from './moving-names.ts'
import { olderTurnFaults } from './older-turns.ts'
import { olderVariantFaults } from './older-variant.ts'
import { pauseFaults } from './pause.ts'
import { raceFaults } from './races.ts'
import { rateLimitFaults } from './rate-limit.ts'
import { receiptFaults } from './receipts.ts'
import { replicaFaults } from './replicas.ts'
import { scopeCrossedFaults } from './scopes-crossed.ts'
import { scopeFaults } from './scopes.ts'
import { sequenceFaults } from './sequences.ts'
import { signingFaults } from './signing.ts'
import { streamEventFaults } from './stream-events.ts'
import { streamingFaults } from './streaming.ts'
import { taskFaults } from './tasks.ts'
import { turnEventFaults } from './turn-events.ts'
import { uploadFaults } from './uploads.ts'
import { webhookEventFaults } from './webhook-events.ts'
import { webhookListingFaults } from './webhook-listing.ts'
import { webhookLogFaults } from './webhook-logs.ts'
import { webhookCreationFaults } from './webhook-management-creation.ts'
import { webhookRemovalFaults } from './webhook-management-removal.ts'
import { webhookManagementFaults } from './webhook-management.ts'
import { webhookUpdateFaults } from './webhook-updates.ts'
import { workflowFaults } from './workflow.ts'

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
